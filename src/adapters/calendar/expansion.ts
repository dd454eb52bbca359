import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { BusyTime, CalendarSpan } from '#platform/ports/calendar.ts'
import { OCCURRENCES_MAX } from './occurrences.ts'

/** One event that takes more of the processor repeats in a way that has no end: it is left out. */
const EVENT_CPU_MAX_US = 1_000_000
/** On a machine that is busy with other things, an event that has an end takes its time. */
const EVENT_TIME_MAX_MS = 15_000
const LOOK_EVERY_MS = 250
const ENDLESS_MAX = 3
const MEMORY_MAX_MB = 256
const THREAD = new URL('./occurrence-thread.ts', import.meta.url)

/**
 * Strangers write into calendars too, by inviting: some rules of repetition never come to their next day (daily, on the
 * 30th of February), and the library would look for it for ever. So it looks in a thread of its own, which is ended.
 */
export async function expand(texts: readonly string[], span: CalendarSpan): Promise<BusyTime[]> {
  const found: BusyTime[] = []
  let done = 0
  for (let threads = 0; done < texts.length && threads < ENDLESS_MAX; threads++)
    done += await countOut(texts.slice(done), span, found)
  return firstOf(found)
}

/** Answers how many of them are done with: all of them, or up to the one that had no end. */
async function countOut(texts: readonly string[], span: CalendarSpan, found: BusyTime[]): Promise<number> {
  const thread = new Worker(THREAD, {
    workerData: { texts, span },
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MAX_MB },
  })
  let [done, isOver] = [0, false]
  const ended = Promise.withResolvers<void>()
  thread.on('message', (counted: BusyTime[]) => {
    found.push(...counted)
    if (++done === texts.length) ended.resolve()
  })
  // Out of memory, most likely: the event at hand is to blame.
  thread.on('error', () => ended.resolve())
  try {
    void ended.promise.then(() => (isOver = true))
    let seen = { done: -1, cpu: 0, at: 0 }
    while (!isOver) {
      await Promise.race([ended.promise, sleep(LOOK_EVERY_MS)])
      if (isOver) break
      const [cpu, at] = [await cpuOf(thread), performance.now()]
      if (seen.done !== done) seen = { done, cpu, at }
      else if (cpu - seen.cpu > EVENT_CPU_MAX_US || at - seen.at > EVENT_TIME_MAX_MS) break
    }
    return Math.min(done + 1, texts.length)
  } finally {
    await thread.terminate()
  }
}

/** In microseconds; one that has ended meanwhile takes none. */
async function cpuOf(thread: Worker): Promise<number> {
  try {
    const { user, system } = await Promise.race([
      thread.cpuUsage(),
      sleep(LOOK_EVERY_MS, { user: 0, system: 0 }),
    ])
    return user + system
  } catch {
    return 0
  }
}

/** Of one event at one time there is one, the longest; of too many the earliest. */
function firstOf(times: BusyTime[]): BusyTime[] {
  const byKey = new Map<string, BusyTime>()
  for (const time of times) {
    const key = `${time.starts_at} ${time.uid}`
    const known = byKey.get(key)
    if (!known || known.ends_at < time.ends_at) byKey.set(key, time)
  }
  return [...byKey.values()]
    .toSorted((a, b) =>
      a.starts_at < b.starts_at ? -1 : a.starts_at > b.starts_at ? 1 : a.uid < b.uid ? -1 : 1,
    )
    .slice(0, OCCURRENCES_MAX)
}
