import type { Context, Runtime } from './context.ts'

type Entry<Value> = { value: Value | Promise<Value>; until: number }

/**
 * Remembers what was read for a moment, by a key: also that nothing is there. Who asks while it is being read waits for
 * that reading, and what is forgotten meanwhile is not kept when it arrives.
 */
export function passingMemory<Value>(lifeMs: number, entriesMax: number) {
  const byRuntime = new WeakMap<Runtime, Map<string, Entry<Value>>>()
  const entriesOf = ({ runtime }: Context) => {
    let entries = byRuntime.get(runtime)
    if (!entries) byRuntime.set(runtime, (entries = new Map()))
    return entries
  }
  return {
    get(ctx: Context, key: string, read: () => Promise<Value>): Value | Promise<Value> {
      const entries = entriesOf(ctx)
      const now = ctx.runtime.clock.now()
      const known = entries.get(key)
      if (known && known.until > now) return known.value
      if (entries.size >= entriesMax) entries.clear()
      const reading = read()
      const entry: Entry<Value> = { value: reading, until: now + lifeMs }
      entries.set(key, entry)
      void reading.then(
        value => (entry.value = value),
        () => entries.get(key) === entry && entries.delete(key),
      )
      return reading
    },
    /** What is remembered now, without reading anything. */
    peek(runtime: Runtime, key: string): Value | undefined {
      const known = byRuntime.get(runtime)?.get(key)
      if (!known || known.until <= runtime.clock.now() || known.value instanceof Promise) return undefined
      return known.value
    },
    forget: (ctx: Context, key: string) => void entriesOf(ctx).delete(key),
  }
}
