import type { Context } from '#platform/context.ts'
import { isoAt } from '#platform/clock.ts'
import { invalid } from '#platform/problem.ts'
import { isMember } from '#domains/identity/members.ts'
import { availabilityOf } from './availability.ts'
import type { Slots } from './contract.ts'
import { freeSlots, reachOf, type Rules, type Span, type Taken } from './slots.ts'
import * as store from './store.ts'
import { SLOT_DAYS_MAX } from './values.ts'

const DAY_MS = 86_400_000
const SPAN_DEFAULT_MS = 14 * DAY_MS
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z')
const ALTERNATIVES = 3
/** Looked through in this order until there are enough. */
const ALTERNATIVE_DAYS = [7, SLOT_DAYS_MAX]

type Wanted = {
  host_id: string
  from: string
  until: string
  duration_min?: number | undefined
  /** A meeting to be rescheduled does not block itself. */
  without?: string | undefined
}

/** From when until when, where it is not said: from now on for a fortnight. */
export function spanAsked(ctx: Context, { from, until }: { from?: string; until?: string }) {
  const begin = from ?? ctx.now()
  return { from: begin, until: until ?? isoAt(Math.min(Date.parse(begin) + SPAN_DEFAULT_MS, LAST_MS)) }
}

/** When somebody can be met: those beginnings in this time that are on offer. */
export async function findSlots(ctx: Context, wanted: Wanted): Promise<Slots> {
  const asked = { from: Date.parse(wanted.from), until: Date.parse(wanted.until) }
  const faults = [
    ...(asked.until <= asked.from ? [{ path: 'until', message: 'must be after from' }] : []),
    ...(asked.until - asked.from > SLOT_DAYS_MAX * DAY_MS
      ? [{ path: 'until', message: `must be within ${SLOT_DAYS_MAX} days of from` }]
      : []),
  ]
  if (faults.length > 0) throw invalid(faults)
  const rules = await availabilityOf(ctx, wanted.host_id)
  const { timezone } = rules
  const duration_min = wanted.duration_min ?? rules.duration_min
  if (!(await isMember(ctx, wanted.host_id))) return { host_id: null, timezone, duration_min, slots: [] }
  const slots = await offered(ctx, rules, asked, { ...wanted, duration_min })
  return { host_id: wanted.host_id, timezone, duration_min, slots: slots.map(shown) }
}

/** The next few times that are free instead of one that is taken. */
export async function alternativesTo(
  ctx: Context,
  host_id: string,
  span: Span,
  without?: string,
): Promise<Slots['slots']> {
  const rules = await availabilityOf(ctx, host_id)
  const wanted = { host_id, duration_min: (span.until - span.from) / 60_000, without }
  for (const days of ALTERNATIVE_DAYS) {
    const found = await offered(ctx, rules, { from: span.from, until: span.from + days * DAY_MS }, wanted)
    if (found.length >= ALTERNATIVES || days === ALTERNATIVE_DAYS.at(-1))
      return found.slice(0, ALTERNATIVES).map(shown)
  }
  return []
}

/** What blocks times around a time. */
export async function takenAround(
  ctx: Context,
  host_id: string,
  rules: Rules,
  span: Span,
  without?: string,
): Promise<Taken> {
  const reach = reachOf(rules, span)
  const [from, until] = [isoAt(reach.from), isoAt(reach.until)]
  const [meetings, busy] = await Promise.all([
    store.takenBetween(ctx, host_id, from, until),
    store.busyBetween(ctx, host_id, from, until),
  ])
  return { meetings: meetings.filter(({ id }) => id !== without).map(spanOf), busy: busy.map(spanOf) }
}

export function spanOf({ starts_at, ends_at }: { starts_at: string; ends_at: string }): Span {
  return { from: Date.parse(starts_at), until: Date.parse(ends_at) }
}

type Asked = { host_id: string; duration_min: number; without?: string | undefined }

async function offered(ctx: Context, rules: Rules, span: Span, { host_id, duration_min, without }: Asked) {
  const now = ctx.runtime.clock.now()
  const from = Math.max(span.from, now)
  const until = Math.min(span.until, now + (rules.horizon_days + 2) * DAY_MS)
  if (until <= from) return []
  // A meeting that begins at the last moment ends later.
  const whole = { from, until: until + duration_min * 60_000 }
  const taken = await takenAround(ctx, host_id, rules, whole, without)
  return freeSlots(rules, taken, { now, from, until, duration_min })
}

function shown({ from, until }: Span) {
  return { starts_at: isoAt(from), ends_at: isoAt(until) }
}
