import type { Context } from '#platform/context.ts'
import { html, letter } from '#platform/html.ts'
import type { Member } from '#domains/identity/contract.ts'
import { findMember } from '#domains/identity/members.ts'
import { mailsTo, sendMail } from '#domains/mail/service.ts'
import { notify } from '#domains/notifications/service.ts'
import { isSuppressed } from '#domains/suppressions/service.ts'
import { availabilityOf } from './availability.ts'
import { invitationIcs, type Method, type Party } from './ics.ts'
import { manageUrl, meetingPath } from './links.ts'
import type { MeetingRow } from './store.ts'
import { timesFor } from './texts.ts'

/** Limits how much email we can be made to send to one address. */
export const MAILS_PER_DAY_MAX = 20
const DAY_MS = 86_400_000
export const INVITATION_MAIL = 'meeting'
export const REMINDER_MAIL = 'meeting-reminder'

export async function mailBooked(ctx: Context, meeting: MeetingRow): Promise<void> {
  const told = { title: 'Meeting booked', said: 'is booked', method: 'REQUEST' } as const
  await mailBoth(ctx, meeting, told)
  await tellHost(ctx, meeting, 'Meeting booked')
}

/** Of another time or place. */
export async function mailChanged(
  ctx: Context,
  meeting: MeetingRow,
  { before, isMoved }: { before: MeetingRow; isMoved: boolean },
): Promise<void> {
  if (isOver(ctx, meeting)) return
  const title = isMoved ? 'Meeting rescheduled' : 'Meeting changed'
  const said = isMoved ? 'has been rescheduled' : 'has a new location'
  await mailBoth(ctx, meeting, { title, said, method: 'REQUEST', ...(isMoved && { before }) })
  if (isMoved) await tellHost(ctx, meeting, title)
}

export async function mailCancelled(ctx: Context, meeting: MeetingRow): Promise<void> {
  if (isOver(ctx, meeting)) return
  await mailBoth(ctx, meeting, { title: 'Meeting cancelled', said: 'has been cancelled', method: 'CANCEL' })
  await tellHost(ctx, meeting, 'Meeting cancelled')
}

export async function mailReminderSoon(ctx: Context, meeting: MeetingRow, soon: string): Promise<void> {
  await mailBoth(ctx, meeting, { title: `Meeting ${soon}`, said: `is ${soon}` })
  await notifyHost(ctx, meeting, `Meeting ${soon}`)
}

type News = { title: string; said: string; method?: Method; before?: MeetingRow }

async function mailBoth(ctx: Context, meeting: MeetingRow, news: News): Promise<void> {
  const host = await findMember(ctx, ctx.team_id, meeting.host_id)
  if (!host) return
  const { timezone } = await availabilityOf(ctx, host.id)
  const zones = { guest: meeting.timezone, host: timezone }
  if (await mayBeWrittenTo(ctx, meeting.guest_email)) mailGuest(ctx, meeting, host, zones, news)
  mailHost(ctx, meeting, host, zones, news)
}

type Zones = { guest: string; host: string }

function mailGuest(ctx: Context, meeting: MeetingRow, host: Member, zones: Zones, news: News): void {
  const url = manageUrl(ctx, meeting.id)
  const link = { url, text: news.method === 'CANCEL' ? 'Book another time' : 'Reschedule or cancel' }
  send(ctx, meeting, host, news, {
    to: meeting.guest_email!,
    from_name: nameOf(host),
    reply_to: host.email,
    with: nameOf(host),
    times: timesFor(zones.guest, zones.host, meeting),
    before: news.before && timesFor(zones.guest, zones.host, news.before),
    link,
    icsUrl: url,
  })
}

function mailHost(ctx: Context, meeting: MeetingRow, host: Member, zones: Zones, news: News): void {
  const { baseUrl } = ctx.runtime.settings
  const path = meeting.lead_id ? `/leads/${meeting.lead_id}` : meetingPath(meeting.id)
  const guest = [meeting.guest_name, meeting.guest_email].filter(Boolean).join(', ')
  send(ctx, meeting, host, news, {
    to: host.email,
    ...(meeting.guest_email && { reply_to: meeting.guest_email }),
    with: guest || 'a guest without an email address',
    times: timesFor(zones.host, zones.guest, meeting),
    before: news.before && timesFor(zones.host, zones.guest, news.before),
    link: { url: `${baseUrl}${path}`, text: 'Open in Rapport' },
  })
}

type Letter = {
  to: string
  from_name?: string
  reply_to?: string
  with: string
  times: readonly string[]
  before: readonly string[] | undefined
  link: { url: string; text: string }
  icsUrl?: string
}

function send(ctx: Context, meeting: MeetingRow, host: Member, news: News, mail: Letter): void {
  const { title, said, method } = news
  const facts: (readonly [string, string])[] = [
    ...mail.times.map(time => ['When', time] as const),
    ...(mail.before ?? []).map(time => ['Before', time] as const),
    ['With', mail.with],
    ...(meeting.location ? [['Where', meeting.location] as const] : []),
    ...(meeting.cancel_reason ? [['Reason', meeting.cancel_reason] as const] : []),
  ]
  const subject = `${title}: ${meeting.title}`
  const about = meeting.status === 'CANCELLED' ? null : meeting.description
  const text = [
    `${meeting.title} ${said}.`,
    facts.map(([name, value]) => `${name}: ${value}`).join('\n'),
    ...(about ? [about] : []),
    `${mail.link.text}: ${mail.link.url}`,
  ].join('\n\n')
  sendMail(ctx, {
    kind: method ? INVITATION_MAIL : REMINDER_MAIL,
    about: { kind: 'meeting', id: meeting.id },
    to: mail.to,
    subject,
    text: `${text}\n`,
    html: letter(
      subject,
      html`<p><b>${meeting.title}</b> ${said}.</p>
        <table>
          ${facts.map(
            ([name, value]) =>
              html`<tr>
                <td>${name}</td>
                <td>${value}</td>
              </tr>`,
          )}
        </table>
        ${about && about.split(/\n{2,}/).map(part => html`<p>${part}</p>`)}
        <p><a href="${mail.link.url}">${mail.link.text}</a></p>`,
    ),
    ...(mail.from_name !== undefined && { from_name: mail.from_name }),
    ...(mail.reply_to !== undefined && { reply_to: mail.reply_to }),
    ...(method && { calendar: { method, ics: icsFor(meeting, host, method, mail.icsUrl) } }),
  })
}

function icsFor(meeting: MeetingRow, host: Member, method: Method, url: string | undefined): string {
  const { guest_name, guest_email } = meeting
  const organizer: Party = { name: nameOf(host), email: host.email }
  const attendee = guest_email === null ? null : { name: guest_name ?? guest_email, email: guest_email }
  return invitationIcs(meeting, { method, organizer, attendee, ...(url !== undefined && { url }) })
}

async function mayBeWrittenTo(ctx: Context, email: string | null): Promise<boolean> {
  if (!email || (await isSuppressed(ctx, 'email', email))) return false
  return (await mailsTo(ctx, INVITATION_MAIL, email, DAY_MS)) < MAILS_PER_DAY_MAX
}

/** Who did it knows already. */
async function tellHost(ctx: Context, meeting: MeetingRow, title: string): Promise<void> {
  if (ctx.actor.kind === 'person' && ctx.actor.id === meeting.host_id) return
  await notifyHost(ctx, meeting, title)
}

async function notifyHost(ctx: Context, meeting: MeetingRow, title: string): Promise<void> {
  const { timezone } = await availabilityOf(ctx, meeting.host_id)
  await notify(ctx, {
    user_ids: [meeting.host_id],
    title: `${title}: ${meeting.title}`,
    text: timesFor(timezone, timezone, meeting).join('\n'),
    link: meetingPath(meeting.id),
    source: { kind: 'meeting', id: meeting.id, name: meeting.title },
  })
}

/** Of what is over nobody needs to hear any more. */
function isOver(ctx: Context, { ends_at }: MeetingRow): boolean {
  return ends_at <= ctx.now()
}

function nameOf({ name, email }: Member): string {
  return name || email
}
