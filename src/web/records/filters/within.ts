import { WITHIN } from '#platform/filters/values.ts'

/** A span that ends or begins now: `-14d` is the last two weeks. */
export type Within = { count: number; unit: 'd' | 'h' | 'm'; isPast: boolean }

export function withinIn(text: string): Within | undefined {
  const [, sign, count, unit] = WITHIN.exec(text) ?? []
  return count && unit
    ? { count: Number(count), unit: unit as Within['unit'], isPast: sign === '-' }
    : undefined
}
