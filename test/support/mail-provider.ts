import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import Provider, { interactionPolicy, type Configuration } from 'oidc-provider'
import { memoryAdapter } from './issuer.ts'

/** Whose mailbox it is; every claim but `sub` goes into the ID token as it is. */
export type MailboxOwner = {
  sub: string
  email?: string
  email_verified?: boolean
  preferred_username?: string
}

export type MailProvider = {
  url: string
  credentials: { clientId: string; clientSecret: string; issuer: string }
  /** Where a mail server asks whose token it was shown. */
  userinfo: string
  /** Who comes next. Nobody clicks: the authorize address leads straight back. Undefined says no there. */
  owner: MailboxOwner | undefined
  /** What the owner does not allow, though it is asked for. */
  withheld: string[]
  /** Each query of the authorize address, in order. */
  asked: URLSearchParams[]
  /** Takes back what everybody has allowed. */
  revoke(): void
  /** From now on nothing is answered but this. */
  status: number | undefined
  close(): Promise<void>
}

const MAIL_SCOPES = [
  'https://mail.google.com/',
  'https://outlook.office.com/IMAP.AccessAsUser.All',
  'https://outlook.office.com/SMTP.Send',
]
const HOUR_SECONDS = 3_600

let keyOfAll: ReturnType<typeof makeKey> | undefined

/** To make one costs more than most tests; that the keys of two providers differ is nothing they look at. */
async function makeKey() {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return { ...(await exportJWK(privateKey)), kid: 'provider', alg: 'RS256', use: 'sig' }
}

/** A real OpenID provider on a free port of this machine that lets programs into mailboxes. */
export async function startMailProvider(owner?: MailboxOwner): Promise<MailProvider> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const jwk = await (keyOfAll ??= makeKey())
  const memory = memoryAdapter()
  const provider: MailProvider = {
    url,
    credentials: { clientId: 'rapport', clientSecret: 'a-secret-for-tests', issuer: url },
    userinfo: `${url}/token-info`,
    owner,
    withheld: [],
    asked: [],
    revoke: () => memory.clear(),
    status: undefined,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  const owners = new Map<string, MailboxOwner>()
  const oidc = new Provider(url, configuration(provider, owners, jwk, memory.adapter))
  oidc.Client.prototype.redirectUriAllowed = uri => new URL(uri).hostname === 'rapport.test'
  const answer = oidc.callback()
  const tell = async (authorization = '', response: ServerResponse) => {
    const known = await fetch(`${url}/me`, { headers: { authorization } })
    const claims = known.ok ? { active: true, ...((await known.json()) as object) } : { active: false }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(claims))
  }
  server.on('request', (request, response) => {
    const { pathname, searchParams } = new URL(request.url!, url)
    if (provider.status !== undefined) return void response.writeHead(provider.status).end()
    if (pathname === '/auth' && searchParams.size > 0) {
      provider.asked.push(searchParams)
      delete request.headers.cookie
    }
    if (pathname === '/token-info') return void tell(request.headers.authorization, response)
    if (!pathname.startsWith('/interaction/')) return void answer(request, response)
    const { owner } = provider
    if (owner) owners.set(owner.sub, owner)
    const outcome = owner
      ? { login: { accountId: owner.sub }, consent: {} }
      : { error: 'access_denied', error_description: 'They said no.' }
    void oidc.interactionFinished(request, response, outcome)
  })
  return provider
}

function configuration(
  provider: MailProvider,
  owners: Map<string, MailboxOwner>,
  jwk: object,
  adapter: NonNullable<Configuration['adapter']>,
): Configuration {
  const { clientId, clientSecret } = provider.credentials
  const policy = interactionPolicy.base()
  // Asked for, it is given: what is missing in the grant is withheld, and not asked for again.
  policy.remove('consent')
  policy.add(new interactionPolicy.Prompt({ name: 'consent', requestable: true }))
  return {
    adapter,
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        token_endpoint_auth_method: 'client_secret_post',
        grant_types: ['authorization_code', 'refresh_token'],
        redirect_uris: ['https://rapport.test/'],
      },
    ],
    jwks: { keys: [jwk] },
    cookies: { keys: ['of no worth'] },
    scopes: ['openid', 'offline_access', ...MAIL_SCOPES],
    claims: { openid: ['sub', 'preferred_username'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { policy, url: (_ctx, { uid }) => `/interaction/${uid}` },
    extraParams: ['access_type'],
    // Google gives one for access_type=offline, Microsoft for the scope.
    issueRefreshToken: async (_ctx, _client, code) =>
      code.scopes.has('offline_access') || provider.asked.at(-1)?.get('access_type') === 'offline',
    ttl: {
      AccessToken: HOUR_SECONDS,
      AuthorizationCode: HOUR_SECONDS,
      Grant: HOUR_SECONDS,
      IdToken: HOUR_SECONDS,
      Interaction: HOUR_SECONDS,
      RefreshToken: HOUR_SECONDS,
      Session: HOUR_SECONDS,
    },
    findAccount: (_ctx, sub) => {
      const owner = owners.get(sub)
      return owner && { accountId: sub, claims: () => ({ ...owner }) }
    },
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client!.clientId,
        accountId: oidc.session!.accountId!,
      })
      const asked = String(oidc.params!['scope']).split(' ')
      grant.addOIDCScope(asked.filter(scope => !provider.withheld.includes(scope)).join(' '))
      await grant.save()
      return grant
    },
  }
}
