import { randomBytes } from 'node:crypto'
import type { Context, Runtime } from '#platform/context.ts'
import { networkOf } from '#platform/network.ts'
import type { Policy } from '#platform/rate-windows.ts'
import { seal, unseal } from '#platform/seal.ts'

/** The field that people do not see. */
export const HONEYPOT = '_website'
/** So many from one network within a minute are people; more are not. */
export const SENT_PER_MINUTE_MAX = 10
/** A page that was open for longer is not sent by who opened it. */
export const PAGE_MAX_MS = 24 * 3_600_000

const PURPOSE = 'booking page'
const TOKEN_LENGTH_MAX = 1_000

/**
 * Identifies a rendered page: whose it is, when it was rendered, and which one. Submitting it twice counts
 * once.
 */
export function pageToken({ settings, clock }: Runtime, slug: string): string {
  const key = randomBytes(12).toString('base64url')
  return seal(settings, PURPOSE, [slug, clock.now(), key].join(' '))
}

/** The key of a page that we gave out not long ago. */
export function pageKey({ settings, clock }: Runtime, slug: string, token: string): string | undefined {
  if (token.length > TOKEN_LENGTH_MAX) return undefined
  const [of, at, key] = (unseal(settings, PURPOSE, token) ?? '').split(' ')
  const ageMs = clock.now() - Number(at)
  return key && of === slug && ageMs >= 0 && ageMs < PAGE_MAX_MS ? key : undefined
}

const policy: Policy = { name: 'booking', quota: SENT_PER_MINUTE_MAX, windowS: 60 }

/** Counts this one, in all processes together. */
export async function isTooMany({ runtime, request }: Context): Promise<boolean> {
  if (!runtime.settings.rateLimit || !request?.ip) return false
  const { used } = await runtime.windows.count(policy, networkOf(request.ip))
  return used > policy.quota
}
