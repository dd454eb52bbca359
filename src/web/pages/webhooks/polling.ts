const SOON_MS = 2_000
const LATER_MS = 5_000
const HURRY_MS = 15_000

/** After a replay, people want to see its result soon. */
let hurriedUntil = 0

export function hurry(): void {
  hurriedUntil = Date.now() + HURRY_MS
}

/**
 * When to refetch. The live stream reports new records, but not every attempt, finished effect or duplicate.
 */
export function askAgainMs(isUnderWay: boolean): number {
  return isUnderWay || Date.now() < hurriedUntil ? SOON_MS : LATER_MS
}

/** The same for a list. Only its first page is refetched: not while older pages are open. */
export function askListAgainMs<T>(
  list: { pages: { data: T[] }[] } | undefined,
  isUnderWay: (each: T) => boolean,
): number | false {
  if (!list || list.pages.length > 1) return false
  return askAgainMs(list.pages[0]!.data.some(isUnderWay))
}
