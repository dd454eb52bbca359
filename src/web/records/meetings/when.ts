import type { Slots } from '#domains/meetings/contract.ts'
import { fromLocalInput, toLocalInput } from '../../ui/local-time.ts'

/** Values of the date and time fields; an empty day means the first with available times. */
export type When = { day: string; time: string }
export type Slot = Slots['slots'][number]

export function whenOf(at: string | undefined): When {
  const [day = '', time = ''] = toLocalInput(at ?? null).split('T')
  return { day, time }
}

export function instantOf({ day, time }: When): string | undefined {
  return day && time ? (fromLocalInput(`${day}T${time}`) ?? undefined) : undefined
}

export function endOf(startsAt: string, minutes: number): string {
  return new Date(Date.parse(startsAt) + minutes * 60_000).toISOString()
}

/** Whether available times cover all of it, also across adjacent ones. */
export function isOffered(slots: readonly Slot[], startsAt: string, endsAt: string): boolean {
  let reached = Date.parse(startsAt)
  for (const { starts_at, ends_at } of slots.toSorted(
    (a, b) => Date.parse(a.starts_at) - Date.parse(b.starts_at),
  )) {
    if (Date.parse(starts_at) > reached) continue
    reached = Math.max(reached, Date.parse(ends_at))
    if (reached >= Date.parse(endsAt)) return true
  }
  return false
}
