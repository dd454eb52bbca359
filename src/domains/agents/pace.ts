import type { Context } from '#platform/context.ts'
import { Problem } from '#platform/problem.ts'

const WINDOW_S = 60

/** Counts one request of the holder of the key, in all processes together: a stranger's attempts do not use it up. */
export async function takeTurn({ runtime }: Context, id: string, perMinute: number): Promise<void> {
  const { clock, windows } = runtime
  const { used, endsAt } = await windows.count({ name: 'agent', quota: perMinute, windowS: WINDOW_S }, id)
  if (used <= perMinute) return
  const resetS = Math.max(1, Math.ceil((endsAt - clock.now()) / 1000))
  throw new Problem(
    'too_many_requests',
    `This agent accepts ${perMinute} requests per minute. Try again in ${resetS} s.`,
    { code: 'rate_limited', headers: { 'retry-after': String(resetS) } },
  )
}
