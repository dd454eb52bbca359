import type { Counted } from './answer-times-store.ts'

const BYTES = 4

/** Several counts as one. */
export function sumOf(all: readonly Counted[]): Counted {
  const sum = (name: 'answered' | 'within_target' | 'late' | 'closed_unanswered') =>
    all.reduce((sum, counted) => sum + counted[name], 0)
  const joined = (name: 'first_sec' | 'next_sec') =>
    Buffer.concat(all.flatMap(counted => counted[name] ?? []))
  return {
    answered: sum('answered'),
    within_target: sum('within_target'),
    late: sum('late'),
    closed_unanswered: sum('closed_unanswered'),
    first_sec: joined('first_sec'),
    next_sec: joined('next_sec'),
  }
}

export function countOf(values: Buffer | null): number {
  return (values?.length ?? 0) / BYTES
}

/** Below which these shares of the values are: between the two that lie around it, in proportion. */
export function percentilesOf(values: Buffer | null, shares: readonly number[]): (number | undefined)[] {
  const count = countOf(values)
  if (count === 0) return shares.map(() => undefined)
  const sorted = new Int32Array(count)
  for (let at = 0; at < count; at++) sorted[at] = values!.readInt32BE(at * BYTES)
  sorted.sort()
  return shares.map(share => {
    const place = share * (count - 1)
    const [below, above] = [sorted[Math.floor(place)]!, sorted[Math.ceil(place)]!]
    return below + (above - below) * (place % 1)
  })
}
