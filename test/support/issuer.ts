import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeJwt, exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose'
import Provider, {
  interactionPolicy,
  type AdapterFactory,
  type AdapterPayload,
  type Configuration,
  type KoaContextWithOIDC,
} from 'oidc-provider'

/** Who is signed in at the issuer; every claim but `sub` goes into the ID token as it is. */
export type Person = {
  sub: string
  email?: string
  email_verified?: boolean
  name?: string
  picture?: string
  tid?: string
  oid?: string
  xms_edov?: boolean | number | string
}

export type Issuer = {
  url: string
  /** For `Config.signin`; any redirect address within this machine is welcome. */
  credentials: { clientId: string; clientSecret: string; issuer: string }
  /** Who comes next. Nobody clicks: the authorize address leads straight back. Undefined says no there. */
  person: Person | undefined
  /** Changes what the next ID tokens say; they are signed again, so that only the claim is wrong. */
  forge: ((claims: JWTPayload) => JWTPayload) | undefined
  /** Signs the next ID tokens with a key nobody published. */
  strangeKey: boolean
  /** Is out of order where its keys are asked for. */
  withoutKeys: boolean
  /** The paths that were asked for, in order. */
  requests: string[]
  close(): Promise<void>
}

/** To make them costs more than most tests: all issuers of a process have the same, and the same that nobody published. */
type Key = Awaited<ReturnType<typeof makeKey>>
let keysOfAll: Promise<[Key, Key]> | undefined

/** A real OpenID provider on a free port of this machine, to play the consumer one or the enterprise directory. */
export async function startIssuer({
  port = 0,
  person,
}: { port?: number; person?: Person } = {}): Promise<Issuer> {
  const server = createServer()
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const [key, strange] = await (keysOfAll ??= Promise.all([makeKey('issuer'), makeKey('issuer')]))
  const issuer: Issuer = {
    url,
    credentials: { clientId: 'rapport', clientSecret: 'a-secret-for-tests', issuer: url },
    person,
    forge: undefined,
    strangeKey: false,
    withoutKeys: false,
    requests: [],
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  const people = new Map<string, Person>()
  const provider = new Provider(url, configuration(issuer, people, key.jwk))
  // Where the app under test listens is known only after it has started with these credentials.
  provider.Client.prototype.redirectUriAllowed = uri => isLocal(uri)
  provider.use(async (ctx: KoaContextWithOIDC, next) => {
    await next()
    const body = ctx.body as { id_token?: string } | undefined
    if (ctx.path !== '/token' || !body?.id_token || !(issuer.forge || issuer.strangeKey)) return
    const claims = decodeJwt(body.id_token)
    body.id_token = await new SignJWT(issuer.forge?.(claims) ?? claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'issuer' })
      .sign((issuer.strangeKey ? strange : key).privateKey)
  })
  const answer = provider.callback()
  server.on('request', (request, response) => {
    const path = new URL(request.url!, url).pathname
    issuer.requests.push(path)
    if (path.startsWith('/interaction/')) return void interact(provider, issuer, people, request, response)
    if (path === '/jwks' && issuer.withoutKeys) return void response.writeHead(503).end()
    // Every visit is a fresh one: a browser that was here before does not stay the person it was.
    if (path === '/auth') delete request.headers.cookie
    void answer(request, response)
  })
  return issuer
}

const HOPS_MAX = 10

/** Goes where a browser would, cookies and all, until it is sent to an address that begins so; that one is not opened. */
export async function walk(url: URL | string, redirectPrefix: string): Promise<URL> {
  const cookies = new Map<string, string>()
  let next = new URL(url)
  for (let hop = 0; hop < HOPS_MAX; hop++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(next, { redirect: 'manual', headers: { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      cookies.set(name!, value!)
    }
    const location = response.headers.get('location')
    if (!location) throw new Error(`${next.href} leads nowhere: ${response.status} ${await response.text()}`)
    next = new URL(location, next)
    if (next.href.startsWith(redirectPrefix)) return next
  }
  throw new Error(`${new URL(url).href} does not come to an end`)
}

async function makeKey(kid: string) {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return { privateKey, jwk: { ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' } }
}

const HOUR_SECONDS = 3_600

function configuration(issuer: Issuer, people: Map<string, Person>, jwk: object): Configuration {
  const { clientId, clientSecret } = issuer.credentials
  const policy = interactionPolicy.base()
  policy.remove('consent')
  policy.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }), 0)
  return {
    adapter: memoryAdapter().adapter,
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        token_endpoint_auth_method: 'client_secret_post',
        redirect_uris: ['http://127.0.0.1/'],
      },
    ],
    jwks: { keys: [jwk] },
    cookies: { keys: ['of no worth'] },
    claims: {
      openid: ['sub', 'tid', 'oid', 'xms_edov'],
      email: ['email', 'email_verified'],
      profile: ['name', 'picture'],
    },
    // Google and Microsoft put the claims of a scope into the ID token itself.
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { policy, url: (_ctx, { uid }) => `/interaction/${uid}` },
    ttl: {
      AccessToken: HOUR_SECONDS,
      AuthorizationCode: HOUR_SECONDS,
      Grant: HOUR_SECONDS,
      IdToken: HOUR_SECONDS,
      Interaction: HOUR_SECONDS,
      Session: HOUR_SECONDS,
    },
    findAccount: (_ctx, sub) => {
      const person = people.get(sub)
      return person && { accountId: sub, claims: () => ({ ...person }) }
    },
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client!.clientId,
        accountId: oidc.session!.accountId!,
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  }
}

/** Each issuer forgets with its end; the one of the library is shared by all of a process, and warns about it. */
export function memoryAdapter(): { adapter: AdapterFactory; clear(): void } {
  const kept = new Map<string, AdapterPayload>()
  const adapter: AdapterFactory = model => {
    const key = (id: string) => `${model}:${id}`
    const find = async (test: (payload: AdapterPayload) => boolean) =>
      [...kept].find(([name, payload]) => name.startsWith(`${model}:`) && test(payload))?.[1]
    return {
      upsert: async (id, payload) => void kept.set(key(id), payload),
      find: async id => kept.get(key(id)),
      findByUid: uid => find(payload => payload.uid === uid),
      findByUserCode: code => find(payload => payload.userCode === code),
      consume: async id =>
        void kept.set(key(id), { ...kept.get(key(id)), consumed: Math.floor(Date.now() / 1_000) }),
      destroy: async id => void kept.delete(key(id)),
      async revokeByGrantId(grantId) {
        for (const [name, payload] of kept) if (payload.grantId === grantId) kept.delete(name)
      },
    }
  }
  return { adapter, clear: () => kept.clear() }
}

async function interact(
  provider: Provider,
  { person }: Issuer,
  people: Map<string, Person>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (!person)
    return await provider.interactionFinished(request, response, {
      error: 'access_denied',
      error_description: 'They said no.',
    })
  people.set(person.sub, person)
  await provider.interactionFinished(request, response, {
    login: { accountId: person.sub },
    select_account: {},
  })
}

function isLocal(uri: string): boolean {
  return URL.canParse(uri) && ['localhost', '127.0.0.1'].includes(new URL(uri).hostname)
}
