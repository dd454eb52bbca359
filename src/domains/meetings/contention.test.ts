import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '#test/app.ts'
import { client } from '#test/client.ts'
import { eventually } from '#test/eventually.ts'
import { openOffice, type Office } from './meetings.harness.ts'
import { bookMeeting, moveMeeting, SlotTaken } from './service.ts'

/** Two processes on one database. */
let office: Office
let second: TestApp
beforeAll(async () => {
  const config = { sessionSecrets: [randomBytes(32)] }
  office = await openOffice({ config })
  second = await startApp({ config, clock: office.clock, database: office.app.database })
})
afterAll(async () => {
  await second.close()
  await office.close()
})

const TEN = '2026-03-03T10:00:00.000Z'

test('of 50 who book one time at once at two processes one gets it, and the others are told what is free', async () => {
  const { ada, email, lead_id } = await office.host()
  const here = await ada.key()
  const there = client(second.url, here.headers)
  const replies = await Promise.all(
    Array.from({ length: 50 }, (_, n) =>
      (n % 2 ? here : there).post('/api/crm/meetings', {
        lead_id,
        starts_at: TEN,
        duration_min: n % 3 ? 30 : 60,
      }),
    ),
  )
  const [won, ...others] = replies.toSorted((a, b) => a.status - b.status)
  expect(won!.status).toBe(201)
  const { ends_at } = won!.body
  expect(others.map(({ status }) => status)).toEqual(Array.from({ length: 49 }, () => 409))
  for (const { body } of others) {
    expect(body).toMatchObject({ code: 'slot_taken', errors: [{ message: 'is taken' }, {}, {}, {}] })
    expect(body.errors[1].message).toBe(`${ends_at} is free`)
  }
  const rows = await office.app.database.query('select id from meetings where team_id = $1', [ada.team_id])
  expect(rows).toEqual([{ id: won!.body.id }])
  const mails = await office.app.database.query('select id from mails where team_id = $1', [ada.team_id])
  expect(mails).toHaveLength(2)
  await eventually(() =>
    expect([...office.app.mail.sent, ...second.mail.sent].filter(({ to }) => to === email)).toHaveLength(1),
  )
})

test('meetings that are booked and moved at once end up beside each other', async () => {
  const { ada, lead_id, booked } = await office.host()
  const at = (minute: number) => new Date(Date.parse(TEN) + minute * 60_000).toISOString()
  const late = await Promise.all([0, 1, 2, 3].map(n => booked(`2026-03-04T1${n}:00:00Z`)))
  const moved = late.map((_, n) => at(n * 10))
  const wanted = Array.from({ length: 12 }, (_, n) => at(n * 10))
  const done = await Promise.allSettled([
    ...moved.map((starts_at, n) => moveMeeting(ada.ctx, late[n]!.id, { starts_at })),
    ...wanted.map(starts_at => bookMeeting(ada.ctx, { lead_id, starts_at, origin: 'agent' })),
  ])
  const rows = await office.app.database.query<{ starts_at: Date; ends_at: Date }>(
    `select starts_at, ends_at from meetings where team_id = $1 order by starts_at`,
    [ada.team_id],
  )
  for (const [n, row] of rows.slice(1).entries())
    expect(+new Date(rows[n]!.ends_at)).toBeLessThanOrEqual(+new Date(row.starts_at))
  // Whoever was refused would have stood where somebody else is.
  const lengthMs = Date.parse(late[0]!.ends_at) - Date.parse(late[0]!.starts_at)
  for (const [n, starts_at] of [...moved, ...wanted].entries()) {
    const result = done[n]!
    if (result.status === 'fulfilled') continue
    expect(result.reason).toBeInstanceOf(SlotTaken)
    const begins = Date.parse(starts_at)
    const isInTheWay = (row: { starts_at: Date; ends_at: Date }) =>
      +new Date(row.starts_at) < begins + lengthMs && +new Date(row.ends_at) > begins
    expect(rows.filter(isInTheWay), starts_at).not.toEqual([])
  }
})

test('a day with a limit holds no more, however many strangers come at once', async () => {
  const { ada, lead_id } = await office.host({ per_day_max: 2 })
  const done = await Promise.allSettled(
    Array.from({ length: 10 }, (_, n) => {
      const starts_at = new Date(Date.parse('2026-03-03T08:00:00Z') + n * 30 * 60_000).toISOString()
      return bookMeeting(ada.ctx, { lead_id, starts_at, origin: 'booking_page' })
    }),
  )
  expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
})

test('an address is taken by one of those who want it at once', async () => {
  const hosts = await Promise.all(Array.from({ length: 6 }, () => office.host()))
  const replies = await Promise.all(
    hosts.map(({ ada }) => ada.browser.patch('/api/meetings/availability', { slug: 'meet-me-here' })),
  )
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409, 409])
})
