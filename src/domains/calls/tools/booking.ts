import type { Context } from '#platform/context.ts'
import { isInstant, tidyInstant } from '#platform/clock.ts'
import { whereaboutsOf } from '#platform/phone-zones.ts'
import { isRefusal } from '#platform/problem.ts'
import { isTimeZone } from '#platform/schema-check.ts'
import { instantOf } from '#platform/zone.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { changeLead, findLead, getSettings } from '#domains/leads/service.ts'
import { bookMeeting, SlotTaken } from '#domains/meetings/service.ts'
import { DURATION_MAX, DURATION_MIN } from '#domains/meetings/values.ts'
import type { ToolResult } from '../lines.ts'
import { keptLine } from '../text.ts'

const ENGAGED_STAGE = 'Engage_Human'

type Given = Record<string, unknown>
type Meeting = Awaited<ReturnType<typeof bookMeeting>>
export type Booking = { result: ToolResult; meeting?: Meeting }

/**
 * Books what a model asks for with this lead, in a call or in a conversation. One `source_key` has one meeting, however often it
 * is asked for.
 */
export async function bookFor(
  ctx: Context,
  lead_id: string | null,
  given: Given,
  source: { source_key: string; call_id?: string },
): Promise<Booking> {
  const lead = lead_id ? await findLead(ctx, lead_id) : undefined
  if (!lead) return no('This person is not in the CRM. Ask for a name and how to reach them.')
  const wanted = readWanted(given, lead)
  if (typeof wanted === 'string') return no(wanted)
  try {
    return await book(ctx, lead.id, wanted, source)
  } catch (error) {
    if (error instanceof SlotTaken) return taken(error, wanted.timezone)
    if (isRefusal(error)) return no(`Could not book the meeting: ${error.message}`)
    throw error
  }
}

/**
 * A wish to meet means a wish for a person, whether or not the requested time is free. In a team without this
 * stage, the lead stays where it is.
 */
export async function engageLead(ctx: Context, lead_id: string | null): Promise<void> {
  if (!lead_id || !(await findLead(ctx, lead_id))) return
  const { pipeline_stages: stages } = await getSettings(ctx)
  if (stages.includes(ENGAGED_STAGE)) await changeLead(ctx, lead_id, { pipeline_stage: ENGAGED_STAGE })
}

type Wanted = {
  starts_at: string
  duration_min: number | undefined
  title: string | undefined
  timezone: string
}

async function book(
  ctx: Context,
  lead_id: string,
  { starts_at, timezone, duration_min, title }: Wanted,
  source: { source_key: string; call_id?: string },
): Promise<Booking> {
  const meeting = await bookMeeting(ctx, {
    lead_id,
    starts_at,
    timezone,
    origin: 'agent',
    ...source,
    ...(duration_min !== undefined && { duration_min }),
    ...(title !== undefined && { title }),
  })
  const invited = meeting.guest_email ? ' An invitation is on its way by email.' : ''
  const text = `Booked: ${meeting.title}, ${spoken(meeting.starts_at, timezone)}.${invited}`
  return { result: { ok: true, text }, meeting }
}

/** The requested meeting, or what the model should ask the other party. */
function readWanted(given: Given, lead: Lead): Wanted | string {
  const { zones } = whereaboutsOf(lead.timezone, lead.phone)
  const timezone = zoneOf(given.timezone) ?? (zones.length === 1 ? zones[0]! : 'UTC')
  const starts_at = startOf(given.startsAt ?? given.starts_at, timezone)
  if (starts_at === undefined)
    return 'Ask for a day and a time, and send both as startsAt, like 2026-03-02T10:00:00+01:00.'
  return {
    starts_at,
    timezone,
    duration_min: minutesOf(given.durationMin ?? given.duration_min),
    title: keptLine(given.title, 200),
  }
}

const LOCAL = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?$/

/** A time without an offset is in the other party's time zone. */
function startOf(value: unknown, timezone: string): string | undefined {
  if (typeof value !== 'string' || value.length > 40) return undefined
  const text = value.replace(/^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2})(?=Z|[+-])/i, '$1:00')
  if (isInstant(text)) return tidyInstant(text)
  const [, day, time] = LOCAL.exec(text) ?? []
  const wall = day === undefined ? NaN : Date.parse(`${day}T${time}:00Z`)
  return Number.isNaN(wall) ? undefined : new Date(instantOf(wall, timezone)).toISOString()
}

function minutesOf(value: unknown): number | undefined {
  const minutes = Number(value)
  if (value === null || value === undefined || !Number.isFinite(minutes)) return undefined
  return Math.round(Math.min(Math.max(minutes, DURATION_MIN), DURATION_MAX))
}

function zoneOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= 64 && isTimeZone(value) ? value : undefined
}

function taken({ alternatives, unavailable }: SlotTaken, timezone: string): Booking {
  const why = unavailable === 'taken' ? 'That time is taken' : 'That time is outside bookable hours'
  if (alternatives.length === 0)
    return no(`${why}, and there are no other free times soon. Say that a colleague will call back.`)
  const free = alternatives.map(({ starts_at }) => spoken(starts_at, timezone)).join('; ')
  return no(`${why}. Free times: ${free}.`)
}

/** Readable and exact: `Tuesday 3 March 2026, 10:00 (Europe/Berlin, 2026-03-03T09:00:00.000Z)`. */
function spoken(instant: string, timezone: string): string {
  const at = new Date(instant)
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: timezone }).format(at)
  const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: timezone }).format(at)
  return `${day.replace(',', '')}, ${time} (${timezone}, ${instant})`
}

function no(text: string): Booking {
  return { result: { ok: false, text } }
}
