import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ICAL from 'ical.js'
import PostalMime, { type Email } from 'postal-mime'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openOutbox } from '#adapters/email/outbox.ts'
import { client } from '#test/client.ts'
import { eventually } from '#test/eventually.ts'
import { drain } from '#platform/jobs/drain.ts'
import { calendarIcs, feedIcs, invitationIcs } from './ics.ts'
import { MAILS_PER_DAY_MAX } from './invitations.ts'
import { DAY_MS, HOUR_MS, openOffice, type Office } from './meetings.harness.ts'
import { REMIND_JOB } from './reminders.ts'
import { bookMeeting, cancelMeeting } from './service.ts'
import { find } from './store.ts'

let office: Office
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'meetings-'))
  office = await openOffice({
    ports: { mail: openOutbox({ folder, from: 'Rapport <crm@example.test>' }) as never },
  })
})
afterAll(async () => {
  await office.close()
  await rm(folder, { recursive: true })
})
beforeEach(() => office.clock.set('2026-03-02T09:00:00.000Z'))

const TEN = '2026-03-03T10:00:00.000Z'

/** Every mail that lies in the outbox for this address, in the order they were written. */
async function mailsTo(address: string, count: number): Promise<Email[]> {
  return eventually(async () => {
    const names = (await readdir(folder)).filter(name => name.endsWith('.eml'))
    const mails = await Promise.all(names.map(readMail))
    const own = mails.filter(mail => mail.to?.some(to => to.address === address))
    expect(own.map(({ subject }) => subject)).toHaveLength(count)
    // Two of one transaction may be sent in either order; their ids are in the order of writing.
    return own.toSorted((a, b) => (a.messageId! < b.messageId! ? -1 : 1))
  })
}

const known = new Map<string, Email>()
async function readMail(name: string): Promise<Email> {
  let mail = known.get(name)
  if (!mail) known.set(name, (mail = await PostalMime.parse(await readFile(join(folder, name)))))
  return mail
}

/** What the calendar part of a mail says, and how the part itself is labelled. */
function calendarOf(mail: Email) {
  const parts = mail.attachments.filter(({ mimeType }) => /calendar|ics/.test(mimeType))
  // The same twice: as a body that a program shows with buttons, and as a file.
  const [text, file] = parts.map(({ content }) => Buffer.from(content as ArrayBuffer).toString())
  expect(file).toBe(text)
  return { ...eventIn(text!), parts }
}

function eventIn(ics: string) {
  const calendar = new ICAL.Component(ICAL.parse(ics) as unknown[])
  const events = calendar.getAllSubcomponents('vevent')
  const event = new ICAL.Event(events[0]!)
  return { calendar, events, event, method: calendar.getFirstPropertyValue('method') }
}

/** Work that is due by the clock of the test. */
async function settle(): Promise<void> {
  await drain(office.app.runtime, [REMIND_JOB, 'mail.send'])
}

describe('an invitation', () => {
  test('reaches the guest in the zone of the guest, and the host in its own, with a calendar part each', async () => {
    const { ada, guest, email, lead_id, booked } = await office.host({
      location: 'https://meet.example.test/1',
    })
    const meeting = await booked(TEN, { title: 'Demo', description: 'First line\n\nSecond line' })
    const [toGuest] = await mailsTo(guest, 1)
    const [toHost] = await mailsTo(email, 1)
    expect(toGuest).toMatchObject({ subject: 'Meeting booked: Demo', replyTo: [{ address: email }] })
    expect(toGuest!.from!.address).toBe('crm@example.test')
    for (const said of [
      'When: Tuesday, 3 March 2026, 05:00 – 05:30 (America/New_York)',
      'When: Tuesday, 3 March 2026, 11:00 – 11:30 (Europe/Berlin)',
      'Where: https://meet.example.test/1',
      'Second line',
      `Reschedule or cancel: ${meeting.manage_url}`,
    ])
      expect(toGuest!.text).toContain(said)
    expect(toGuest!.text!.indexOf('New_York')).toBeLessThan(toGuest!.text!.indexOf('Berlin'))
    expect(toHost!.text!.indexOf('Berlin')).toBeLessThan(toHost!.text!.indexOf('New_York'))
    expect(toHost!.text).toContain(`/leads/${lead_id}`)
    expect(toHost!.text).not.toContain(meeting.manage_url)
    for (const mail of [toGuest!, toHost!]) {
      const { event, method, parts } = calendarOf(mail)
      expect(method).toBe('REQUEST')
      expect(parts[0]).toMatchObject({ mimeType: 'text/calendar', method: 'REQUEST' })
      expect(event).toMatchObject({ uid: meeting.calendar_uid, summary: 'Demo', sequence: 0 })
      expect(event.startDate.toJSDate().toISOString()).toBe(TEN)
      expect(event.endDate.toJSDate().toISOString()).toBe('2026-03-03T10:30:00.000Z')
      expect(event.organizer).toBe(`mailto:${email}`)
      const attendees = event.attendees.map(each => [
        String(each.getFirstValue()).toLowerCase(),
        each.getParameter('partstat'),
      ])
      expect(attendees).toEqual([
        [`mailto:${guest}`, 'NEEDS-ACTION'],
        [`mailto:${email}`, 'ACCEPTED'],
      ])
    }
    expect(ada.user_id).toBe(meeting.host_id)
  })

  test('is one more version of the same event when it is moved, and called off when it is cancelled', async () => {
    const { guest, email, booked, change, cancel } = await office.host()
    const { id, calendar_uid } = await booked(TEN, { title: 'Demo' })
    await mailsTo(guest, 1)
    office.clock.advance(1_000)
    await change(id, { starts_at: '2026-03-04T10:00:00Z' })
    const [, moved] = await mailsTo(guest, 2)
    office.clock.advance(1_000)
    await change(id, { location: 'Room 2' })
    const [, , placed] = await mailsTo(guest, 3)
    office.clock.advance(1_000)
    await change(id, { title: 'Demonstration' })
    await cancel(id, { reason: 'Ill' })
    const cancelled = (await mailsTo(guest, 4)).at(-1)!
    expect((await mailsTo(email, 4)).at(-1)!.subject).toBe('Meeting cancelled: Demonstration')
    expect(moved!.text).toContain('Before: Tuesday, 3 March 2026, 05:00')
    expect(placed!.text).toContain('Where: Room 2')
    expect(cancelled.text).toContain('Reason: Ill')
    const told = [moved!, placed!, cancelled].map(calendarOf)
    expect(told.map(({ method }) => method)).toEqual(['REQUEST', 'REQUEST', 'CANCEL'])
    expect(told.map(({ event }) => event.sequence)).toEqual([1, 2, 4])
    for (const { event } of told) expect(event.uid).toBe(calendar_uid)
    expect(told[0]!.event.startDate.toJSDate().toISOString()).toBe('2026-03-04T10:00:00.000Z')
    expect(told[2]!.event.component.getFirstPropertyValue('status')).toBe('CANCELLED')
    expect(told[2]!.parts[0]).toMatchObject({ method: 'CANCEL' })
  })

  test('changes neither recipients nor headers nor other events, whatever people are called', async () => {
    const { ada, email } = await office.host()
    const name = 'Eve";X=1:mailto:x@y.example\r\nATTENDEE:mailto:z@y.example\\, <b>'
    const title = 'A; B, C\r\nEND:VEVENT\r\nBEGIN:VEVENT\\n"quoted" <script>alert(1)</script> 🧑‍🚀'.padEnd(
      400,
      'ü',
    )
    const lead = await ada.browser.post('/api/crm/leads', {
      last_name: 'x',
      email: `eve-${ada.user_id}@y.example`,
    })
    const guest = { name, email: `eve-${ada.user_id}@y.example` }
    const meeting = await bookMeeting(ada.ctx, {
      lead_id: lead.body.id,
      starts_at: TEN,
      title,
      origin: 'booking_page',
      guest,
    })
    const [mail] = await mailsTo(guest.email, 1)
    expect(mail!.to).toEqual([{ name: '', address: guest.email }])
    expect(mail!.headers.filter(({ key }) => ['cc', 'bcc', 'attendee'].includes(key))).toEqual([])
    expect(mail!.html).not.toContain('<script>')
    expect(mail!.html).toContain('&lt;script&gt;')
    const { events, event } = calendarOf(mail!)
    expect(events).toHaveLength(1)
    const line = title.replaceAll('\r\n', ' ')
    expect(event.summary).toBe(line)
    expect(event.attendees).toHaveLength(2)
    expect(String(event.attendees[0]!.getFirstValue()).toLowerCase()).toBe(`mailto:${guest.email}`)
    expect(event.organizer).toBe(`mailto:${email}`)
    const { text } = await client(office.app.url).get(`${new URL(meeting.manage_url).pathname}/meeting.ics`)
    for (const each of text.split('\r\n')) expect(Buffer.byteLength(each)).toBeLessThanOrEqual(75)
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
    expect(eventIn(text).event.summary).toBe(line)
  })

  test('goes to nobody who is not to be written to, and the host hears of it all the same', async () => {
    const { ada, guest, email, booked } = await office.host()
    await ada.browser.post('/api/outreach/suppressions', { email: guest })
    await booked(TEN)
    await mailsTo(email, 1)
    await settle()
    await mailsTo(guest, 0)
  })

  test('fills nobody’s mailbox', async () => {
    const { guest, email, booked } = await office.host()
    for (let n = 0; n <= MAILS_PER_DAY_MAX; n++)
      await booked(new Date(Date.parse('2026-04-01T08:00:00Z') + n * HOUR_MS).toISOString())
    await mailsTo(email, MAILS_PER_DAY_MAX + 1)
    await mailsTo(guest, MAILS_PER_DAY_MAX)
  })

  test('of a meeting that is over is sent to nobody', async () => {
    const { ada, guest, booked } = await office.host()
    const { id } = await booked(TEN)
    await mailsTo(guest, 1)
    office.clock.set('2026-03-03T10:30:00.000Z')
    await cancelMeeting(ada.ctx, id)
    await settle()
    await mailsTo(guest, 1)
  })
})

describe('reminders', () => {
  const subjects = async (address: string, count: number) =>
    (await mailsTo(address, count)).map(({ subject }) => subject).slice(1)

  test('come a day and an hour before, to guest and host, once', async () => {
    const { ada, guest, email, booked } = await office.host()
    await booked('2026-03-05T10:00:00Z', { title: 'Demo' })
    await mailsTo(guest, 1)
    office.clock.set('2026-03-04T09:59:59.999Z')
    await settle()
    await mailsTo(guest, 1)
    office.clock.set('2026-03-04T10:00:00.000Z')
    await settle()
    expect(await subjects(guest, 2)).toEqual(['Meeting tomorrow: Demo'])
    office.clock.set('2026-03-05T09:00:00.000Z')
    await settle()
    const all = ['Meeting tomorrow: Demo', 'Meeting in an hour: Demo']
    expect(await subjects(guest, 3)).toEqual(all)
    expect(await subjects(email, 3)).toEqual(all)
    const { body } = await ada.browser.get('/api/notifications')
    expect(body.data.map(({ title }: { title: string }) => title)).toEqual(all.toReversed())
    expect((await mailsTo(guest, 3))[1]!.attachments).toEqual([])
  })

  test('of a meeting that was moved away and back come once, at its time', async () => {
    const { guest, booked, change } = await office.host()
    const { id } = await booked('2026-03-05T10:00:00Z', { title: 'Demo' })
    await change(id, { starts_at: '2026-03-06T10:00:00Z' })
    await change(id, { starts_at: '2026-03-05T10:00:00Z' })
    await mailsTo(guest, 3)
    office.clock.set('2026-03-04T10:00:00.000Z')
    await settle()
    expect((await mailsTo(guest, 4)).at(-1)!.subject).toBe('Meeting tomorrow: Demo')
    office.clock.set('2026-03-06T12:00:00.000Z')
    await settle()
    await mailsTo(guest, 4)
  })

  test('that come too late are left out, and a cancelled meeting has none', async () => {
    const { guest, booked, cancel } = await office.host()
    await booked('2026-03-05T10:00:00Z', { title: 'Late' })
    const { id } = await booked('2026-03-05T12:00:00Z', { title: 'Cancelled' })
    await cancel(id)
    await mailsTo(guest, 3)
    // A worker that was away finds both: of the first it is too late for the day before.
    office.clock.set('2026-03-05T09:30:00.000Z')
    await settle()
    expect((await mailsTo(guest, 4)).at(-1)!.subject).toBe('Meeting in an hour: Late')
  })

  test('of a meeting that is booked an hour before are none', async () => {
    const { guest, booked } = await office.host()
    await booked('2026-03-02T10:00:00Z')
    await mailsTo(guest, 1)
    office.clock.advance(2 * DAY_MS)
    await settle()
    await mailsTo(guest, 1)
  })
})

describe('the feed', () => {
  const feedOf = async (url: string, headers: Record<string, string> = {}) =>
    client(office.app.url).get(new URL(url).pathname, headers)
  const ids = (text: string) =>
    eventIn(text).events.map(event => {
      const status = event.getFirstPropertyValue('status')
      return [new ICAL.Event(event).summary, status]
    })

  test('has what is booked, what was held and for thirty days what was called off', async () => {
    const { ada, booked, cancel, change } = await office.host()
    const held = await booked('2026-03-02T09:00:00Z', { title: 'Held' })
    await change(held.id, { status: 'HELD' })
    await booked(TEN, { title: 'Booked' })
    const { id } = await booked('2026-03-03T12:00:00Z', { title: 'Called off' })
    await cancel(id)
    const { feed_url } = (await ada.browser.get('/api/meetings/availability')).body
    const reply = await feedOf(feed_url)
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
    expect(reply.headers.get('cache-control')).toBe('private, no-store')
    expect(ids(reply.text).toSorted()).toEqual([
      ['Booked', 'CONFIRMED'],
      ['Called off', 'CANCELLED'],
      ['Held', 'CONFIRMED'],
    ])
    const etag = reply.headers.get('etag')!
    expect(await feedOf(feed_url, { 'if-none-match': etag })).toMatchObject({ status: 304, text: '' })
    office.clock.advance(30 * DAY_MS + 1_000)
    const later = await feedOf(feed_url, { 'if-none-match': etag })
    expect(later.status).toBe(200)
    expect(ids(later.text).map(([title]) => title)).not.toContain('Called off')
  })

  test('has another address when it is asked for, and the old one is void', async () => {
    const { ada } = await office.host()
    const before = (await ada.browser.get('/api/meetings/availability')).body.feed_url
    const after = (await ada.browser.post('/api/meetings/availability/feed')).body.feed_url
    expect((await feedOf(before)).status).toBe(404)
    expect((await feedOf(after)).status).toBe(200)
    const broken = `${after.slice(0, -1)}${after.endsWith('A') ? 'E' : 'A'}`
    for (const url of [broken, after.replace('/calendar/', '/m/'), `${after}/meeting.ics`])
      expect((await feedOf(url)).status).toBe(404)
  })

  test('and the file of one meeting are for who has the link', async () => {
    const { booked } = await office.host()
    const { manage_url } = await booked(TEN, { title: 'Demo' })
    const reply = await feedOf(`${manage_url}/meeting.ics`)
    expect(reply.headers.get('content-disposition')).toBe('attachment; filename="meeting.ics"')
    const { event, method } = eventIn(reply.text)
    expect([event.summary, method]).toEqual(['Demo', 'PUBLISH'])
  })
})

test('what goes to a calendar of the host names nobody as invited, so that its server writes to nobody', async () => {
  const { ada, guest, booked } = await office.host()
  const { id } = await booked(TEN, { title: 'Demo' })
  const row = (await find(ada.ctx, id))!
  const { calendar, event } = eventIn(calendarIcs(row))
  expect(calendar.getFirstPropertyValue('method')).toBeNull()
  expect([event.attendees, event.organizer]).toEqual([[], null])
  expect(event.description).toBe(`With Grace Hopper, ${guest}`)
  expect(eventIn(feedIcs([])).events).toEqual([])
  const organizer = { name: '\u2028\r\n', email: 'ada@example.test' }
  const bare = invitationIcs(row, { method: 'PUBLISH', organizer, attendee: null })
  expect(eventIn(bare).event.organizer).toBe('mailto:ada@example.test')
})
