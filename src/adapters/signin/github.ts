import {
  allowInsecureRequests,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  Configuration,
  customFetch,
  type CustomFetch,
} from 'openid-client'
import { SigninRefused, type Profile, type SigninProvider } from '#platform/ports/signin.ts'
import { boundedFetch, CALL_TIMEOUT_MS, isLoopback } from './bounded-fetch.ts'
import { textOf } from './claim.ts'
import { exchange, probe, type Credentials, type Limits } from './exchange.ts'

const LABEL = 'GitHub'
const ADDRESSES_PER_PAGE = 100

/** The developers' provider speaks plain OAuth 2: there is no ID token, so who it is comes from its API. */
export function github(
  credentials: Credentials,
  { timeoutMs = CALL_TIMEOUT_MS }: Limits = {},
): SigninProvider {
  const fetch = boundedFetch(LABEL, timeoutMs)
  const config = configure(credentials, honest(fetch))
  return {
    name: 'github',
    label: LABEL,
    async begin({ state, verifier, redirect_uri }) {
      return buildAuthorizationUrl(config, {
        scope: 'read:user user:email',
        redirect_uri,
        state,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        prompt: 'select_account',
      })
    },
    async finish(attempt, callback) {
      const { access_token } = await exchange({ config, label: LABEL, attempt, callback })
      return await readProfile(apiOf(credentials.issuer), access_token, fetch)
    },
    async check() {
      await probe(config, LABEL)
    },
  }
}

function configure({ clientId, clientSecret, issuer }: Credentials, fetch: CustomFetch): Configuration {
  // Also its own name as an issuer, should it ever sign a callback with it.
  const base = `${trimmed(issuer)}/login/oauth`
  const config = new Configuration(
    { issuer: base, authorization_endpoint: `${base}/authorize`, token_endpoint: `${base}/access_token` },
    clientId,
    clientSecret,
  )
  if (isLoopback(issuer)) allowInsecureRequests(config)
  config[customFetch] = fetch
  return config
}

/** GitHub says no with the status of a yes. The library goes by the status, so the answer gets the one it deserves. */
function honest(fetch: CustomFetch): CustomFetch {
  return async (url, options) => {
    const response = await fetch(url, options)
    const answer = (await response
      .clone()
      .json()
      .catch(() => undefined)) as { error?: unknown } | undefined
    if (response.status !== 200 || typeof answer?.error !== 'string') return response
    return new Response(response.body, { status: 400, headers: response.headers })
  }
}

/** GitHub itself has its API at a host of its own, an Enterprise Server below its address. */
function apiOf(issuer: string): string {
  return new URL(issuer).hostname === 'github.com' ? 'https://api.github.com' : `${trimmed(issuer)}/api/v3`
}

function trimmed(issuer: string): string {
  return issuer.replace(/\/+$/, '')
}

type User = { id?: unknown; login?: unknown; name?: unknown; avatar_url?: unknown }
type Address = { email?: unknown; primary?: unknown; verified?: unknown }

async function readProfile(api: string, token: string, fetch: CustomFetch): Promise<Profile> {
  const user = (await read(`${api}/user`, token, fetch)) as User | undefined
  if (!Number.isSafeInteger(user?.id))
    throw new SigninRefused('invalid', `${LABEL} did not return your account details.`)
  const list = await read(`${api}/user/emails?per_page=${ADDRESSES_PER_PAGE}`, token, fetch)
  const verified = (Array.isArray(list) ? (list as Address[]) : []).filter(
    address => address?.verified === true && typeof address.email === 'string',
  )
  const email = textOf((verified.find(address => address.primary === true) ?? verified[0])?.email)
  return {
    subject: String(user!.id),
    email,
    email_verified: email !== undefined,
    name: textOf(user!.name) ?? textOf(user!.login),
    image: textOf(user!.avatar_url),
  }
}

/** Undefined where this client may not read it: an app can be registered without the right to addresses. */
async function read(url: string, token: string, fetch: CustomFetch): Promise<unknown> {
  const response = await fetch(url, {
    method: 'GET',
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${token}`,
      'user-agent': 'rapport',
    },
    body: undefined,
    redirect: 'manual',
  })
  if (response.status !== 200) return undefined
  return await response.json().catch(() => undefined)
}
