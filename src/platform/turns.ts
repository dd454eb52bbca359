import { Problem } from './problem.ts'

/** So many pieces of work of one caller wait for their turn, and so many of all callers together. */
export const WAITING_MAX = 64
export const WAITING_IN_ALL_MAX = 256
/** A turn that takes longer waits for something else, a database or a thread: the next one begins. */
const TURN_MS = 100
const REST_MS_MAX = 250
const RETRY_AFTER_S = 5

type Begin = (end: () => void) => void
export type Turns = {
  /** Resolves when it is this caller's turn; what it answers ends the turn. */
  take(caller: string): Promise<() => void>
}

/**
 * Large bodies and files keep the one thread busy that answers everybody. So they take turns: one at a time, callers one
 * after the other, and while more of them wait, all other requests get as much time after each turn as it took.
 */
export function takingTurns(): Turns {
  const waiting = new Map<string, Begin[]>()
  let inAll = 0
  let busy = false

  function next(): void {
    const [first] = waiting
    if (busy || !first) return
    const [caller, line] = first
    const begin = line.shift()!
    inAll--
    // To the end of the line with whatever else this caller has.
    waiting.delete(caller)
    if (line.length > 0) waiting.set(caller, line)
    busy = true
    const began = performance.now()
    let ended = false
    const end = () => {
      if (ended) return
      ended = true
      clearTimeout(tooLong)
      rest(performance.now() - began)
    }
    const tooLong = setTimeout(end, TURN_MS)
    begin(end)
  }

  function rest(tookMs: number): void {
    const over = () => {
      busy = false
      next()
    }
    if (inAll > 0) setTimeout(over, Math.min(tookMs, REST_MS_MAX))
    else setImmediate(over)
  }

  return {
    take(caller) {
      const line = waiting.get(caller) ?? []
      if (line.length >= WAITING_MAX || inAll >= WAITING_IN_ALL_MAX)
        return Promise.reject(
          new Problem('too_many_requests', 'Too many large requests at once. Send them one at a time.', {
            code: 'too_many_at_once',
            headers: { 'retry-after': String(RETRY_AFTER_S) },
          }),
        )
      return new Promise(resolve => {
        line.push(resolve)
        waiting.set(caller, line)
        inAll++
        next()
      })
    },
  }
}

/** A process has one thread for all that it serves. */
export const turns = takingTurns()
