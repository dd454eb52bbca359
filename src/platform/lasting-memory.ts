import type { Context, Runtime } from './context.ts'

/**
 * Remembers what never changes once it is there, like a published version: by a key, for as long as there is room. What
 * is not there yet is asked for each time.
 */
export function lastingMemory<Value>(entriesMax: number) {
  const byRuntime = new WeakMap<Runtime, Map<string, Value>>()
  return async (
    ctx: Context,
    key: string,
    read: () => Promise<Value | undefined>,
  ): Promise<Value | undefined> => {
    let values = byRuntime.get(ctx.runtime)
    if (!values) byRuntime.set(ctx.runtime, (values = new Map()))
    const known = values.get(key)
    if (known !== undefined) return known
    const value = await read()
    if (value === undefined) return undefined
    if (values.size >= entriesMax) values.clear()
    values.set(key, value)
    return value
  }
}
