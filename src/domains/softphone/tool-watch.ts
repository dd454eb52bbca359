import { systemContext, type Runtime } from '#platform/context.ts'
import type { ToolResult } from '#domains/calls/lines.ts'
import { findToolResults } from '#domains/calls/tool-results.ts'

const LOOK_MS = 50

type Waiting = {
  team_id: string
  call_id: string
  ref: string
  until: number
  resolve: (result: ToolResult | undefined) => void
}

export type ToolWatch = {
  /** What came of it, as soon as it is known; undefined where it takes longer than that. */
  await(
    asked: { team_id: string; call_id: string; ref: string },
    timeoutMs: number,
  ): Promise<ToolResult | undefined>
  stop(): void
}

/** Waits for the tools of all calls of a process by one look at a time, however many they are. */
export function watchTools(runtime: Runtime): ToolWatch {
  const waiting = new Set<Waiting>()
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  function settle(one: Waiting, result: ToolResult | undefined): void {
    waiting.delete(one)
    one.resolve(result)
  }

  async function look(): Promise<void> {
    const now = performance.now()
    for (const [team_id, group] of Map.groupBy(waiting, one => one.team_id)) {
      try {
        const found = await findToolResults(systemContext(runtime, team_id), group)
        for (const { asked, result } of found) settle(asked as Waiting, result)
      } catch (error) {
        runtime.log.warn({ err: error }, 'checking for tool results failed')
      }
    }
    for (const one of waiting) if (one.until <= now) settle(one, undefined)
    timer = undefined
    arm()
  }

  function arm(): void {
    if (!stopped && waiting.size > 0) timer ??= setTimeout(() => void look(), LOOK_MS)
  }

  return {
    await(asked, timeoutMs) {
      if (stopped) return Promise.resolve(undefined)
      const { promise, resolve } = Promise.withResolvers<ToolResult | undefined>()
      waiting.add({ ...asked, until: performance.now() + timeoutMs, resolve })
      arm()
      return promise
    },
    stop() {
      stopped = true
      clearTimeout(timer)
      for (const one of waiting) settle(one, undefined)
    },
  }
}
