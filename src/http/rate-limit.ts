import type { Clock } from '#platform/clock.ts'
import { Problem } from '#platform/problem.ts'

export type Policy = { name: string; quota: number; windowS: number }

/** Generous for people and honest integrations, tight enough that one caller does not slow the others. */
export const perAddress: Policy = { name: 'address', quota: 300, windowS: 60 }
/** Mail services fetch the pictures of all their readers from a few addresses: an open must not be lost to it. */
export const perCrowd: Policy = { name: 'crowd', quota: 6_000, windowS: 60 }
export const perTeam: Policy = { name: 'team', quota: 6_000, windowS: 60 }
/** One person in the web app, whatever they click and however many tabs they have: this stops a script with their cookie. */
export const perPerson: Policy = { name: 'person', quota: 3_000, windowS: 60 }
/** Monitoring of the process: a few probes and scrapers, each asking every second. */
export const perProbe: Policy = { name: 'probe', quota: 300, windowS: 60 }
/** Guessing tokens is slowed down long before it is worth anything. */
export const perAddressRefused: Policy = { name: 'refused', quota: 60, windowS: 60 }

const CALLERS_MAX = 50_000
/** Room made at once when the memory is full, so that a flood of addresses is not answered by a sweep each. */
const CALLERS_KEPT = 45_000

type Window = { used: number; endsAt: number }

export type RateLimiter = {
  /** Counts one request; answers the headers (IETF draft 10), or throws 429. */
  take(policy: Policy, caller: string): Record<string, string>
}

/** Fixed windows in this process's memory: cheap, and the bound holds per process. */
export function rateLimiter(clock: Clock): RateLimiter {
  const windows = new Map<string, Window>()
  return {
    take(policy, caller) {
      const now = clock.now()
      const key = `${policy.name}/${caller}`
      let window = windows.get(key)
      if (!window || window.endsAt <= now) {
        if (windows.size >= CALLERS_MAX) forgetOldest(windows)
        // Removed first, so that the map stays in the order in which windows began.
        windows.delete(key)
        windows.set(key, (window = { used: 0, endsAt: now + policy.windowS * 1000 }))
      }
      window.used++
      const left = Math.max(0, policy.quota - window.used)
      const resetS = Math.ceil((window.endsAt - now) / 1000)
      const headers = {
        'ratelimit-policy': `"${policy.name}";q=${policy.quota};w=${policy.windowS}`,
        ratelimit: `"${policy.name}";r=${left};t=${resetS}`,
      }
      if (window.used <= policy.quota) return headers
      throw new Problem(
        'too_many_requests',
        `Rate limit exceeded: ${policy.quota} requests per ${policy.windowS} seconds. Try again in ${resetS} s.`,
        {
          code: 'rate_limited',
          headers: { ...headers, 'retry-after': String(resetS) },
        },
      )
    },
  }
}

/** Even a flood of addresses does not grow the map without end: the oldest, which are mostly over, give way. */
function forgetOldest(windows: Map<string, Window>): void {
  for (const key of windows.keys()) {
    if (windows.size <= CALLERS_KEPT) break
    windows.delete(key)
  }
}
