import {
  AuthorizationResponseError,
  authorizationCodeGrant,
  genericGrantRequest,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
  type Configuration,
  type IDToken,
} from 'openid-client'
import { SigninRefused, type Attempt } from '#platform/ports/signin.ts'
import { NoAnswer, throwSilence } from './bounded-fetch.ts'

export type Credentials = { clientId: string; clientSecret: string; issuer: string }
export type Limits = { timeoutMs?: number }

type Exchange = {
  config: Configuration
  label: string
  attempt: Attempt
  callback: URL
  expectedNonce?: string
}
type Tokens = { access_token: string; claims(): IDToken | undefined }

/** Trades the code of a callback for tokens. The library checks state, issuer, nonce and signature on the way. */
export async function exchange({
  config,
  label,
  attempt,
  callback,
  expectedNonce,
}: Exchange): Promise<Tokens> {
  // The address is the one the attempt began with: what the request came in by may have been changed by a proxy.
  const answer = new URL(attempt.redirect_uri)
  answer.search = callback.search
  try {
    return await authorizationCodeGrant(config, answer, {
      expectedState: attempt.state,
      pkceCodeVerifier: attempt.verifier,
      expectedNonce,
    })
  } catch (error) {
    throwSilence(error)
    throw verdict(label, error)
  }
}

/** Whether the provider knows this client, found out with a code that cannot be one: all else it may say is right. */
export async function probe(config: Configuration, label: string): Promise<void> {
  try {
    await genericGrantRequest(config, 'authorization_code', {
      code: 'rapport-doctor',
      redirect_uri: 'https://rapport.invalid/',
    })
  } catch (error) {
    throwSilence(error)
    if (isClientRefused(error)) throw new Error(`${label} rejected the client ID or secret`, { cause: error })
    if (!(error instanceof ResponseBodyError))
      throw new Error(`${label} returned an unexpected response: ${(error as Error).message}`, {
        cause: error,
      })
  }
}

function verdict(label: string, error: unknown): Error {
  if (error instanceof AuthorizationResponseError) {
    if (error.error === 'access_denied')
      return new SigninRefused('denied', `The sign-in was cancelled at ${label}.`, { cause: error })
    if (BUSY_ERRORS.includes(error.error))
      return new NoAnswer(`${label} is unavailable (${error.error})`, { cause: error })
  }
  const words = isClientRefused(error)
    ? `${label} rejected this installation. Please contact your administrator.`
    : `The response from ${label} is not valid. Please sign in again.`
  return new SigninRefused('invalid', words, { cause: error })
}

const BUSY_ERRORS = ['server_error', 'temporarily_unavailable']
const CLIENT_ERRORS = ['invalid_client', 'unauthorized_client', 'incorrect_client_credentials']

function isClientRefused(error: unknown): boolean {
  if (error instanceof WWWAuthenticateChallengeError) return error.status === 401
  if (!(error instanceof ResponseBodyError)) return false
  // GitHub has never heard of a client that does not exist, and says so with a 404.
  return [401, 404].includes(error.status) || CLIENT_ERRORS.includes(error.error)
}
