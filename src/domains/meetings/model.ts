import { tidyInstant } from '#platform/clock.ts'
import type { Context } from '#platform/context.ts'
import { isEmail, LONG_TEXT_LENGTH_MAX, TEXT_LENGTH_MAX } from '#platform/contract.ts'
import { invalid, type Fault } from '#platform/problem.ts'
import type { Member } from '#domains/identity/contract.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { nameOf } from '#domains/leads/model.ts'
import type { AvailabilityRow } from './availability-store.ts'
import type { Guest } from './contract.ts'
import type { MeetingRow } from './store.ts'
import { manyLines, oneLine } from './texts.ts'
import { DURATION_MAX, DURATION_MIN, type MeetingOrigin } from './values.ts'

const MINUTE_MS = 60_000

export type Wanted = {
  lead_id: string
  host_id?: string | undefined
  starts_at: string
  ends_at?: string | undefined
  duration_min?: number | undefined
  timezone?: string | undefined
  title?: string | undefined
  description?: string | null | undefined
  location?: string | null | undefined
  /** Who comes, where that is not known of the lead. */
  guest?: Guest | undefined
  origin: MeetingOrigin
  call_id?: string | undefined
  /** One key, one meeting. */
  source_key?: string | undefined
  /** Nobody is written to, now or later: for what only shows how it would be. */
  quiet?: boolean
}

type Times = { starts_at: string; ends_at: string }

/** From when until when; as long as the host's usually are where nothing is said. */
export function timesOf({ starts_at, ends_at, duration_min }: Wanted, usual_min: number): Times {
  const begin = tidyInstant(starts_at)
  const length_min = duration_min ?? usual_min
  const counted = new Date(Date.parse(begin) + length_min * MINUTE_MS).toISOString()
  const times = { starts_at: begin, ends_at: ends_at === undefined ? counted : tidyInstant(ends_at) }
  const contradicts = duration_min !== undefined && times.ends_at !== counted
  const faults = contradicts
    ? [{ path: 'duration_min', message: 'does not match starts_at and ends_at' }]
    : faultsInTimes(times)
  if (faults.length > 0) throw invalid(faults)
  return times
}

export function faultsInTimes({ starts_at, ends_at }: Times): Fault[] {
  const length_min = (Date.parse(ends_at) - Date.parse(starts_at)) / MINUTE_MS
  if (length_min >= DURATION_MIN && length_min <= DURATION_MAX) return []
  return [{ path: 'ends_at', message: `must be ${DURATION_MIN} to ${DURATION_MAX} minutes after starts_at` }]
}

type Around = Times & {
  lead: Lead
  host: Member
  rules: AvailabilityRow
  sync_state: MeetingRow['sync_state']
}

export function newMeeting(ctx: Context, wanted: Wanted, around: Around): MeetingRow {
  const { lead, host, rules, starts_at, ends_at, sync_state } = around
  const id = ctx.newId()
  const at = ctx.now()
  const guest = wanted.guest ?? { name: nameOf(lead), email: lead.email }
  return {
    id,
    lead_id: lead.id,
    host_id: host.id,
    title: line(wanted.title) ?? titleOf(rules.title, host.name || host.email, guest.name),
    description: longText(wanted.description),
    starts_at,
    ends_at,
    timezone: wanted.timezone ?? lead.timezone ?? rules.timezone,
    location: wanted.location === undefined ? rules.location : line(wanted.location),
    guest_name: line(guest.name),
    guest_email: guest.email && isEmail(guest.email) ? guest.email : null,
    status: 'BOOKED',
    cancel_reason: null,
    origin: wanted.origin,
    call_id: wanted.call_id ?? null,
    source_key: wanted.source_key ?? null,
    calendar_uid: `${id}@${new URL(ctx.runtime.settings.baseUrl).hostname}`,
    sequence: 0,
    moves: 0,
    sync_state,
    sync_note: null,
    calendar_href: null,
    calendar_etag: null,
    created_at: at,
    updated_at: at,
  }
}

/** Both see it in their calendars: the title names both parties. */
function titleOf(title: string, host: string, guest: string): string {
  return oneLine(`${title}: ${guest} and ${host}`, TEXT_LENGTH_MAX)
}

/** What came in by a contract of ours is kept as it was said; what a model said is made to fit. */
function line(text: string | null | undefined): string | null {
  // oxlint-disable-next-line no-control-regex -- these are the characters that no line has.
  if (text && text.length <= TEXT_LENGTH_MAX && !/[\u0000-\u001f\u007f]/.test(text)) return text
  return (text && oneLine(text, TEXT_LENGTH_MAX)) || null
}

function longText(text: string | null | undefined): string | null {
  if (text && text.length <= LONG_TEXT_LENGTH_MAX && !text.includes('\0')) return text
  return (text && manyLines(text, LONG_TEXT_LENGTH_MAX)) || null
}
