import type { Mailer } from './mail.ts'
import type { SigninProvider } from './signin.ts'

/** Everything that reaches outside, chosen by the configuration and made by the composition root. */
export type Ports = {
  mail: Mailer
  /** Only what is configured, in the order of the sign-in page. */
  signin: readonly SigninProvider[]
}
