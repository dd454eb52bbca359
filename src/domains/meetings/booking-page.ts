import { Answer } from '#platform/answer.ts'
import type { Actor, Context } from '#platform/context.ts'
import { isEmail, TEXT_LENGTH_MAX, type Handlers, type Parameters } from '#platform/contract.ts'
import { isInstant, tidyInstant } from '#platform/clock.ts'
import { html, type Html } from '#platform/html.ts'
import { Problem, type Fault } from '#platform/problem.ts'
import type { Member } from '#domains/identity/contract.ts'
import { findMember } from '#domains/identity/members.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { findAddress } from './addresses.ts'
import { find as findAvailability, type AvailabilityRow } from './availability-store.ts'
import { findGuest, guestOf, leadOfGuest } from './booking-guest.ts'
import { absentPage, faultList, fieldHtml, guestPage, hidden, tooManyPage, trap } from './booking-html.ts'
import { freeMonth, isZone, otherTimes, pickedIn, type FreeDay } from './booking-times.ts'
import { refreshBusy } from './calendar-sync.ts'
import { assets } from './page-assets.ts'
import { HONEYPOT, isTooMany, pageKey, pageToken } from './page-guard.ts'
import type { publicEndpoints } from './public-contract.ts'
import { bookMeeting } from './service.ts'
import { otherChoices, slotPicker } from './slot-picker.ts'
import { SlotTaken } from './slot-taken.ts'
import { manyLines, oneLine, timesFor } from './texts.ts'
import { meetingToken } from './tokens.ts'

export const NOTE_LENGTH_MAX = 5_000
const FRESH = { maxAgeMs: 30_000, timeoutMs: 3_000 }
const GUEST: Actor = { kind: 'form', id: null, name: 'Booking page' }

type Pages = Pick<Handlers<typeof publicEndpoints>, 'showBooking' | 'book' | 'readBookingAsset'>
type Asked = { params: { slug: string }; query: Parameters }

export const bookingApi: Pages = {
  showBooking: (ctx, asked) => showBooking(ctx, asked),
  book: (ctx, asked) => book(ctx, asked),
  readBookingAsset: (_, { params }) => assets.answer(params.file),
}

async function showBooking(anybody: Context, { params, query }: Asked): Promise<Answer> {
  const shown = await findShown(anybody, params.slug, query)
  if (!shown) return nobodyHere()
  const { ctx, rules, lead } = shown
  const picked = pickedIn(query, lead?.timezone ?? rules.timezone)
  if (picked.at !== undefined)
    return formPage(shown, picked.at, picked.zone, { given: given(lead), faults: [] })
  const free = await freeMonth(ctx, { host_id: rules.user_id }, picked, rules.horizon_days)
  const body = html`${head(shown)}
  ${slotPicker({
    free,
    zone: picked.zone,
    hostZone: rules.timezone,
    day: picked.day,
    carried: { for: shown.token },
    guesses: true,
  })}`
  return guestPage(titleOf(shown), body)
}

/** Sent by the page itself: the answer is a page again, and nothing typed is lost. */
async function book(anybody: Context, { params, query, body }: Asked & { body: unknown }): Promise<Answer> {
  const shown = await findShown(anybody, params.slug, query)
  if (!shown) return nobodyHere()
  if (await isTooMany(anybody)) return tooManyPage()
  const sent = readSent(shown, body)
  const { at, zone, faults } = sent
  if (faults.length > 0) return formPage(shown, at, zone, { ...sent, status: 422 })
  try {
    return seeOther(`${await booked(shown, sent)}?booked=1`)
  } catch (error) {
    if (!(error instanceof Problem) || !LATE.includes(error.code)) throw error
    const whose = { host_id: shown.rules.user_id }
    const others = await otherTimes(shown.ctx, whose, at!, zone)
    const isTaken = error instanceof SlotTaken
    const message = isTaken ? 'This time has just been taken.' : 'This time is in the past.'
    return formPage(shown, at, zone, { ...sent, faults: [{ path: '', message }], others, status: 409 })
  }
}

const LATE = ['slot_taken', 'in_the_past']

/** A booking page as somebody who knows its address sees it. */
type Shown = {
  ctx: Context
  rules: AvailabilityRow
  host: Member
  /** The lead the link was created for. */
  lead: Lead | undefined
  token: string | undefined
}

async function findShown(anybody: Context, slug: string, query: Parameters): Promise<Shown | undefined> {
  const address = await findAddress(anybody, slug)
  if (!address) return undefined
  const ctx = anybody.forTeam(address.team_id).as(GUEST)
  const [rules, host, lead] = await Promise.all([
    findAvailability(ctx, address.user_id),
    findMember(ctx, address.team_id, address.user_id),
    findGuest(ctx, query.for),
  ])
  if (!rules?.active || !host) return undefined
  return { ctx, rules, host, lead, token: lead && (query.for as string) }
}

type Sent = {
  at: string | undefined
  zone: string
  given: Given
  key: string | undefined
  faults: Fault[]
}

type Given = { name: string; email: string; note: string }

function given(lead: Lead | undefined): Given {
  return { name: '', email: '', note: '', ...(lead && guestOf(lead)) }
}

function readSent({ ctx, rules }: Shown, body: unknown): Sent {
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
  const text = (key: string) =>
    Object.hasOwn(fields, key) && typeof fields[key] === 'string' ? fields[key] : ''
  const [at, zone] = [text('at'), text('zone')]
  const sent = {
    at: isInstant(at) ? tidyInstant(at) : undefined,
    zone: isZone(zone) ? zone : rules.timezone,
    given: { name: oneLine(text('name')), email: text('email').trim(), note: manyLines(text('note')) },
    key: pageKey(ctx.runtime, rules.slug, text('_page')),
  }
  return { ...sent, faults: faultsIn(sent, text(HONEYPOT) !== '') }
}

function faultsIn({ at, given, key }: Omit<Sent, 'faults'>, trapped: boolean): Fault[] {
  const { name, email, note } = given
  const tooLong = (path: string, text: string, max: number) =>
    text.length > max ? [{ path, message: `at most ${max} characters` }] : []
  return [
    ...(at === undefined ? [{ path: '', message: 'Pick a time first.' }] : []),
    ...(name === '' ? [{ path: 'name', message: 'please enter your name' }] : []),
    ...tooLong('name', name, TEXT_LENGTH_MAX),
    ...(isEmail(email) ? [] : [{ path: 'email', message: 'this is not a valid email address' }]),
    ...tooLong('note', note, NOTE_LENGTH_MAX),
    // A person whose browser filled in too much, or who left the page open, need only send it again.
    ...(trapped || key === undefined
      ? [
          {
            path: '',
            message: 'The page was open for too long or was filled in automatically. Please submit it again.',
          },
        ]
      : []),
  ]
}

/** The lead and the meeting in one go: nobody is made a lead of for a time that was taken. */
async function booked({ ctx, rules, lead }: Shown, { at, zone, given, key }: Sent): Promise<string> {
  const { user_id: host_id } = rules
  const guest = { name: given.name, email: given.email }
  await refreshBusy(ctx, host_id, FRESH)
  const { id } = await ctx.transaction(async ctx => {
    const coming = lead ?? (await leadOfGuest(ctx, { ...guest, timezone: zone, host_id }))
    return bookMeeting(ctx, {
      lead_id: coming.id,
      host_id,
      starts_at: at!,
      timezone: zone,
      guest,
      ...(given.note && { description: given.note }),
      origin: 'booking_page',
      source_key: `page ${key}`,
    })
  })
  // A path, so that it is the same site for who came by another name of it.
  return `/m/${meetingToken(ctx.runtime.settings, { team_id: ctx.team_id, meeting_id: id })}`
}

type Filled = { given: Given; faults: Fault[]; others?: FreeDay[]; status?: number }

function formPage(shown: Shown, at: string | undefined, zone: string, filled: Filled): Answer {
  const { ctx, rules, token } = shown
  const { given, faults, others, status = 200 } = filled
  const faultOf = (key: string) => faults.find(({ path }) => path === key)?.message
  const back = `?${new URLSearchParams({ ...(token && { for: token }), zone })}`
  const body = html`${head(shown)} ${faultList(faults)} ${at && !others && timeFacts(shown, at, zone)}
    <form method="post" ${html`action="/book/${rules.slug}${token && `?for=${token}`}"`}>
      ${hidden({ zone, _page: pageToken(ctx.runtime, rules.slug), at: others ? undefined : at })} ${trap}
      ${others && otherChoices(others, zone, rules.timezone)}
      ${fieldHtml({ name: 'name', label: 'Your name', value: given.name, kind: 'text', lengthMax: TEXT_LENGTH_MAX, required: true, autocomplete: 'name', fault: faultOf('name') })}
      ${fieldHtml({ name: 'email', label: 'Your email', value: given.email, kind: 'email', lengthMax: 254, required: true, autocomplete: 'email', fault: faultOf('email') })}
      ${fieldHtml({ name: 'note', label: 'What would you like to talk about?', value: given.note, kind: 'area', lengthMax: NOTE_LENGTH_MAX, fault: faultOf('note') })}
      <p class="act">
        <button>${others ? 'Book this time' : 'Book'}</button>
        <a href="${back}">${others ? 'All times' : 'Another time'}</a>
      </p>
    </form>`
  return guestPage(titleOf(shown), body, status)
}

function timeFacts({ rules }: Shown, starts_at: string, zone: string): Html {
  const ends_at = new Date(Date.parse(starts_at) + rules.duration_min * 60_000).toISOString()
  const [own, hosts] = timesFor(zone, rules.timezone, { starts_at, ends_at })
  return html`<dl class="facts">
    <dt>When</dt>
    <dd>
      <strong>${own}</strong>
      ${hosts && html`<br /><span class="quiet">${hosts}</span>`}
    </dd>
  </dl>`
}

function head({ rules, host }: Shown): Html {
  const facts = [`${rules.duration_min} minutes`, rules.location].filter(Boolean).join(' · ')
  return html`<header>
    <p class="quiet">${host.name || host.email}</p>
    <h1>${rules.title}</h1>
    <p class="quiet">${facts}</p>
    ${rules.welcome && html`<p class="welcome lines">${rules.welcome}</p>`}
  </header>`
}

function titleOf({ rules, host }: Shown): string {
  return `${rules.title} with ${host.name || host.email}`
}

function nobodyHere(): Answer {
  return absentPage(
    'Booking page not found',
    'It was taken down or its link has changed. Please ask the sender for a new link.',
  )
}

function seeOther(location: string): Answer {
  return new Answer(303, { location, 'cache-control': 'no-store' })
}
