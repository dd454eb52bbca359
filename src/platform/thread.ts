import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, Worker } from 'node:worker_threads'

const MEMORY_MAX_MB = 256
const LOOK_EVERY_MS = 250
/** On a machine that is busy with other things, what has an end takes its time. */
const TIME_MAX_MS = 30_000
const START_TIME_MAX_MS = 60_000
/** So long a thread waits for the next question. */
const IDLE_MS = 10_000

/**
 * It took too long, or crashed every thread that tried. The message continues a sentence: `takes too long to
 * read`.
 */
export class TooHard extends Error {}

export type Thread<Question, Answer> = { ask(question: Question): Promise<Answer> }

/** `cpuMs` may depend on how much there is to do. */
export type ThreadLimits<Question> = { cpuMs: number | ((question: Question) => number) }

/**
 * Does in a thread of its own what could keep a processor busy for minutes, such as reading what strangers wrote: there it
 * ends with the thread, and nobody else waits for it. One question is answered at a time.
 */
export function openThread<Question extends object, Answer>(
  script: URL,
  { cpuMs }: ThreadLimits<Question>,
): Thread<Question, Answer> {
  let thread: Promise<Worker> | undefined
  let idle: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()

  async function askNext(question: Question): Promise<Answer> {
    clearTimeout(idle)
    try {
      const worker = await (thread ??= startThread(script))
      worker.ref()
      const cpuMaxMs = typeof cpuMs === 'number' ? cpuMs : cpuMs(question)
      const answer = await answerOf<Answer>(worker, question, cpuMaxMs * 1_000)
      worker.unref()
      idle = setTimeout(() => void end(), IDLE_MS).unref()
      return answer
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
    ask(question) {
      const asking = last.then(() => askNext(question))
      last = asking.catch(() => {})
      return asking
    },
  }
}

/** In the thread: what it does for each question. `handedOver`: memory of the answer that is not copied. */
export function answerEach<Question, Answer>(
  answer: (question: Question) => Answer | Promise<Answer>,
  handedOver: (answer: Answer) => ArrayBuffer[] = () => [],
): void {
  // On Linux this affects only the thread: requests to the server come first.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  parentPort!.on('message', async (question: Question) => {
    const given = await answer(question)
    tell(given, handedOver(given))
  })
  tell('ready')
}

function tell(word: unknown, handedOver: ArrayBuffer[] = []): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
  parentPort!.postMessage(word, handedOver)
}

async function startThread(script: URL): Promise<Worker> {
  const worker = new Worker(script, { resourceLimits: { maxOldGenerationSizeMb: MEMORY_MAX_MB } })
  try {
    await once(worker, 'message', { signal: AbortSignal.timeout(START_TIME_MAX_MS) })
  } catch (error) {
    await worker.terminate()
    throw error
  }
  // It may fail once more while it is being ended, and nobody is there to hear it.
  return worker.on('error', () => {})
}

async function answerOf<Answer>(worker: Worker, question: object, cpuMaxUs: number): Promise<Answer> {
  const answer = Promise.withResolvers<Answer>()
  let isOver = false
  const told = (word: Answer) => answer.resolve(word)
  // Out of memory, or something that no text should be able to do: the question is to blame, and no other pays for it.
  const failed = (error: unknown) => answer.reject(new TooHard('cannot be read', { cause: error }))
  worker.once('message', told).once('error', failed)
  answer.promise.catch(() => {}).finally(() => (isOver = true))
  try {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
    worker.postMessage(question)
    const began = performance.now()
    let cpuBefore: number | undefined
    while (!isOver) {
      await Promise.race([answer.promise, sleep(LOOK_EVERY_MS, undefined, { ref: false })])
      if (isOver) break
      const cpu = await cpuOf(worker)
      cpuBefore ??= cpu
      if (cpu - cpuBefore > cpuMaxUs || performance.now() - began > TIME_MAX_MS)
        throw new TooHard('takes too long to read')
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
