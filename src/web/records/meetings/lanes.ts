type Span = { starts_at: string; ends_at: string }

/** Position on a day: minutes from and until, and its lane among how many. */
export type Placed<T> = { item: T; from: number; until: number; lane: number; lanes: number }

const DAY_MIN = 24 * 60
/** Shorter blocks have no room for text. */
const SHOWN_MIN = 20

/** Overlapping items are placed side by side; others take the full width. */
export function placed<T extends Span>(items: readonly T[], midnight: Date): Placed<T>[] {
  const spans = items
    .map(item => ({ item, ...minutesOf(item, midnight) }))
    .filter(({ from, until }) => until > 0 && from < DAY_MIN)
    .map(({ item, from, until }) => {
      const begin = Math.max(0, Math.min(from, DAY_MIN - SHOWN_MIN))
      return { item, from: begin, until: Math.max(begin + SHOWN_MIN, Math.min(until, DAY_MIN)) }
    })
    .toSorted((a, b) => a.from - b.from || b.until - a.until)
  return groups(spans).flatMap(inLanes)
}

type Minutes<T> = { item: T; from: number; until: number }

/** Groups of items that overlap, directly or through others. */
function groups<T>(spans: Minutes<T>[]): Minutes<T>[][] {
  const found: Minutes<T>[][] = []
  let end = -1
  for (const span of spans) {
    if (span.from >= end) found.push([])
    found.at(-1)!.push(span)
    end = Math.max(end, span.until)
  }
  return found
}

function inLanes<T>(group: Minutes<T>[]): Placed<T>[] {
  const ends: number[] = []
  const laid = group.map(span => {
    const free = ends.findIndex(end => end <= span.from)
    const lane = free < 0 ? ends.length : free
    ends[lane] = span.until
    return { ...span, lane }
  })
  return laid.map(each => ({ ...each, lanes: ends.length }))
}

/** Minutes of the local day; negative if it began the day before. */
function minutesOf({ starts_at, ends_at }: Span, midnight: Date): { from: number; until: number } {
  return { from: minuteOf(new Date(starts_at), midnight), until: minuteOf(new Date(ends_at), midnight) }
}

export function minuteOf(at: Date, midnight: Date): number {
  const days = Math.round(
    (Date.UTC(at.getFullYear(), at.getMonth(), at.getDate()) -
      Date.UTC(midnight.getFullYear(), midnight.getMonth(), midnight.getDate())) /
      (DAY_MIN * 60_000),
  )
  return days * DAY_MIN + at.getHours() * 60 + at.getMinutes()
}
