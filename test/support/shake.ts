import { randomNumbers } from './random.ts'

const EVERY_MS = 250
const STALL_MS_MAX = 80

const nothing = new Int32Array(new SharedArrayBuffer(4))
let started = false

/**
 * The event loop of this process stops for a moment, again and again, as on a machine that has other things to do: every
 * timer comes late, and what was to happen at the same time does not. Once for each process, whatever it runs.
 */
export function standStillNowAndThen(): void {
  if (started) return
  started = true
  const random = randomNumbers()
  const { setTimeout: later } = globalThis
  const stall = () => {
    // Asleep, not busy: the neighbours are busy enough.
    Atomics.wait(nothing, 0, 0, random() * STALL_MS_MAX)
    later(stall, random() * 2 * EVERY_MS).unref()
  }
  later(stall, EVERY_MS).unref()
}
