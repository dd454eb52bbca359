import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '#test/eventually.ts'
import { hold, waitingForLocks } from '#test/locks.ts'
import { startRadicale, type Radicale } from '#test/radicale.ts'
import { settle } from '#test/settle.ts'
import { READ_EVERY_MS, REFUSED_EVERY_MS, refreshBusy } from './calendar-reading.ts'
import { TELL_AFTER_MS } from './calendar-state.ts'
import { openOffice, type Host, type Office } from './meetings.harness.ts'

const MINUTE_MS = 60_000
const MONDAY = '2026-03-09T10:00:00.000Z'
const TUESDAY = '2026-03-10T10:00:00.000Z'
const WAIT_MS = 15_000

let radicale: Radicale
let office: Office
let people = 0

beforeAll(async () => {
  radicale = await startRadicale(...Array.from({ length: 30 }, (_, at) => `person${at + 1}`))
  office = await openOffice({ config: { outboundAllowHosts: ['127.0.0.1'] } })
})
afterAll(async () => {
  await office.close()
  await radicale.close()
})

async function after(ms: number): Promise<void> {
  await settle(office.app)
  office.clock.advance(ms)
}

/** A host, and a calendar elsewhere that is the host's. */
async function hostWithCalendar({ connected = true } = {}) {
  const host = await office.host()
  const name = `person${++people}`
  const path = await radicale.addCalendar(name, 'work')
  const { browser } = host.ada
  const connect = (more: object = {}) =>
    browser.put('/api/meetings/calendar', { ...radicale.login(name), ...more })
  const calendar = async () => (await browser.get('/api/meetings/calendar')).body
  if (connected) {
    expect(await connect()).toMatchObject({ status: 200 })
    await eventually(async () => expect((await calendar()).read_at).not.toBeNull(), WAIT_MS)
  }
  const summaries = async () => {
    const { body } = await radicale.request(name, 'GET', path)
    const field = (event: string, key: string) =>
      new RegExp(`^${key}[^:]*:(.*)\\r?$`, 'm').exec(event)?.[1]?.trim()
    return body
      .split('BEGIN:VEVENT')
      .slice(1)
      .map(event => `${field(event, 'UID')!.split('@')[0]} ${field(event, 'DTSTART')}`)
  }
  return {
    ...host,
    name,
    path,
    browser,
    connect,
    calendar,
    summaries,
    /** What the calendar elsewhere has at last. */
    stands: (...expected: string[]) =>
      eventually(async () => expect(await summaries()).toEqual(expected), WAIT_MS),
    state: async (id: string) => (await browser.get(`/api/crm/meetings/${id}`)).body,
    synced: (id: string, sync_state = 'SYNCED') =>
      eventually(
        async () => expect((await browser.get(`/api/crm/meetings/${id}`)).body).toMatchObject({ sync_state }),
        WAIT_MS,
      ),
    /** An event that its own calendar program wrote. */
    appointment: (uid: string, day: string, from = '100000', until = '110000') =>
      radicale.addEvent(name, `${path}${uid}.ics`, [
        `UID:${uid}`,
        'DTSTAMP:20260101T000000Z',
        `DTSTART:${day}T${from}Z`,
        `DTEND:${day}T${until}Z`,
      ]),
    notices: async () =>
      (await browser.get('/api/notifications')).body.data.map(
        ({ title }: { title: string }) => title,
      ) as string[],
  }
}

async function withoutRadicale(work: () => Promise<void>): Promise<void> {
  await radicale.stop()
  try {
    await work()
  } finally {
    await radicale.start()
  }
}

const stamp = (instant: string) => `${instant.slice(0, 19).replace(/[-:]/g, '')}Z`

test('a calendar is tried before it is kept, and its password is never shown nor stored as it is', async () => {
  const host = await hostWithCalendar({ connected: false })
  expect(await host.calendar()).toMatchObject({ kind: 'built_in', server_url: null })
  const refused = await host.connect({ password: 'wrong' })
  expect(refused).toMatchObject({ status: 422, body: { code: 'calendar_refused' } })
  const away = await host.connect({ server_url: 'http://127.0.0.1:1/' })
  expect(away).toMatchObject({ status: 422, body: { code: 'calendar_unavailable' } })
  const inside = await host.connect({ server_url: 'https://169.254.169.254/' })
  expect(inside).toMatchObject({ status: 422, body: { code: 'calendar_refused' } })
  expect(await host.calendar()).toMatchObject({ kind: 'built_in' })
  const connected = await host.connect()
  expect(connected).toMatchObject({
    status: 200,
    body: { kind: 'caldav', calendar_name: 'work', state: 'OK' },
  })
  expect(connected.text).not.toContain(radicale.password)
  expect((await host.browser.get('/api/meetings/calendar')).text).not.toContain('password')
  const [row] = await office.app.database.query('select * from calendar_connections where user_id = $1', [
    host.ada.user_id,
  ])
  expect(JSON.stringify(row)).not.toContain(radicale.password)
  expect(await host.browser.delete('/api/meetings/calendar')).toMatchObject({ status: 204 })
  expect(await host.calendar()).toMatchObject({ kind: 'built_in' })
})

test('a meeting is written to the host’s calendar, moved there, and taken away', async () => {
  const host = await hostWithCalendar()
  const { id, sync_state, updated_at } = await host.booked(MONDAY)
  expect(sync_state).toBe('PENDING')
  await host.stands(`${id} ${stamp(MONDAY)}`)
  await host.synced(id)
  expect((await host.state(id)).updated_at).toBe(updated_at)
  await host.change(id, { starts_at: TUESDAY })
  await host.stands(`${id} ${stamp(TUESDAY)}`)
  await host.cancel(id, { reason: 'Ill' })
  await host.stands()
  await host.synced(id)
})

test('a meeting does not wait for a calendar that is down: it is written when that is back', async () => {
  const host = await hostWithCalendar()
  let id = ''
  await withoutRadicale(async () => {
    ;({ id } = await host.booked(MONDAY))
    await eventually(async () => {
      expect(await host.state(id)).toMatchObject({
        status: 'BOOKED',
        sync_state: 'PENDING',
        sync_note: expect.any(String),
      })
    }, WAIT_MS)
    await host.change(id, { starts_at: TUESDAY })
  })
  await after(10 * MINUTE_MS)
  await host.stands(`${id} ${stamp(TUESDAY)}`)
  await host.synced(id)
})

test('what was deleted or moved by hand is written again with our next change', async () => {
  const host = await hostWithCalendar()
  const [gone, moved] = [await host.booked(MONDAY), await host.booked(TUESDAY)]
  await host.synced(gone.id)
  await host.synced(moved.id)
  const [row] = await office.app.database.query<{ calendar_href: string }>(
    'select calendar_href from meetings where id = $1',
    [gone.id],
  )
  await radicale.request(host.name, 'DELETE', new URL(row!.calendar_href).pathname)
  const [other] = await office.app.database.query<{ calendar_href: string }>(
    'select calendar_href from meetings where id = $1',
    [moved.id],
  )
  const there = new URL(other!.calendar_href).pathname
  const { body } = await radicale.request(host.name, 'GET', there)
  await radicale.request(host.name, 'PUT', there, body.replaceAll('20260310T', '20260313T'))
  const [newMonday, newTuesday] = ['2026-03-09T12:00:00.000Z', '2026-03-10T12:00:00.000Z']
  await host.change(gone.id, { starts_at: newMonday })
  await host.change(moved.id, { starts_at: newTuesday })
  await eventually(async () => {
    const expected = [`${gone.id} ${stamp(newMonday)}`, `${moved.id} ${stamp(newTuesday)}`]
    expect((await host.summaries()).toSorted()).toEqual(expected.toSorted())
  }, WAIT_MS)
})

test('what the host has elsewhere blocks a slot, and what is ours is counted once', async () => {
  const host = await hostWithCalendar()
  await host.appointment('dentist', '20260309')
  const mine = await host.booked(TUESDAY)
  await host.synced(mine.id)
  // Old enough to be asked for again.
  await after(MINUTE_MS)
  await refreshBusy(host.ada.ctx, host.ada.user_id, { maxAgeMs: MINUTE_MS / 2, timeoutMs: WAIT_MS })
  expect(await host.book('2026-03-09T10:30:00.000Z')).toMatchObject({
    status: 409,
    body: { code: 'slot_taken' },
  })
  const slots = await host.slots('2026-03-09T00:00:00Z', '2026-03-11T00:00:00Z')
  expect(slots).toContain('2026-03-09T09:30:00.000Z')
  expect(slots).not.toContain('2026-03-09T10:00:00.000Z')
  expect(slots).not.toContain('2026-03-09T09:45:00.000Z')
  const busy = await host.browser.get(
    '/api/meetings/busy?from=2026-03-09T00:00:00Z&until=2026-03-12T00:00:00Z',
  )
  expect(busy.body).toEqual({
    host_id: host.ada.user_id,
    busy: [{ starts_at: '2026-03-09T10:00:00.000Z', ends_at: '2026-03-09T11:00:00.000Z' }],
  })
  expect(await host.change(mine.id, { starts_at: '2026-03-10T10:15:00.000Z' })).toMatchObject({ status: 200 })
})

test('the calendar is read again and again, and what is known of it counts while it is down', async () => {
  const host = await hostWithCalendar()
  await host.appointment('dentist', '20260309')
  const busy = async () =>
    (await host.browser.get('/api/meetings/busy?from=2026-03-09T00:00:00Z&until=2026-03-12T00:00:00Z')).body
      .busy.length
  expect(await busy()).toBe(0)
  await after(READ_EVERY_MS)
  await eventually(async () => expect(await busy()).toBe(1), WAIT_MS)
  await withoutRadicale(async () => {
    await after(READ_EVERY_MS)
    await eventually(async () => expect(await host.calendar()).toMatchObject({ state: 'FAILING' }), WAIT_MS)
    expect(await host.book(MONDAY)).toMatchObject({ status: 409 })
    expect(await host.notices()).toEqual([])
    await after(TELL_AFTER_MS)
    await eventually(
      async () => expect(await host.notices()).toEqual(['Your calendar cannot be synced']),
      WAIT_MS,
    )
  })
  await radicale.request(host.name, 'DELETE', `${host.path}dentist.ics`)
  await after(READ_EVERY_MS)
  await eventually(
    async () => expect(await host.calendar()).toMatchObject({ state: 'OK', note: null }),
    WAIT_MS,
  )
  expect(await busy()).toBe(0)
  // The job that has just read ends a moment after it has told so.
  await eventually(async () => {
    const waits = await office.app.database.query(
      `select from jobs where kind = 'meetings.read' and team_id = $1`,
      [host.ada.team_id],
    )
    expect(waits).toHaveLength(1)
  }, WAIT_MS)
})

test('a calendar that refuses tells its owner at once; connected again, it gets what it missed', async () => {
  const host = await hostWithCalendar()
  await office.app.database.query(
    `update calendar_connections set username = 'person30' where user_id = $1`,
    [host.ada.user_id],
  )
  const { id } = await host.booked(MONDAY)
  await host.synced(id, 'FAILED')
  await after(READ_EVERY_MS)
  await eventually(async () => {
    expect(await host.calendar()).toMatchObject({ state: 'FAILING', note: 'The server denied access.' })
    expect((await host.notices()).toSorted()).toEqual([
      'A meeting is not in your calendar',
      'Your calendar cannot be synced',
    ])
  }, WAIT_MS)
  await after(REFUSED_EVERY_MS - READ_EVERY_MS)
  expect(await host.connect()).toMatchObject({ status: 200, body: { state: 'OK' } })
  await host.stands(`${id} ${stamp(MONDAY)}`)
  await host.synced(id)
  expect(await host.notices()).toHaveLength(2)
})

test('a calendar that is connected gets what is to come, and keeps what it has when it is let go', async () => {
  const host = await hostWithCalendar({ connected: false })
  const { id } = await host.booked(MONDAY)
  expect(await host.state(id)).toMatchObject({ sync_state: 'NONE' })
  await host.connect()
  await host.stands(`${id} ${stamp(MONDAY)}`)
  await host.synced(id)
  await host.browser.delete('/api/meetings/calendar')
  expect(await host.state(id)).toMatchObject({ sync_state: 'NONE' })
  await host.change(id, { starts_at: TUESDAY })
  await after(READ_EVERY_MS)
  // The wait for the next reading finds nothing to do, and there is nothing else.
  await eventually(async () => {
    const kinds = `'meetings.read', 'meetings.sync'`
    const left = await office.app.database.query(
      `select kind from jobs where team_id = $1 and kind in (${kinds})`,
      [host.ada.team_id],
    )
    expect(left).toEqual([])
  }, WAIT_MS)
  expect(await host.summaries()).toEqual([`${id} ${stamp(MONDAY)}`])
})

test('a calendar that is let go while it is being read is not read again', async () => {
  const host = await hostWithCalendar()
  const { database } = office.app
  const gone = await hold(database, `delete from calendar_connections where user_id = '${host.ada.user_id}'`)
  await after(READ_EVERY_MS)
  await eventually(async () => expect(await waitingForLocks(database)).toBe(1), WAIT_MS)
  await gone.commit()
  await eventually(async () => {
    const jobs = `select kind from jobs where team_id = $1 and kind = 'meetings.read'`
    expect(await database.query(jobs, [host.ada.team_id])).toEqual([])
  }, WAIT_MS)
})

test('a VIEWER sees what is busy and connects nothing', async () => {
  const host: Host = await office.host()
  const key = await host.ada.key(['meetings:read'])
  const span = 'from=2026-03-09T00:00:00Z&until=2026-03-12T00:00:00Z'
  expect(await key.get(`/api/meetings/busy?host_id=${host.ada.user_id}&${span}`)).toMatchObject({
    status: 200,
  })
  const other = await office.host()
  const nobodys = await key.get(`/api/meetings/busy?host_id=${other.ada.user_id}&${span}`)
  expect(nobodys.body).toEqual({ host_id: null, busy: [] })
  expect(await key.put('/api/meetings/calendar', radicale.login('person1'))).toMatchObject({ status: 403 })
})
