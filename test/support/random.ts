/** The seed of this run, which a failing run prints: with `TEST_SEED` set to it, the same things are chosen again. */
export const seed = Number(process.env.TEST_SEED)

/** Numbers from 0 up to, not including, 1, the same for the same seed (mulberry32). */
export function randomNumbers(from = seed): () => number {
  let state = from
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
