import { Answer } from '#platform/answer.ts'
import type { Actor, Context } from '#platform/context.ts'
import type { Handlers, Parameters } from '#platform/contract.ts'
import { isInstant, tidyInstant } from '#platform/clock.ts'
import { html, type Html } from '#platform/html.ts'
import { Problem } from '#platform/problem.ts'
import type { Member } from '#domains/identity/contract.ts'
import { findMember } from '#domains/identity/members.ts'
import { availabilityOf } from './availability.ts'
import type { AvailabilityRow } from './availability-store.ts'
import { absentPage, faultList, fieldHtml, guestPage, hidden, tooManyPage } from './booking-html.ts'
import { freeMonth, isZone, otherTimes, pickedIn, type FreeDay, type Whose } from './booking-times.ts'
import { bookingLinkFor } from './links.ts'
import { isTooMany } from './page-guard.ts'
import type { publicEndpoints } from './public-contract.ts'
import { cancelMeeting, moveMeeting } from './service.ts'
import { otherChoices, slotPicker } from './slot-picker.ts'
import { SlotTaken } from './slot-taken.ts'
import { find as findRow, type MeetingRow } from './store.ts'
import { manyLines, timesFor } from './texts.ts'
import { readMeetingToken } from './tokens.ts'

const REASON_LENGTH_MAX = 2_000
const GUEST: Actor = { kind: 'form', id: null, name: 'The guest' }

type Pages = Pick<Handlers<typeof publicEndpoints>, 'showMeeting' | 'manageMeeting'>
type Asked = { params: { token: string }; query: Parameters }

export const manageApi: Pages = {
  showMeeting: (ctx, asked) => showMeeting(ctx, asked),
  manageMeeting: (ctx, asked) => manageMeeting(ctx, asked),
}

async function showMeeting(anybody: Context, { params, query }: Asked): Promise<Answer> {
  const shown = await findShown(anybody, params.token, query)
  if (!shown) return noMeeting()
  if (!isToCome(shown)) return meetingPage(shown)
  if (query.cancel !== undefined) return cancelPage(shown)
  if (query.move !== undefined && shown.host) return movePage(shown, query)
  const told =
    query.booked === '1'
      ? 'You are booked.'
      : query.moved === '1'
        ? 'The meeting has been rescheduled.'
        : null
  return meetingPage(shown, told)
}

async function manageMeeting(
  anybody: Context,
  { params, query, body }: Asked & { body: unknown },
): Promise<Answer> {
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
  const text = (key: string) =>
    Object.hasOwn(fields, key) && typeof fields[key] === 'string' ? fields[key] : ''
  const shown = await findShown(anybody, params.token, { ...query, zone: text('zone') })
  if (!shown) return noMeeting()
  if (await isTooMany(anybody)) return tooManyPage()
  if (!isToCome(shown)) return meetingPage(shown, null, 409)
  if (text('do') === 'cancel') return cancel(shown, text('reason'))
  if (text('do') === 'move' && isInstant(text('at'))) return move(shown, tidyInstant(text('at')))
  return seeOther(shown)
}

/** A meeting as its guest sees it. */
type Shown = {
  ctx: Context
  token: string
  meeting: MeetingRow
  rules: AvailabilityRow
  /** Undefined where who was to be met has left. */
  host: Member | undefined
  /** The guest's. */
  zone: string
}

async function findShown(anybody: Context, token: string, query: Parameters): Promise<Shown | undefined> {
  const asked = readMeetingToken(anybody.runtime.settings, token)
  if (!asked) return undefined
  const ctx = anybody.forTeam(asked.team_id).as(GUEST)
  const meeting = await findRow(ctx, asked.meeting_id)
  if (!meeting) return undefined
  const [rules, host] = await Promise.all([
    availabilityOf(ctx, meeting.host_id),
    findMember(ctx, asked.team_id, meeting.host_id),
  ])
  const zone = typeof query.zone === 'string' && isZone(query.zone) ? query.zone : meeting.timezone
  return { ctx, token, meeting, rules, host, zone }
}

function isToCome({ ctx, meeting }: Shown): boolean {
  return meeting.status === 'BOOKED' && meeting.starts_at > ctx.now()
}

async function cancel(shown: Shown, reason: string): Promise<Answer> {
  const said = manyLines(reason, REASON_LENGTH_MAX)
  await cancelMeeting(shown.ctx, shown.meeting.id, said ? { reason: said } : {})
  return seeOther(shown)
}

async function move(shown: Shown, starts_at: string): Promise<Answer> {
  const { ctx, meeting, zone } = shown
  try {
    await moveMeeting(ctx, meeting.id, { starts_at, timezone: zone }, undefined, { offered: true })
    return seeOther(shown, '?moved=1')
  } catch (error) {
    if (!(error instanceof Problem) || !['slot_taken', 'in_the_past'].includes(error.code)) throw error
    const others = await otherTimes(ctx, whoseOf(shown), starts_at, zone)
    const message =
      error instanceof SlotTaken ? 'This time has just been taken.' : 'This time is in the past.'
    return confirmPage(shown, { message, others })
  }
}

/** The meeting to be rescheduled does not block itself. */
function whoseOf({ meeting }: Shown): Whose {
  const { host_id, id, starts_at, ends_at } = meeting
  return { host_id, without: id, duration_min: (Date.parse(ends_at) - Date.parse(starts_at)) / 60_000 }
}

function meetingPage(shown: Shown, told: string | null = null, status = 200): Answer {
  const { ctx, token, meeting, rules, host } = shown
  const title = headingOf(shown)
  const isOver = !isToCome(shown)
  const again = host && rules.active && meeting.lead_id && bookingLinkFor(ctx, rules.slug, meeting.lead_id)
  const body = html`${told && html`<p class="told" role="status">${told}</p>`}
    <h1>${title}</h1>
    ${title !== meeting.title && html`<p class="quiet">${meeting.title}</p>`} ${facts(shown)}
    ${
      isOver
        ? again && html`<p class="act"><a class="button" href="${again}">Book another time</a></p>`
        : html`<p class="act"><a class="button" href="/m/${token}/meeting.ics">Add to your calendar</a></p>
            <p class="act">
              ${host && html`<a class="button plain" href="?move">Reschedule</a>`}
              <a class="button plain" href="?cancel">Cancel meeting</a>
            </p>`
    }`
  return guestPage(title, body, status)
}

function headingOf({ ctx, meeting }: Shown): string {
  if (meeting.status === 'CANCELLED') return 'This meeting is cancelled'
  if (meeting.status === 'BOOKED' && meeting.ends_at > ctx.now()) return meeting.title
  return 'This meeting is over'
}

function facts({ meeting, rules, host, zone }: Shown): Html {
  const [own, hosts] = timesFor(zone, rules.timezone, meeting)
  const isOff = meeting.status === 'CANCELLED'
  const rows: [string, Html | string | null | undefined | false][] = [
    [
      'When',
      html`<div ${isOff && html`class="gone"`}>
        <strong>${own}</strong>
        ${hosts && html`<br /><span class="quiet">${hosts}</span>`}
      </div>`,
    ],
    ['With', host && (host.name || host.email)],
    ['Where', meeting.location && place(meeting.location)],
    ['About', meeting.description && html`<span class="lines">${meeting.description}</span>`],
    ['Reason', isOff && meeting.cancel_reason && html`<span class="lines">${meeting.cancel_reason}</span>`],
  ]
  return html`<dl class="facts">
    ${rows.map(([name, value]) =>
      value
        ? html`<dt>${name}</dt>
            <dd>${value}</dd>`
        : html``,
    )}
  </dl>`
}

/** Where it is met on the web, it is a click away. */
function place(location: string): Html {
  if (!/^https:\/\/\S+$/.test(location)) return html`${location}`
  return html`<a href="${location}" rel="noreferrer">${location}</a>`
}

async function movePage(shown: Shown, query: Parameters): Promise<Answer> {
  const { ctx, meeting, rules, zone } = shown
  const picked = pickedIn(query, zone)
  if (picked.at !== undefined) return confirmPage(shown, { at: picked.at })
  const free = await freeMonth(ctx, whoseOf(shown), picked, rules.horizon_days)
  const body = html`<h1>Pick a new time</h1>
    <p class="quiet">${meeting.title}: ${timesFor(zone, rules.timezone, meeting)[0]}</p>
    ${slotPicker({ free, zone, hostZone: rules.timezone, day: picked.day, carried: { move: '' }, guesses: false })}
    <p class="act"><a href="/m/${shown.token}">Keep current time</a></p>`
  return guestPage('Pick a new time', body)
}

type Choice = { at?: string; message?: string; others?: FreeDay[] }

function confirmPage(shown: Shown, { at, message, others }: Choice): Answer {
  const { token, meeting, rules, zone } = shown
  const lengthMs = Date.parse(meeting.ends_at) - Date.parse(meeting.starts_at)
  const times = at && { starts_at: at, ends_at: new Date(Date.parse(at) + lengthMs).toISOString() }
  const [own, hosts] = times ? timesFor(zone, rules.timezone, times) : []
  const body = html`<h1>Reschedule meeting</h1>
    <p class="quiet">${meeting.title}</p>
    ${message && faultList([{ path: '', message }])}
    <dl class="facts">
      <dt>Current time</dt>
      <dd>${timesFor(zone, rules.timezone, meeting)[0]}</dd>
      ${
        own &&
        html`<dt>New time</dt>
          <dd>
            <strong>${own}</strong>
            ${hosts && html`<br /><span class="quiet">${hosts}</span>`}
          </dd>`
      }
    </dl>
    <form method="post" action="/m/${token}">
      ${hidden({ do: 'move', zone, at })} ${others && otherChoices(others, zone, rules.timezone)}
      <p class="act">
        <button>Reschedule</button>
        <a href="?move&zone=${encodeURIComponent(zone)}">Another time</a>
        <a href="/m/${token}">Keep current time</a>
      </p>
    </form>`
  return guestPage('Reschedule meeting', body, message ? 409 : 200)
}

function cancelPage(shown: Shown): Answer {
  const { token, meeting, zone } = shown
  const body = html`<h1>Cancel this meeting?</h1>
    <p class="quiet">${meeting.title}</p>
    ${facts(shown)}
    <form method="post" action="/m/${token}">
      ${hidden({ do: 'cancel', zone })}
      ${fieldHtml({ name: 'reason', label: 'Why?', value: '', kind: 'area', lengthMax: REASON_LENGTH_MAX })}
      <p class="act">
        <button class="danger">Cancel meeting</button>
        <a href="/m/${token}">Keep meeting</a>
      </p>
    </form>`
  return guestPage('Cancel this meeting?', body)
}

function noMeeting(): Answer {
  return absentPage(
    'Meeting not found',
    'The link is incomplete or incorrect. Please use the link in your email, or contact the organizer.',
  )
}

function seeOther({ token }: Shown, more = ''): Answer {
  return new Answer(303, { location: `/m/${token}${more}`, 'cache-control': 'no-store' })
}
