import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Extract, Source } from './extract.ts'

const THREAD = new URL('./reader-thread.ts', import.meta.url)
const MEMORY_MAX_MB = 256
const LOOK_EVERY_MS = 250
/** On a machine that is busy with other things, a page that has an end takes its time. */
const PAGE_TIME_MAX_MS = 30_000
const START_TIME_MAX_MS = 60_000
/** So long a thread waits for the next page. */
const IDLE_MS = 10_000

/** Why a page was left, in words. */
export class PageTooHard extends Error {}

export type Reader = { read(bytes: Buffer, source: Source): Promise<Extract> }

/**
 * Reads pages in a thread of its own. Two hundred kilobytes of tags that close what was never open keep a parser busy for
 * minutes: here they end with the thread, and nobody else waits for them. One page is read at a time.
 */
export function openReader({ pageCpuMs }: { pageCpuMs: number }): Reader {
  let thread: Promise<Worker> | undefined
  let idle: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()

  async function readNext(bytes: Buffer, source: Source): Promise<Extract> {
    clearTimeout(idle)
    try {
      const worker = await (thread ??= startThread())
      worker.ref()
      const extract = await answerOf(worker, { bytes, source }, pageCpuMs * 1_000)
      worker.unref()
      idle = setTimeout(() => void end(), IDLE_MS).unref()
      return extract
    } catch (error) {
      await end()
      throw error
    }
  }

  async function end(): Promise<void> {
    const ending = thread
    thread = undefined
    await ending?.then(
      worker => worker.terminate(),
      () => {},
    )
  }

  return {
    read(bytes, source) {
      const reading = last.then(() => readNext(bytes, source))
      last = reading.catch(() => {})
      return reading
    },
  }
}

async function startThread(): Promise<Worker> {
  const worker = new Worker(THREAD, { resourceLimits: { maxOldGenerationSizeMb: MEMORY_MAX_MB } })
  try {
    await once(worker, 'message', { signal: AbortSignal.timeout(START_TIME_MAX_MS) })
  } catch (error) {
    await worker.terminate()
    throw error
  }
  // It may fail once more while it is being ended, and nobody is there to hear it.
  return worker.on('error', () => {})
}

async function answerOf(worker: Worker, page: object, cpuMaxUs: number): Promise<Extract> {
  const answer = Promise.withResolvers<Extract>()
  let isOver = false
  const told = (extract: Extract) => answer.resolve(extract)
  // Out of memory, or something that no page should be able to do: the page is to blame, and no other pays for it.
  const failed = (error: unknown) =>
    answer.reject(new PageTooHard('The page cannot be read.', { cause: error }))
  worker.once('message', told).once('error', failed)
  answer.promise.catch(() => {}).finally(() => (isOver = true))
  try {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
    worker.postMessage(page)
    const began = performance.now()
    let cpuBefore: number | undefined
    while (!isOver) {
      await Promise.race([answer.promise, sleep(LOOK_EVERY_MS, undefined, { ref: false })])
      if (isOver) break
      const cpu = await cpuOf(worker)
      cpuBefore ??= cpu
      if (cpu - cpuBefore > cpuMaxUs || performance.now() - began > PAGE_TIME_MAX_MS)
        throw new PageTooHard('Reading the page takes too long.')
    }
    return await answer.promise
  } finally {
    worker.off('message', told).off('error', failed)
  }
}

/** In microseconds; one that has ended meanwhile takes none. */
async function cpuOf(worker: Worker): Promise<number> {
  try {
    const { user, system } = await Promise.race([
      worker.cpuUsage(),
      sleep(LOOK_EVERY_MS, { user: 0, system: 0 }, { ref: false }),
    ])
    return user + system
  } catch {
    return 0
  }
}
