import type { SigninProvider } from '#platform/ports/signin.ts'
import type { Credentials, Limits } from './exchange.ts'
import { openid, profileOf } from './openid.ts'

/** The consumer provider. */
export function google(credentials: Credentials, limits?: Limits): SigninProvider {
  return openid(
    {
      name: 'google',
      label: 'Google',
      profile: claims => profileOf(claims, claims.email_verified === true),
    },
    credentials,
    limits,
  )
}
