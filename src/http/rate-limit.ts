import { Problem } from '#platform/problem.ts'
import type { Count, Policy, RateWindows } from '#platform/rate-windows.ts'

/** Generous for people and honest integrations, tight enough that one caller does not slow the others. */
export const perAddress: Policy = { name: 'address', quota: 300, windowS: 60 }
/** Mail services fetch the pictures of all their readers from a few addresses: an open must not be lost to it. */
export const perCrowd: Policy = { name: 'crowd', quota: 6_000, windowS: 60 }
export const perTeam: Policy = { name: 'team', quota: 6_000, windowS: 60 }
/** One person in the web app, whatever they click and however many tabs they have: this stops a script with their cookie. */
export const perPerson: Policy = { name: 'person', quota: 3_000, windowS: 60 }
/** Monitoring of the process: a few probes and scrapers, each asking every second. */
export const perProbe: Policy = { name: 'probe', quota: 300, windowS: 60, perProcess: true }
/** Guessing tokens is slowed down long before it is worth anything. */
export const perAddressRefused: Policy = { name: 'refused', quota: 60, windowS: 60 }

type Headers = Record<string, string>

export type RateLimiter = {
  /** Counts one request; answers the headers (IETF draft 10), or throws 429. */
  take(policy: Policy, caller: string): Headers | Promise<Headers>
  /** The same without waiting; undefined when other processes must be asked first. */
  takeNow(policy: Policy, caller: string): Headers | undefined
}

export function rateLimiter({
  clock,
  windows,
}: {
  clock: { now(): number }
  windows: Pick<RateWindows, 'tryCount' | 'count'>
}): RateLimiter {
  const takeNow = (policy: Policy, caller: string) => {
    const count = windows.tryCount(policy, caller)
    return count && headersOf(policy, count, clock.now())
  }
  return {
    takeNow,
    take: (policy, caller) =>
      takeNow(policy, caller) ??
      windows.count(policy, caller).then(count => headersOf(policy, count, clock.now())),
  }
}

function headersOf({ name, quota, windowS }: Policy, { used, endsAt }: Count, now: number): Headers {
  const left = Math.max(0, quota - used)
  const resetS = Math.max(1, Math.ceil((endsAt - now) / 1000))
  const headers = {
    'ratelimit-policy': `"${name}";q=${quota};w=${windowS}`,
    ratelimit: `"${name}";r=${left};t=${resetS}`,
  }
  if (used <= quota) return headers
  throw new Problem(
    'too_many_requests',
    `Rate limit exceeded: ${quota} requests per ${windowS} seconds. Try again in ${resetS} s.`,
    {
      code: 'rate_limited',
      headers: { ...headers, 'retry-after': String(resetS) },
    },
  )
}
