const SOON_MS = 2_000
const LATER_MS = 5_000
const HURRY_MS = 15_000

/** Whoever lets something run again wants to see what comes of it. */
let hurriedUntil = 0

export function hurry(): void {
  hurriedUntil = Date.now() + HURRY_MS
}

/**
 * When to ask again. The live stream tells of what is new; it does not tell of every attempt, of an effect that is done
 * or of an event that came again.
 */
export function askAgainMs(isUnderWay: boolean): number {
  return isUnderWay || Date.now() < hurriedUntil ? SOON_MS : LATER_MS
}

/** The same for a list. Whoever reads far back is not asked page after page again. */
export function askListAgainMs<T>(
  list: { pages: { data: T[] }[] } | undefined,
  isUnderWay: (each: T) => boolean,
): number | false {
  if (!list || list.pages.length > 1) return false
  return askAgainMs(list.pages[0]!.data.some(isUnderWay))
}
