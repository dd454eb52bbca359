import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { CalendarRefused, CalendarUnavailable, type CalendarLogin } from '#platform/ports/calendar.ts'
import { startHttp } from '#test/http-server.ts'
import { calendarOf, startRadicale, type Radicale } from '#test/radicale.ts'
import { openCalDav } from './caldav.ts'
import { ANSWER_BYTES_MAX } from './line.ts'

const outside = { outboundAllowHosts: ['127.0.0.1'] }
const server = openCalDav(outside)
const march = { from: '2026-03-01T00:00:00Z', until: '2026-04-01T00:00:00Z', zone: 'UTC' }

let radicale: Radicale
let name: string
let path: string
let login: CalendarLogin
let people = 0

beforeAll(async () => {
  radicale = await startRadicale(...Array.from({ length: 30 }, (_, at) => `person${at + 1}`))
})
afterAll(() => radicale.close())
beforeEach(async () => {
  name = `person${++people}`
  path = await radicale.addCalendar(name, 'work')
  login = { ...radicale.login(name), calendar_url: radicale.url + path }
})

function event(uid: string, day = '20260302', ...more: string[]) {
  return calendarOf([
    `UID:${uid}`,
    'DTSTAMP:20260101T000000Z',
    `DTSTART:${day}T100000Z`,
    `DTEND:${day}T110000Z`,
    'SUMMARY:Meeting',
    ...more,
  ])
}

const change = (name: string, day: string, from: string, to: string) => [
  `BEGIN:${name}`,
  `DTSTART:${day}`,
  `RRULE:FREQ=YEARLY;BYMONTH=${day.slice(5, 6) === '3' ? 3 : 10};BYDAY=-1SU`,
  `TZOFFSETFROM:${from}`,
  `TZOFFSETTO:${to}`,
  `END:${name}`,
]
/** As programs describe it. */
const BERLIN = [
  'BEGIN:VTIMEZONE',
  'TZID:Europe/Berlin',
  ...change('DAYLIGHT', '19960331T020000', '+0100', '+0200'),
  ...change('STANDARD', '19961027T030000', '+0200', '+0100'),
  'END:VTIMEZONE',
]

const fresh = (uid: string, day?: string) => ({ uid, ics: event(uid, day), href: null, etag: null })
const uids = async () =>
  (await server.busy(login, march)).map(({ uid, starts_at }) => `${uid} ${starts_at.slice(0, 10)}`)

test('the calendar of events is found from the address of the server alone', async () => {
  await radicale.addCalendar(name, 'a-list', 'VTODO')
  const found = await server.find(radicale.login(name))
  expect(found).toEqual({ calendar_url: radicale.url + path, name: 'work' })
})

test('the calendar whose address is given is taken, and one that takes no events is not', async () => {
  const other = await radicale.addCalendar(name, 'other', 'VEVENT', 'Ärger &amp; <![CDATA[<b>]]>')
  const list = await radicale.addCalendar(name, 'list', 'VTODO')
  expect(await server.find({ ...radicale.login(name), calendar_url: radicale.url + other })).toEqual({
    calendar_url: radicale.url + other,
    name: expect.stringContaining('Ärger'),
  })
  const direct = { ...radicale.login(name), server_url: radicale.url + other }
  expect((await server.find(direct)).calendar_url).toBe(radicale.url + other)
  const wrong = server.find({ ...radicale.login(name), calendar_url: radicale.url + list })
  await expect(wrong).rejects.toThrow(CalendarRefused)
})

test('a wrong password, no calendar, and a server that is away are told apart', async () => {
  await expect(server.find({ ...login, password: 'wrong' })).rejects.toThrow(
    'The server rejected the user name or password.',
  )
  await expect(server.find(radicale.login('person30'))).rejects.toThrow(CalendarRefused)
  const away = { ...login, server_url: 'http://127.0.0.1:1/', calendar_url: 'http://127.0.0.1:1/a/' }
  await expect(server.put(away, fresh('x'))).rejects.toThrow(CalendarUnavailable)
  await expect(server.busy(away, march)).rejects.toThrow(CalendarUnavailable)
})

test('an event is written, written over, and taken away', async () => {
  const { href, etag } = await server.put(login, fresh('one@rapport'))
  expect(href.startsWith(radicale.url + path)).toBe(true)
  expect(await uids()).toEqual(['one@rapport 2026-03-02'])
  await server.put(login, { ...fresh('one@rapport', '20260303'), href, etag })
  expect(await uids()).toEqual(['one@rapport 2026-03-03'])
  await server.remove(login, { uid: 'one@rapport', href })
  expect(await uids()).toEqual([])
  await server.remove(login, { uid: 'one@rapport', href })
})

test('what was changed by hand meanwhile is written over', async () => {
  const { href, etag } = await server.put(login, fresh('one'))
  const there = new URL(href).pathname
  await radicale.request(name, 'PUT', there, event('one', '20260305'))
  const again = await server.put(login, { ...fresh('one', '20260303'), href, etag })
  expect(await uids()).toEqual(['one 2026-03-03'])
  await server.put(login, { ...fresh('one', '20260304'), ...again })
  expect(await uids()).toEqual(['one 2026-03-04'])
})

test('what was deleted by hand meanwhile is written again', async () => {
  const { href, etag } = await server.put(login, fresh('one'))
  await radicale.request(name, 'DELETE', new URL(href).pathname)
  await server.put(login, { ...fresh('one', '20260303'), href, etag })
  expect(await uids()).toEqual(['one 2026-03-03'])
})

test('what was written although its answer was lost is written once', async () => {
  await server.put(login, fresh('one'))
  await server.put(login, fresh('one', '20260303'))
  expect(await uids()).toEqual(['one 2026-03-03'])
})

test('what got another address there is found by its uid', async () => {
  const { href, etag } = await server.put(login, fresh('one'))
  await radicale.request(name, 'DELETE', new URL(href).pathname)
  await radicale.request(name, 'PUT', `${path}another.ics`, event('one', '20260305'))
  const moved = await server.put(login, { ...fresh('one', '20260303'), href, etag })
  expect(await uids()).toEqual(['one 2026-03-03'])
  expect(new URL(moved.href).pathname).toBe(`${path}another.ics`)
  await server.remove(login, { uid: 'one', href })
  expect(await uids()).toEqual([])
})

test('what is busy: repeated, with exceptions, whole days; not what is free or cancelled', async () => {
  const zone = 'TZID=Europe/Berlin'
  const add = (uid: string, ...lines: string[]) =>
    radicale.addEvent(name, `${path}${uid}.ics`, [`UID:${uid}`, 'DTSTAMP:20260101T000000Z', ...lines], BERLIN)
  await add(
    'weekly',
    `DTSTART;${zone}:20250106T090000`,
    `DTEND;${zone}:20250106T100000`,
    'RRULE:FREQ=WEEKLY',
    `EXDATE;${zone}:20260309T090000`,
  )
  await add('day', 'DTSTART;VALUE=DATE:20260304')
  await add('free', 'DTSTART:20260305T100000Z', 'DTEND:20260305T110000Z', 'TRANSP:TRANSPARENT')
  await add('off', 'DTSTART:20260305T100000Z', 'DTEND:20260305T110000Z', 'STATUS:CANCELLED')
  await add('before', 'DTSTART:20250305T100000Z', 'DTEND:20250305T110000Z')
  expect(await server.busy(login, { ...march, zone: 'Europe/Berlin' })).toEqual(
    [
      ['weekly', '2026-03-02T08:00', '2026-03-02T09:00'],
      ['day', '2026-03-03T23:00', '2026-03-04T23:00'],
      ['weekly', '2026-03-16T08:00', '2026-03-16T09:00'],
      ['weekly', '2026-03-23T08:00', '2026-03-23T09:00'],
      ['weekly', '2026-03-30T07:00', '2026-03-30T08:00'],
    ].map(([uid, from, until]) => ({ uid, starts_at: `${from}:00.000Z`, ends_at: `${until}:00.000Z` })),
  )
})

test('addresses inside, and http where the operator did not allow it, are never called', async () => {
  const closed = openCalDav({ outboundAllowHosts: [] })
  for (const server_url of [
    'http://127.0.0.1/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://10.0.0.1/',
    'ftp://a.example/',
  ])
    await expect(closed.find({ ...login, server_url }), server_url).rejects.toThrow(CalendarRefused)
  const inside = closed.put({ ...login, calendar_url: 'https://169.254.169.254/' }, fresh('x'))
  await expect(inside).rejects.toThrow(CalendarRefused)
  const named = server.find({ ...login, server_url: radicale.url.replace('//', '//me:secret@') })
  await expect(named).rejects.toThrow('Remove the user name and password from the URL.')
})

type Answer = (request: Pick<IncomingMessage, 'method' | 'url'>, response: ServerResponse) => void

/** A server of the member's choice that means no good. */
async function hostile(answer: Answer) {
  const made = await startHttp((heard, response) => void answer(heard as never, response))
  onTestFinished(() => made.close())
  const login = { server_url: `${made.url}/`, username: 'a', password: 'b', calendar_url: `${made.url}/c/` }
  return { ...made, login }
}

test('the password goes nowhere but to the server that was named', async () => {
  const other = await startHttp(() => ({ status: 207 }))
  onTestFinished(() => other.close())
  const leading = await hostile((_, response) =>
    response.writeHead(302, { location: `${other.url}/x` }).end(),
  )
  await expect(server.busy(leading.login, march)).rejects.toThrow('redirects to')
  const home = `<d:multistatus xmlns:d="DAV:"><d:response><d:href>/</d:href><d:propstat><d:prop>
    <d:current-user-principal><d:href>${other.url}/me/</d:href></d:current-user-principal>
    </d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response></d:multistatus>`
  const naming = await hostile((_, response) =>
    response.writeHead(207, { 'content-type': 'application/xml' }).end(home),
  )
  const { calendar_url: _, ...bare } = naming.login
  await expect(server.find(bare)).rejects.toThrow('redirects to')
  expect(other.heard).toEqual([])
})

test('a server that leads in circles, never ends, is no calendar, or is out of order is left', async () => {
  const circle = await hostile(({ url }, response) => response.writeHead(307, { location: `${url}x` }).end())
  await expect(server.busy(circle.login, march)).rejects.toThrow('redirected too many times')
  const silent = await hostile(() => {})
  await expect(server.busy(silent.login, march, { timeoutMs: 200 })).rejects.toThrow(CalendarUnavailable)
  const page = await hostile((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hello'),
  )
  await expect(server.find({ ...page.login, calendar_url: `${page.url}/c/` })).rejects.toThrow(
    CalendarRefused,
  )
  const broken = await hostile((_, response) => response.writeHead(502).end())
  await expect(server.put(broken.login, fresh('x'))).rejects.toThrow(CalendarUnavailable)
  const long = await hostile((_, response) => response.writeHead(207).end(Buffer.alloc(ANSWER_BYTES_MAX + 1)))
  await expect(server.busy(long.login, march)).rejects.toThrow('too many events in this period')
  expect(long.heard.length).toBeLessThanOrEqual(16)
})

test('a time with more in it than is read at once is asked for in parts', async () => {
  const of = (day: string) =>
    `<d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:response><d:href>/c/${day}</d:href><d:propstat><d:prop>
    <c:calendar-data>${event(day, day)}</c:calendar-data></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response></d:multistatus>`
  const many = await startHttp(({ body }, response) => {
    const days = [...body.matchAll(/(?:start|end)="(\d{4})(\d\d)(\d\d)/g)]
    const [start, end] = days.map(
      ([, year, month, day]) => Date.parse(`${year}-${month}-${day}`) / 86_400_000,
    )
    const text =
      end! - start! > 20
        ? 'x'.repeat(ANSWER_BYTES_MAX + 1)
        : of(start! < Date.parse('2026-03-15') / 86_400_000 ? '20260302' : '20260320')
    response.writeHead(207, { 'content-type': 'application/xml' }).end(text)
    return undefined
  })
  onTestFinished(() => many.close())
  const there = { server_url: many.url, username: 'a', password: 'b', calendar_url: `${many.url}/c/` }
  const busy = await server.busy(there, march)
  expect(busy.map(({ uid }) => uid)).toEqual(['20260302', '20260320'])
})
