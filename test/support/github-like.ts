import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export type Developer = {
  id: number
  login: string
  name: string | null
  avatar_url: string
  emails: { email: string; primary: boolean; verified: boolean }[]
}

export type GithubLike = {
  url: string
  /** For `Config.signin`. */
  credentials: { clientId: string; clientSecret: string; issuer: string }
  /** Who comes next, without a click. Undefined says no there. */
  person: Developer | undefined
  /** What the token endpoint says instead, with the status of a yes, as GitHub does. */
  tokenError: string | undefined
  /** The status of `/user/emails`, where an app may not read it. */
  emailsStatus: number
  /** A biography for `/user`, as long as need be. */
  bio: string
  /** The headers the API was asked with, last first. */
  asked: IncomingMessage['headers'][]
  close(): Promise<void>
}

/** Answers as GitHub does where a sign-in asks it: authorize, token, `/user` and `/user/emails`. */
export async function startGithubLike({ person }: { person?: Developer } = {}): Promise<GithubLike> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const github: GithubLike = {
    url,
    credentials: { clientId: 'Iv1.rapport', clientSecret: 'a-secret-for-tests', issuer: url },
    person,
    tokenError: undefined,
    emailsStatus: 200,
    bio: '',
    asked: [],
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  const memory: Memory = { codes: new Map(), tokens: new Map() }
  server.on('request', (request, response) => void answer(github, memory, request, response))
  return github
}

type Grant = { challenge: string | null; redirect_uri: string; person: Developer }
type Memory = { codes: Map<string, Grant>; tokens: Map<string, Developer> }

async function answer(
  github: GithubLike,
  memory: Memory,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url!, github.url)
  if (url.pathname === '/login/oauth/authorize') return authorize(github, memory, url, response)
  if (url.pathname === '/login/oauth/access_token') {
    const form = new URLSearchParams(await text(request))
    if (form.get('client_id') !== github.credentials.clientId)
      return json(response, 404, { error: 'Not Found' })
    const body = issueToken(github, memory, form)
    if (/\bjson\b/.test(request.headers.accept ?? '')) return json(response, 200, body)
    return void response.end(new URLSearchParams(body).toString())
  }
  github.asked.unshift(request.headers)
  const person = memory.tokens.get(/^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '')
  if (!person) return json(response, 401, { message: 'Bad credentials' })
  const { emails, ...user } = person
  if (url.pathname === '/api/v3/user') return json(response, 200, { ...user, bio: github.bio })
  if (url.pathname === '/api/v3/user/emails') return json(response, github.emailsStatus, emails)
  json(response, 404, { message: 'Not Found' })
}

function authorize(
  github: GithubLike,
  { codes }: Memory,
  { searchParams }: URL,
  response: ServerResponse,
): void {
  const back = new URL(searchParams.get('redirect_uri')!)
  back.searchParams.set('state', searchParams.get('state') ?? '')
  if (github.person) {
    const code = randomBytes(10).toString('hex')
    const challenge = searchParams.get('code_challenge')
    codes.set(code, { challenge, redirect_uri: searchParams.get('redirect_uri')!, person: github.person })
    back.searchParams.set('code', code)
  } else {
    back.searchParams.set('error', 'access_denied')
    back.searchParams.set('error_description', 'The user has denied your application access.')
  }
  response.writeHead(302, { location: back.href }).end()
}

function issueToken(
  github: GithubLike,
  { codes, tokens }: Memory,
  form: URLSearchParams,
): Record<string, string> {
  if (github.tokenError) return { error: github.tokenError, error_description: 'No.' }
  if (form.get('client_secret') !== github.credentials.clientSecret)
    return {
      error: 'incorrect_client_credentials',
      error_description: 'The client_id and/or secret is wrong.',
    }
  const grant = codes.get(form.get('code') ?? '')
  codes.delete(form.get('code') ?? '')
  if (!grant || grant.challenge !== challengeOf(form.get('code_verifier') ?? ''))
    return { error: 'bad_verification_code', error_description: 'The code is incorrect or expired.' }
  if (form.get('redirect_uri') !== grant.redirect_uri)
    return { error: 'redirect_uri_mismatch', error_description: 'The redirect_uri is another one.' }
  const token = `gho_${randomBytes(18).toString('hex')}`
  tokens.set(token, grant.person)
  return { access_token: token, token_type: 'bearer', scope: 'read:user,user:email' }
}

function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))
}
