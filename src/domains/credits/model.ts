import type { EntryKind, Plan, Purse } from './values.ts'

const DAY_MS = 86_400_000

/** The day on which the period began that this instant is in, in UTC: on the reset day, or the last of a shorter month. */
export function periodAt(now: string, resetDay: number): string {
  const [year, month, day] = partsOf(now)
  const begins = dayWithin(year, month, resetDay)
  return day >= begins ? dayOf(year, month, resetDay) : dayOf(year, month - 1, resetDay)
}

/** The day on which the period after this one begins. */
export function nextPeriod(period: string, resetDay: number): string {
  const [year, month] = partsOf(period)
  return dayOf(year, month + 1, resetDay)
}

export function beginningOf(period: string): string {
  return `${period}T00:00:00.000Z`
}

/** The day of the month on which a team was made is the one on which its quota is renewed. */
export function resetDayOf(created_at: string): number {
  return partsOf(created_at)[2]
}

export function trialEnd(begins: string, days: number): string {
  return new Date(Date.parse(begins) + days * DAY_MS).toISOString()
}

type OfPlan = { plan: Plan; trial_ends_at: string | null }

/** A trial is over at the millisecond it ends, whether or not anybody has noted it yet. */
export function planAt({ plan, trial_ends_at }: OfPlan, now: string): Plan {
  return plan === 'TRIAL' && trial_ends_at !== null && trial_ends_at <= now ? 'EXPIRED' : plan
}

export type Purses = Record<Purse, number>
/** A line of the ledger to be: less than 0 takes. */
export type Booking = { kind: EntryKind; purse: Purse; amount: number }

/** From which purse a use is taken: the month's first, for it does not last. Undefined: there are too few. */
export function takenBy({ monthly, purchased }: Purses, amount: number): Booking[] | undefined {
  if (amount > monthly + purchased) return undefined
  const ofMonth = Math.min(monthly, amount)
  return bookings('use', { monthly: -ofMonth, purchased: ofMonth - amount })
}

/** What a use took comes back to where it came from. The month's are gone with their month. */
export function givenBack(
  uses: readonly { purse: Purse; amount: number; created_at: string }[],
  period: string,
): Booking[] {
  return uses
    .filter(({ purse, created_at }) => purse === 'purchased' || created_at >= beginningOf(period))
    .map(({ purse, amount }) => ({ kind: 'refund', purse, amount: -amount }))
}

/**
 * The period whose turn it is to be granted, if any. However many were missed, it is one. A clock that was ahead by less
 * than a period and is set back waits until it has caught up; one that was further ahead is not waited for.
 */
export function periodDue(granted: string | null, now: string, resetDay: number): string | undefined {
  const period = periodAt(now, resetDay)
  if (granted === null || period > granted) return period
  return nextPeriod(period, resetDay) < granted ? period : undefined
}

/** What is left of a month expires, and the new month's is there. */
export function renewal(monthly: number, quota: number): Booking[] {
  return [
    ...bookings('expiry', { monthly: -monthly, purchased: 0 }),
    ...bookings('quota', { monthly: quota, purchased: 0 }),
  ]
}

/** An entry records a change: zero makes none. */
function bookings(kind: EntryKind, amounts: Purses): Booking[] {
  return (['monthly', 'purchased'] as const)
    .map(purse => ({ kind, purse, amount: amounts[purse] }))
    .filter(({ amount }) => amount !== 0)
}

/** A month may be one outside of its year: the 13th is the next January. */
function dayOf(year: number, month: number, resetDay: number): string {
  const day = dayWithin(year, month, resetDay)
  return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10)
}

function dayWithin(year: number, month: number, day: number): number {
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate()
  return Math.min(day, lastDay)
}

function partsOf(day: string): [number, number, number] {
  return [Number(day.slice(0, 4)), Number(day.slice(5, 7)), Number(day.slice(8, 10))]
}
