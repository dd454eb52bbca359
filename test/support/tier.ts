import { test } from 'vitest'

/** `npm test` protects every change within minutes; `npm run test:full` leaves nothing out and takes hours. */
export const full = process.env.TEST_TIER === 'full'

/**
 * All of them in the full tier. Otherwise one in `of`, beginning with the one whose turn it is: a walk over many places
 * brings each place a share and each item to some place.
 */
export function shareOf<Item>(all: readonly Item[], turn: number, of: number): Item[] {
  return full ? [...all] : all.filter((_, at) => at % of === turn % of)
}

/** All of them in the full tier, otherwise the first of each kind: enough where one and the same code serves the kind. */
export function oneOfEach<Item>(all: readonly Item[], kindOf: (item: Item) => string): Item[] {
  return full
    ? [...all]
    : [...new Map(all.toReversed().map(item => [kindOf(item), item])).values()].toReversed()
}

/** A journey whose parts other tests protect as well, here or at the server: the full tier runs it too. */
export const further: typeof test = full
  ? test
  : (Object.assign(ignore, { for: () => ignore, runIf: () => ignore }) as never)

function ignore(): void {}
