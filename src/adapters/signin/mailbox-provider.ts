import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  refreshTokenGrant,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
  type Configuration,
  type IDToken,
  type TokenEndpointResponse,
} from 'openid-client'
import { throwSilence, type NoAnswer } from './bounded-fetch.ts'
import { textOf } from './claim.ts'
import type { Credentials, Limits } from './exchange.ts'
import { discoverIssuer, remembered } from './openid.ts'
import {
  MailboxRefused,
  MailboxUnavailable,
  type MailboxProvider,
  type MailServer,
} from '#platform/ports/mailbox.ts'
import type { SigninSettings } from '#platform/provider-settings.ts'

/** Unless the provider says how long its token is good for. */
const TOKEN_SECONDS = 3_600

type Kind = Pick<MailboxProvider, 'name' | 'imap' | 'smtp'> & {
  label: string
  scope: string
  /** What makes it give a token that lasts. */
  parameters: Record<string, string>
  addressOf(claims: IDToken): string | undefined
}

type Servers = Partial<Record<'imap' | 'smtp', MailServer>>
export type ProviderOptions = Limits & { servers?: Partial<Record<MailboxProvider['name'], Servers>> }

/** Those whose credentials are configured: they are those of the sign-in. */
export function openMailboxProviders(
  { google: atGoogle, entra }: SigninSettings,
  { servers = {}, ...limits }: ProviderOptions = {},
): MailboxProvider[] {
  return [
    ...(atGoogle ? [open({ ...google, ...servers.google }, atGoogle, limits)] : []),
    ...(entra ? [open({ ...microsoft, ...servers.microsoft }, entra, limits)] : []),
  ]
}

const google: Kind = {
  name: 'google',
  label: 'Google',
  imap: { host: 'imap.gmail.com', port: 993, security: 'tls' },
  smtp: { host: 'smtp.gmail.com', port: 465, security: 'tls' },
  scope: 'https://mail.google.com/ openid email',
  parameters: { access_type: 'offline', prompt: 'consent' },
  addressOf: claims => (claims.email_verified === true ? textOf(claims.email) : undefined),
}

const microsoft: Kind = {
  name: 'microsoft',
  label: 'Microsoft',
  imap: { host: 'outlook.office365.com', port: 993, security: 'tls' },
  smtp: { host: 'smtp.office365.com', port: 587, security: 'starttls' },
  scope:
    'https://outlook.office.com/IMAP.AccessAsUser.All https://outlook.office.com/SMTP.Send offline_access openid email',
  parameters: { prompt: 'consent' },
  // The address of the mailbox; an account without one has at least the name that it signs in with.
  addressOf: claims => textOf(claims.email) ?? textOf(claims.preferred_username),
}

function open(kind: Kind, credentials: Credentials, limits: Limits): MailboxProvider {
  const { name, label, imap, smtp, scope, parameters, addressOf } = kind
  const issuer = remembered(() => discoverIssuer(label, credentials, limits))
  /** What went wrong, in words for the person who connects or owns the mailbox. */
  const asked = async <Result>(ask: (config: Configuration) => Promise<Result>): Promise<Result> => {
    try {
      return await ask(await issuer())
    } catch (error) {
      throw failureOf(label, error)
    }
  }
  return {
    name,
    imap,
    smtp,
    authorizeUrl: ({ state, code_challenge, redirect_uri, login_hint }) =>
      asked(async config => {
        const url = buildAuthorizationUrl(config, {
          scope,
          redirect_uri,
          state,
          code_challenge,
          code_challenge_method: 'S256',
          ...parameters,
          ...(login_hint !== null && { login_hint }),
        })
        return url.href
      }),
    exchange: ({ code, code_verifier, redirect_uri }) =>
      asked(async config => {
        const callback = new URL(redirect_uri)
        // The caller has matched the state to this provider, so that the answer is its own.
        callback.search = String(new URLSearchParams({ code, iss: config.serverMetadata().issuer }))
        const tokens = await authorizationCodeGrant(config, callback, { pkceCodeVerifier: code_verifier })
        const claims = tokens.claims()
        const address = claims && addressOf(claims)
        if (!address?.includes('@'))
          throw new MailboxRefused(
            `${label} did not say which mailbox this is. Choose an account with email.`,
          )
        const missing = missingScopes(scope, tokens)
        if (missing.length > 0 || tokens.refresh_token === undefined)
          throw new MailboxRefused(
            `${label} did not allow Rapport to read and send email. Connect again and allow everything that is asked for.`,
          )
        return { ...tokensOf(tokens), address }
      }),
    refresh: refresh_token => asked(async config => tokensOf(await refreshTokenGrant(config, refresh_token))),
  }
}

/** People may allow only part of what is asked for: of it, what opens the mailbox counts. A silent provider allowed it all. */
function missingScopes(scope: string, { scope: granted }: TokenEndpointResponse): string[] {
  if (granted === undefined) return []
  const allowed = granted.split(' ').map(rightOf)
  return scope.split(' ').filter(asked => asked.startsWith('https:') && !allowed.includes(rightOf(asked)))
}

/** Microsoft has several names for the host of a right. */
function rightOf(scope: string): string {
  const path = URL.canParse(scope) ? new URL(scope).pathname : ''
  return (path.length > 1 ? path : scope).toLowerCase()
}

function tokensOf({ access_token, expires_in = TOKEN_SECONDS, refresh_token }: TokenEndpointResponse) {
  const expires_at = new Date(Date.now() + expires_in * 1_000).toISOString()
  return { access_token, expires_at, refresh_token: refresh_token ?? null }
}

function failureOf(label: string, error: unknown): Error {
  if (error instanceof MailboxRefused) return error
  try {
    throwSilence(error)
  } catch (silence) {
    return new MailboxUnavailable((silence as NoAnswer).message, { cause: silence })
  }
  const said = error instanceof ResponseBodyError ? error.error : undefined
  if (said === 'invalid_grant')
    return new MailboxRefused(`${label} no longer allows access to this mailbox. Connect it again.`, {
      cause: error,
    })
  if (said !== undefined && BUSY_ERRORS.includes(said))
    return new MailboxUnavailable(`${label} is unavailable (${said})`, { cause: error })
  if (error instanceof WWWAuthenticateChallengeError || CLIENT_ERRORS.includes(said ?? ''))
    return new MailboxRefused(`${label} rejected this installation. Please contact your administrator.`, {
      cause: error,
    })
  return new MailboxRefused(`The response from ${label} is not valid. Connect the mailbox again.`, {
    cause: error,
  })
}

const BUSY_ERRORS = ['server_error', 'temporarily_unavailable']
const CLIENT_ERRORS = ['invalid_client', 'unauthorized_client']
