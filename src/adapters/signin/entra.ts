import type { IDToken } from 'openid-client'
import { SigninRefused, type Profile, type SigninProvider } from '#platform/ports/signin.ts'
import type { Credentials, Limits } from './exchange.ts'
import { openid, profileOf } from './openid.ts'

/** The enterprise directory: one tenant's people, and no one else's. */
export function entra(credentials: Credentials & { tenant: string }, limits?: Limits): SigninProvider {
  const tenant = credentials.tenant.toLowerCase()
  return openid(
    { name: 'entra', label: 'Microsoft', profile: claims => profile(claims, tenant) },
    credentials,
    limits,
  )
}

function profile(claims: IDToken, tenant: string): Profile {
  // The issuer names the tenant too, but an issuer can be configured: this is the word of the token itself.
  if (typeof claims.tid !== 'string' || claims.tid.toLowerCase() !== tenant)
    throw new SigninRefused('invalid', 'This Microsoft account belongs to another directory.')
  // The subject is `sub`: it belongs to this person and this client alone and never changes. `oid` is the same in every
  // app of the directory, and by the standard a client knows a person by issuer and `sub`.
  return profileOf(claims, isVouchedFor(claims))
}

/**
 * An administrator of a directory may write any address into `email`, also someone else's. Only these claims say that
 * the owner of its domain was verified; `xms_edov` is optional and has come in all of these spellings.
 */
function isVouchedFor({ email_verified, xms_edov }: IDToken): boolean {
  return email_verified === true || [true, 1, '1', 'true'].includes(xms_edov as string | number | boolean)
}
