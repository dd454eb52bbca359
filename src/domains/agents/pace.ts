import type { Context, Runtime } from '#platform/context.ts'
import { Problem } from '#platform/problem.ts'

const WINDOW_MS = 60_000
const DEPLOYMENTS_MAX = 20_000

type Window = { used: number; endsAt: number }

const byRuntime = new WeakMap<Runtime, Map<string, Window>>()

/** Counts one request of who holds the key: a stranger's tries do not use it up. The bound holds per process. */
export function takeTurn({ runtime }: Context, id: string, perMinute: number): void {
  let windows = byRuntime.get(runtime)
  if (!windows) byRuntime.set(runtime, (windows = new Map()))
  const now = runtime.clock.now()
  let window = windows.get(id)
  if (!window || window.endsAt <= now) {
    if (windows.size >= DEPLOYMENTS_MAX) forgetEnded(windows, now)
    windows.set(id, (window = { used: 0, endsAt: now + WINDOW_MS }))
  }
  if (++window.used <= perMinute) return
  const resetS = Math.ceil((window.endsAt - now) / 1000)
  throw new Problem(
    'too_many_requests',
    `This agent accepts ${perMinute} requests per minute. Try again in ${resetS} s.`,
    { code: 'rate_limited', headers: { 'retry-after': String(resetS) } },
  )
}

/** All of them where none has ended: a flood does not grow the map without end. */
function forgetEnded(windows: Map<string, Window>, now: number): void {
  for (const [id, { endsAt }] of windows) if (endsAt <= now) windows.delete(id)
  if (windows.size >= DEPLOYMENTS_MAX) windows.clear()
}
