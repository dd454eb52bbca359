import { createHash, randomBytes } from 'node:crypto'
import type { Scope } from '#platform/scopes.ts'
import type { Person, TestApp } from './app.ts'
import { client, type Client, type Reply } from './client.ts'

export const CALLBACK = 'https://app.example.test/callback'

export type OauthClient = { id: string; secret: string | null; redirect_uri: string }

/** An app as an administrator of the person's team makes it. */
export async function makeClient(
  person: Person,
  fields: { redirect_uris?: string[]; scopes?: Scope[]; confidential?: boolean; name?: string } = {},
): Promise<OauthClient> {
  const redirect_uris = fields.redirect_uris ?? [CALLBACK]
  const reply = await person.browser.post('/api/oauth/clients', { name: 'Zap', ...fields, redirect_uris })
  if (reply.status !== 201) throw new Error(reply.text)
  return { id: reply.body.id, secret: reply.body.client_secret, redirect_uri: redirect_uris[0]! }
}

export type Asking = Record<string, string | string[] | undefined>

export const VERIFIER = 'a-verifier-of-the-tests-that-is-long-enough-0123456789'
export const CHALLENGE = challengeOf(VERIFIER)

export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}

export function newVerifier(): string {
  return randomBytes(32).toString('base64url')
}

/** A request that is right in everything; tests take something away, or say something else. */
export function authorizeQuery({ id, redirect_uri }: OauthClient, changes: Asking = {}): string {
  const parameters: Asking = {
    response_type: 'code',
    client_id: id,
    redirect_uri,
    scope: 'leads:read leads:write',
    state: 'a state',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    ...changes,
  }
  const query = new URLSearchParams()
  for (const [name, values] of Object.entries(parameters))
    for (const value of [values ?? []].flat()) query.append(name, value)
  return `/api/oauth/authorize?${query.toString()}`
}

/** Opens the consent page and answers it as a browser without scripts would; `ticked` is every scope unless told. */
export async function consent(
  person: Person,
  path: string,
  answer: { decision?: string; ticked?: Scope[]; team?: string } = {},
): Promise<Reply> {
  const page = await person.browser.get(path)
  if (page.status !== 200) return page
  return answerConsent(person.browser, page.text, answer)
}

export async function answerConsent(
  browser: Client,
  page: string,
  { decision = 'allow', ticked, team }: { decision?: string; ticked?: Scope[]; team?: string } = {},
): Promise<Reply> {
  const offered = [...page.matchAll(/name="scope\.([a-z:]+)" checked/g)].map(match => match[1]!)
  const form = new URLSearchParams({ pending: fieldOf(page, 'pending'), decision })
  for (const scope of ticked ?? offered) form.set(`scope.${scope}`, 'on')
  if (team) form.set('team', team)
  return browser.raw('POST', '/api/oauth/consent', form.toString(), FORM)
}

export const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

function fieldOf(page: string, name: string): string {
  const value = new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1]
  if (value === undefined) throw new Error(`no field ${name} in ${page}`)
  return value
}

/** Where a redirect leads, and what it says. */
export function landed(reply: Reply): URL & { said: Record<string, string> } {
  const url = new URL(reply.headers.get('location') ?? 'none:')
  return Object.assign(url, { said: Object.fromEntries(url.searchParams) })
}

/** A code that the person has just allowed. */
export async function getCode(person: Person, app: OauthClient, changes: Asking = {}): Promise<string> {
  const reply = await consent(person, authorizeQuery(app, changes))
  const { code } = landed(reply).said
  if (!code) throw new Error(`${reply.status} ${reply.headers.get('location')} ${reply.text}`)
  return code
}

export function tokenRequest(app: OauthClient, code: string, changes: Record<string, unknown> = {}) {
  return {
    grant_type: 'authorization_code',
    code,
    redirect_uri: app.redirect_uri,
    client_id: app.id,
    ...(app.secret && { client_secret: app.secret }),
    code_verifier: VERIFIER,
    ...changes,
  }
}

export type Tokens = { access_token: string; refresh_token: string; scope: string; user_id: string }

/** The whole way: consent, code, tokens. */
export async function connect(
  app: TestApp,
  person: Person,
  oauthClient: OauthClient,
  changes: Asking = {},
): Promise<Tokens & { api: Client }> {
  const code = await getCode(person, oauthClient, changes)
  const reply = await client(app.url).post<Tokens>('/api/oauth/token', tokenRequest(oauthClient, code))
  if (reply.status !== 200) throw new Error(reply.text)
  return { ...reply.body, api: client(app.url, { authorization: `Bearer ${reply.body.access_token}` }) }
}
