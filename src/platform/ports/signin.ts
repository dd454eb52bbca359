/** An outside identity provider: the consumer one, the developers' one and the enterprise directory. */
export const providerNames = ['google', 'github', 'entra'] as const
export type ProviderName = (typeof providerNames)[number]

/** What one attempt to sign in is bound to; it waits in the browser, encrypted, until the provider sends it back. */
export type Attempt = { state: string; nonce: string; verifier: string; redirect_uri: string }

/** Who the provider says it is. An address counts only where the provider vouches for it. */
export type Profile = {
  subject: string
  email: string | undefined
  email_verified: boolean
  name: string | undefined
  image: string | undefined
}

export type SigninProvider = {
  name: ProviderName
  /** The label on the button. */
  label: string
  /** Where the browser goes: with state, nonce and an S256 challenge of the verifier. */
  begin(attempt: Attempt): Promise<URL>
  /** What the callback proves. Everything is checked: state, issuer, nonce, signature, tenant. */
  finish(attempt: Attempt, callback: URL): Promise<Profile>
  /** For `rapport doctor`: the provider answers, or an error that says what is wrong. */
  check(): Promise<void>
}

/** The person said no at the provider, or its answer does not hold. The message is for a person to read. */
export class SigninRefused extends Error {
  readonly code: 'denied' | 'invalid'

  constructor(code: 'denied' | 'invalid', message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
