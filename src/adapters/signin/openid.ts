import {
  allowInsecureRequests,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  type Configuration,
  type IDToken,
} from 'openid-client'
import { SigninRefused, type Profile, type SigninProvider } from '#platform/ports/signin.ts'
import { boundedFetch, CALL_TIMEOUT_MS, isLoopback, NoAnswer, throwSilence } from './bounded-fetch.ts'
import { textOf } from './claim.ts'
import { exchange, probe, type Credentials, type Limits } from './exchange.ts'

type Kind = Pick<SigninProvider, 'name' | 'label'> & { profile(claims: IDToken): Profile }

/** A provider that speaks OpenID Connect: what it proves is an ID token, signed for us and for this attempt. */
export function openid(kind: Kind, credentials: Credentials, limits: Limits = {}): SigninProvider {
  const { name, label, profile } = kind
  const discover = () => discoverIssuer(label, credentials, limits)
  const issuer = remembered(discover)
  return {
    name,
    label,
    async begin({ state, nonce, verifier, redirect_uri }) {
      return buildAuthorizationUrl(await issuer(), {
        scope: 'openid email profile',
        redirect_uri,
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        // On a shared browser, users would otherwise be signed in as the last user of the provider.
        prompt: 'select_account',
      })
    },
    async finish(attempt, callback) {
      const config = await issuer()
      const tokens = await exchange({ config, label, attempt, callback, expectedNonce: attempt.nonce })
      const claims = tokens.claims()
      if (!claims) throw new SigninRefused('invalid', `${label} did not return your account details.`)
      return profile(claims)
    },
    async check() {
      await probe(await discover(), label)
    },
  }
}

/** What an ID token says about a person. Whether its address counts, each provider decides by its own claims. */
export function profileOf(claims: IDToken, email_verified: boolean): Profile {
  const email = textOf(claims.email)
  return {
    subject: claims.sub,
    email,
    email_verified: email !== undefined && email_verified,
    name: textOf(claims.name),
    image: textOf(claims.picture),
  }
}

/** The provider as it describes itself. */
export async function discoverIssuer(
  label: string,
  credentials: Credentials,
  limits: Limits,
): Promise<Configuration> {
  const { clientId, clientSecret, issuer } = credentials
  try {
    return await discovery(new URL(issuer), clientId, clientSecret, undefined, {
      [customFetch]: boundedFetch(label, limits.timeoutMs ?? CALL_TIMEOUT_MS),
      // The library trusts a token that came straight from the provider over TLS. We want its signature as well.
      execute: [enableNonRepudiationChecks, ...(isLoopback(issuer) ? [allowInsecureRequests] : [])],
    })
  } catch (error) {
    throwSilence(error)
    throw new NoAnswer(`${label} is not a valid OpenID issuer at ${issuer}: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

/** Made when first needed, shared by all who wait for it, kept when it worked, and tried again when it did not. */
export function remembered<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    }))
}
