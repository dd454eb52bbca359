import type { Context, Runtime } from './context.ts'

const TEAMS_MAX = 10_000

/** Remembers one value per team for a moment: settings that every request needs and hardly anybody changes. */
export function teamMemory<Value>(lifeMs: number) {
  const byRuntime = new WeakMap<Runtime, Map<string, { value: Value; until: number }>>()
  const valuesOf = (ctx: Context) => {
    let values = byRuntime.get(ctx.runtime)
    if (!values) byRuntime.set(ctx.runtime, (values = new Map()))
    return values
  }
  return {
    async get(ctx: Context, read: () => Promise<Value>): Promise<Value> {
      const values = valuesOf(ctx)
      const known = values.get(ctx.team_id)
      const now = ctx.runtime.clock.now()
      // A clock that was set back makes nothing last longer.
      if (known && known.until > now && known.until <= now + lifeMs) return known.value
      const value = await read()
      if (values.size >= TEAMS_MAX) values.clear()
      values.set(ctx.team_id, { value, until: now + lifeMs })
      return value
    },
    forget: (ctx: Context) => void valuesOf(ctx).delete(ctx.team_id),
  }
}
