import { systemContext, type Runtime } from '#platform/context.ts'
import { isConnectionLoss } from '#platform/database/pool.ts'
import type { Attended } from './desk.ts'
import { GATHER_MS, TOLD_TOGETHER_MAX, WRITE_RETRY_MS } from './limits.ts'
import { noNews, writeNews, type News } from './news.ts'

type Entry = { call: Attended; news: News }

export type Ledger = {
  told(call: Attended, urgent: boolean): void
  /** Writes down what is left. */
  stop(): Promise<void>
}

/**
 * Writes down what calls tell, many at a time and in the order it was told: lines wait a moment for each other, what
 * somebody waits for takes along whatever is there.
 */
export function startLedger(
  runtime: Runtime,
  owner: string,
  { lost, over }: { lost(call: Attended): void; over(call: Attended): void },
): Ledger {
  const dirty = new Set<Attended>()
  let timer: NodeJS.Timeout | undefined
  let dueMs = Infinity
  let writing: Promise<void> | undefined
  let stopping = false
  /** Somebody waits for what was told while something else was written. */
  let urgent = false

  function writeIn(ms: number): void {
    const at = performance.now() + ms
    if (stopping || writing || at >= dueMs) return
    clearTimeout(timer)
    dueMs = at
    timer = setTimeout(() => void write(), ms)
  }

  function write(): Promise<void> {
    clearTimeout(timer)
    dueMs = Infinity
    return (writing ??= writeAll().finally(() => {
      writing = undefined
      if (dirty.size > 0) writeIn(urgent ? 0 : GATHER_MS)
      urgent = false
    }))
  }

  async function writeAll(): Promise<void> {
    const entries = [...dirty].map(call => ({ call, news: call.takeNews() }))
    dirty.clear()
    for (const [team_id, own] of Map.groupBy(entries, ({ call }) => call.team_id))
      for (let at = 0; at < own.length; at += TOLD_TOGETHER_MAX)
        await writeGroup(team_id, own.slice(at, at + TOLD_TOGETHER_MAX))
  }

  async function writeGroup(team_id: string, entries: readonly Entry[]): Promise<void> {
    try {
      const told = entries.map(({ call: { held }, news }) => ({ held, news }))
      const ours = await writeNews(systemContext(runtime, team_id), owner, told)
      for (const { call, news } of entries)
        if (!ours.has(call.held.call_id)) lost(call)
        else if (news.over) over(call)
    } catch (error) {
      await mend(team_id, entries, error)
    }
  }

  /** While the database is away everything is kept. What one call tells and cannot be written holds up no other. */
  async function mend(team_id: string, entries: readonly Entry[], error: unknown): Promise<void> {
    if (isConnectionLoss(error)) {
      for (const { call, news } of entries) {
        call.putBack(news)
        dirty.add(call)
      }
      if (!stopping) await new Promise(resolve => setTimeout(resolve, WRITE_RETRY_MS))
      return
    }
    if (entries.length > 1) {
      for (const entry of entries) await writeGroup(team_id, [entry])
      return
    }
    const [{ call, news }] = entries as [Entry]
    runtime.log.error({ err: error, call: call.held.call_id }, 'call events could not be saved')
    const { events, cancelled, over, connected_at } = news
    // Better a gap in what was said than a call without an end.
    if (news.lines.length + news.responses.length > 0 || news.resume !== undefined)
      await writeGroup(team_id, [{ call, news: { ...noNews(), events, cancelled, over, connected_at } }])
    else lost(call)
  }

  return {
    told(call, isUrgent) {
      dirty.add(call)
      urgent ||= isUrgent && writing !== undefined
      writeIn(isUrgent ? 0 : GATHER_MS)
    },
    async stop() {
      stopping = true
      await writing
      if (dirty.size > 0) await write()
    },
  }
}
