import { afterAll, beforeAll, expect, test } from 'vitest'
import { client, type Client } from '#test/client.ts'
import { inOrder } from '#test/in-order.ts'
import { unescaped } from './booking.harness.ts'
import { bookingLinkFor } from './links.ts'
import { DAY_MS, openOffice, type Host, type Office } from './meetings.harness.ts'
import { assets } from './page-assets.ts'
import { HONEYPOT, PAGE_MAX_MS, SENT_PER_MINUTE_MAX } from './page-guard.ts'

inOrder()

const PAGE_BYTES_MAX = 40_000
const ZONE = 'America/New_York'
const MONDAY = '2026-03-09T10:00:00.000Z'

let office: Office
let web: Client
beforeAll(async () => {
  office = await openOffice()
  web = client(office.app.url)
})
afterAll(() => office.close())

type Page = Host & { slug: string; path: string }

async function bookable(availability: object = {}): Promise<Page> {
  const host = await office.host({ title: 'Coffee', welcome: 'Hello,\nthere.', ...availability })
  const { slug } = (await host.ada.browser.get('/api/meetings/availability')).body
  return { ...host, slug, path: `/book/${slug}` }
}

/** As a browser without a script sends the form that it was shown. */
async function send(path: string, fields: Record<string, string>, from = client(office.app.url)) {
  const body = new URLSearchParams(fields).toString()
  return from.raw('POST', path, body, {
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'text/html',
  })
}

async function formAt({ path }: Page, at: string, more = ''): Promise<Record<string, string>> {
  const { status, text } = await web.get(`${path}?zone=${ZONE}&at=${at}${more}`)
  expect(status).toBe(200)
  return fieldsIn(text)
}

function fieldsIn(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [
      name!,
      unescaped(value!),
    ]),
  )
}

const ANN = { name: 'Ann Other', email: 'ann@example.test', note: 'The <b>price</b>' }
const linksIn = (text: string) => [...text.matchAll(/href="(\?[^"]*)"/g)].map(([, link]) => unescaped(link!))
const meetingsOf = async ({ ada }: Page) => (await ada.browser.get('/api/crm/meetings')).body.data

test('the page shows free days and times in the guest’s zone, and the host’s beside it', async () => {
  const page = await bookable()
  const { text, headers } = await web.get(`${page.path}?zone=${ZONE}&day=2026-03-10`)
  expect(text).toContain('<h1>Coffee</h1>')
  expect(text).toContain('30 minutes')
  expect(text).toContain('Hello,\nthere.')
  expect(text).toContain('Tuesday 10 March')
  // Nine o'clock in Berlin; the clocks of New York have changed already, those of Berlin have not.
  expect(text).toContain('04:00<small>09:00 Berlin</small>')
  expect(text).toContain(`<option selected>${ZONE}`)
  expect(linksIn(text)).toContain(`?zone=America%2FNew_York&at=2026-03-10T08%3A00%3A00.000Z`)
  expect(headers.get('content-security-policy')).toContain("script-src 'self'")
  expect(text).not.toMatch(/style=|<style|onclick/)
})

test('the page is light: with style and script less than 40 kB, and those are kept for ever', async () => {
  const page = await bookable({
    hours: [1, 2, 3, 4, 5, 6, 7].map(day => ({ day, from: '00:00', until: '24:00' })),
  })
  const link = new URL(bookingLinkFor(page.ada.ctx, page.slug, page.lead_id))
  const { text } = await web.get(`${link.pathname}${link.search}&zone=Australia/Lord_Howe`)
  expect(Buffer.byteLength(text) + assets.bytes).toBeLessThan(PAGE_BYTES_MAX)
  for (const path of [assets.stylePath, assets.scriptPath])
    expect((await web.get(path)).headers.get('cache-control')).toContain('immutable')
  expect(await web.get('/book/assets/older.css')).toMatchObject({ status: 200 })
  expect(await web.get('/book/assets/..%2Fbooking.css')).toMatchObject({ status: 404 })
})

test('who books becomes a lead, gets a meeting and a page of its own', async () => {
  const page = await bookable()
  const fields = await formAt(page, MONDAY)
  const reply = await send(page.path, { ...fields, ...ANN })
  expect(reply.status).toBe(303)
  const manage = reply.headers.get('location')!
  const [meeting] = await meetingsOf(page)
  expect(meeting).toMatchObject({
    starts_at: MONDAY,
    timezone: ZONE,
    origin: 'booking_page',
    guest_name: 'Ann Other',
    guest_email: 'ann@example.test',
    description: 'The <b>price</b>',
    host_id: page.ada.user_id,
  })
  const lead = await page.ada.browser.get(`/api/crm/leads/${meeting.lead_id}`)
  expect(lead.body).toMatchObject({
    first_name: 'Ann',
    last_name: 'Other',
    email: 'ann@example.test',
    timezone: ZONE,
    source: 'Booking page',
    owner_id: page.ada.user_id,
  })
  const { text } = await web.get(manage)
  expect(text).toContain('You are booked.')
  expect(text).toContain('06:00')
  expect(text).toContain('11:00')
  expect(text).toContain('The &lt;b&gt;price&lt;/b&gt;')
  const ics = await web.get(`${manage.split('?')[0]}/meeting.ics`)
  expect(ics.text).toContain('DTSTART:20260309T100000Z')
})

test('a form that is sent twice books once; who comes back is the same lead', async () => {
  const page = await bookable()
  const fields = { ...(await formAt(page, MONDAY)), ...ANN }
  const replies = await Promise.all([
    send(page.path, fields),
    send(page.path, fields),
    send(page.path, fields),
  ])
  expect(new Set(replies.map(({ headers }) => headers.get('location'))).size).toBe(1)
  const again = await formAt(page, '2026-03-10T10:00:00.000Z')
  await send(page.path, { ...again, ...ANN, email: 'ANN@example.test' })
  const meetings = await meetingsOf(page)
  expect(meetings).toHaveLength(2)
  expect(meetings[0].lead_id).toBe(meetings[1].lead_id)
})

test('a link for one lead knows who comes, and no other team’s', async () => {
  const page = await bookable()
  const link = new URL(bookingLinkFor(page.ada.ctx, page.slug, page.lead_id))
  const token = link.searchParams.get('for')!
  const { text } = await web.get(`${link.pathname}?for=${token}&at=${MONDAY}`)
  expect(text).toContain('value="Grace Hopper"')
  expect(text).toContain(`value="${page.guest}"`)
  expect(text).toContain('(America/New_York)')
  const reply = await send(`${page.path}?for=${token}`, { ...fieldsIn(text), ...ANN })
  expect(reply.status).toBe(303)
  expect(await meetingsOf(page)).toMatchObject([{ lead_id: page.lead_id, guest_email: 'ann@example.test' }])
  const other = await bookable()
  const stranger = await web.get(`${other.path}?for=${token}&at=${MONDAY}`)
  expect(stranger.text).not.toContain('Grace')
})

test('a time that was taken meanwhile is said, with other times, and nothing typed is lost', async () => {
  const page = await bookable()
  const fields = await formAt(page, MONDAY)
  await page.booked(MONDAY)
  const late = await send(page.path, { ...fields, ...ANN })
  expect(late.status).toBe(409)
  expect(late.text).toContain('This time has just been taken.')
  expect(late.text).toContain('value="Ann Other"')
  expect(late.text).toContain('value="ann@example.test"')
  expect(late.text).toContain('The &lt;b&gt;price&lt;/b&gt;')
  const choices = [...late.text.matchAll(/type="radio" name="at" value="([^"]+)"/g)].map(([, at]) => at!)
  expect(choices).toHaveLength(12)
  expect(choices).not.toContain(MONDAY)
  // Nobody was made a lead of.
  expect((await page.ada.browser.get('/api/crm/leads')).body.data).toMatchObject([{ id: page.lead_id }])
  const booked = await send(page.path, { ...fieldsIn(late.text), ...ANN, at: choices[0]! })
  expect(booked.status).toBe(303)
  expect(
    await send(page.path, { ...(await formAt(page, MONDAY)), ...ANN, at: '2026-03-01T10:00:00Z' }),
  ).toMatchObject({
    status: 409,
    text: expect.stringContaining('This time is in the past.'),
  })
})

test('what is not offered cannot be had by writing the address', async () => {
  const page = await bookable()
  const night = await formAt(page, '2026-03-09T23:00:00.000Z')
  expect(await send(page.path, { ...night, ...ANN })).toMatchObject({ status: 409 })
  expect(await meetingsOf(page)).toEqual([])
})

test('faults are told all at once beside what was typed', async () => {
  const page = await bookable()
  const fields = await formAt(page, MONDAY)
  const reply = await send(page.path, { ...fields, name: ' ', email: 'nobody', note: 'x'.repeat(5_001) })
  expect(reply.status).toBe(422)
  for (const words of [
    'please enter your name',
    'this is not a valid email address',
    'at most 5000 characters',
    'value="nobody"',
  ])
    expect(reply.text).toContain(words)
  expect(await send(page.path, { ...fields, ...ANN, at: 'tomorrow' })).toMatchObject({ status: 422 })
  expect(await send(page.path, {})).toMatchObject({ status: 422 })
  expect(await meetingsOf(page)).toEqual([])
})

test('programs: what people do not see, pages that are old or of another host, and too many at once', async () => {
  const page = await bookable()
  const fields = { ...(await formAt(page, MONDAY)), ...ANN }
  expect(await send(page.path, { ...fields, [HONEYPOT]: 'http://spam.example' })).toMatchObject({
    status: 422,
  })
  expect(await send(page.path, { ...fields, _page: 'made up' })).toMatchObject({ status: 422 })
  const other = await bookable()
  expect(await send(page.path, { ...fields, _page: (await formAt(other, MONDAY))._page! })).toMatchObject({
    status: 422,
  })
  office.clock.advance(PAGE_MAX_MS)
  const old = await send(page.path, fields)
  expect(old).toMatchObject({ status: 422, text: expect.stringContaining('value="Ann Other"') })
  expect(await send(page.path, { ...fields, _page: fieldsIn(old.text)._page! })).toMatchObject({
    status: 303,
  })
  office.app.runtime.settings.rateLimit = true
  try {
    const many = await Promise.all(Array.from({ length: SENT_PER_MINUTE_MAX + 1 }, () => send(page.path, {})))
    expect(many.filter(({ status }) => status === 429)).toHaveLength(1)
  } finally {
    office.app.runtime.settings.rateLimit = false
  }
})

test('nothing is shown of who is not to be booked, and no parameter breaks the page', async () => {
  const page = await bookable({ active: false })
  expect(await web.get(page.path)).toMatchObject({
    status: 404,
    text: expect.stringContaining('Booking page not found'),
  })
  expect(await web.get('/book/no-such-page')).toMatchObject({ status: 404 })
  expect(await send(page.path, ANN)).toMatchObject({ status: 404 })
  await page.ada.browser.patch('/api/meetings/availability', { active: true })
  for (const query of [
    'zone=Nowhere/Land',
    'zone=a&zone=b',
    'month=2026-13',
    'month=1999-01',
    'month=2099-12',
    'day=2026-02-31',
    'day=x',
    'at=never',
    'for=%00',
    'zone=%2B05:30',
    'zone=<script>',
  ])
    expect(await web.get(`${page.path}?${query}`), query).toMatchObject({ status: 200 })
})

test('nothing free is said in words', async () => {
  const page = await bookable({ hours: [] })
  expect((await web.get(page.path)).text).toContain('No free times')
})

test('the guest moves the meeting and cancels it with a reason', async () => {
  const page = await bookable()
  const { manage_url } = await page.booked(MONDAY)
  const { pathname } = new URL(manage_url)
  const picker = await web.get(`${pathname}?move&zone=${ZONE}&day=2026-03-09`)
  // Its own time stands in nobody's way.
  expect(picker.text).toContain('06:00<small>11:00 Berlin</small>')
  const at = '2026-03-09T10:15:00.000Z'
  const confirm = await web.get(`${pathname}?move&zone=${ZONE}&at=${at}`)
  const moved = await send(pathname, fieldsIn(confirm.text))
  expect(moved).toMatchObject({ status: 303 })
  expect((await web.get(moved.headers.get('location')!)).text).toContain('The meeting has been rescheduled.')
  expect(await meetingsOf(page)).toMatchObject([{ starts_at: at, ends_at: '2026-03-09T10:45:00.000Z' }])
  await page.booked('2026-03-09T12:00:00.000Z')
  const late = await send(pathname, { do: 'move', zone: ZONE, at: '2026-03-09T12:00:00.000Z' })
  expect(late).toMatchObject({ status: 409, text: expect.stringContaining('just been taken') })
  expect(late.text).toContain('type="radio" name="at"')
  expect((await web.get(`${pathname}?cancel`)).text).toContain('Cancel this meeting?')
  expect(await send(pathname, { do: 'cancel', reason: 'Ill <i>' })).toMatchObject({ status: 303 })
  const { text } = await web.get(pathname)
  expect(text).toContain('This meeting is cancelled')
  expect(text).toContain('Ill &lt;i&gt;')
  expect(text).toContain('Book another time')
  expect(text).not.toContain('?move')
  expect(await send(pathname, { do: 'move', at: MONDAY })).toMatchObject({ status: 409 })
})

test('a meeting that has begun can be moved by nobody, and a made-up link leads nowhere', async () => {
  const page = await bookable()
  const { manage_url, id } = await page.booked('2026-03-20T10:00:00.000Z')
  const { pathname } = new URL(manage_url)
  office.clock.advance(30 * DAY_MS)
  expect((await web.get(`${pathname}?move`)).text).toContain('This meeting is over')
  expect(await send(pathname, { do: 'cancel' })).toMatchObject({ status: 409 })
  const [row] = await office.app.database.query('select status from meetings where id = $1', [id])
  expect(row).toEqual({ status: 'BOOKED' })
  expect(await web.get(`${pathname.slice(0, -2)}xx`)).toMatchObject({ status: 404 })
  expect(await web.get('/m/%00')).toMatchObject({ status: 404 })
})
