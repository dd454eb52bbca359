import { afterAll, beforeAll, expect, test } from 'vitest'
import fc from 'fast-check'
import { createDatabase, type TestDatabase } from '#test/database.ts'
import { teamSetting } from './team-setting.ts'
import { isoFromPostgres, openPool, type Pool } from './pool.ts'

let database: TestDatabase
let pool: Pool

beforeAll(async () => {
  database = await createDatabase()
  pool = openPool({ url: database.loginUrl, size: 2, onError: () => {} })
})
afterAll(async () => {
  await pool.close()
  await database.drop()
})

test('instants come as ISO 8601 text', () => {
  expect(isoFromPostgres('2026-03-02 09:00:00+00')).toBe('2026-03-02T09:00:00.000Z')
  expect(isoFromPostgres('2026-03-02 09:00:00.1+00')).toBe('2026-03-02T09:00:00.100Z')
  expect(isoFromPostgres('2026-03-02 09:00:00.12+00')).toBe('2026-03-02T09:00:00.120Z')
  expect(isoFromPostgres('2026-03-02 09:00:00.123+00')).toBe('2026-03-02T09:00:00.123Z')
  expect(isoFromPostgres('2026-03-02 09:00:00.123456+00')).toBe('2026-03-02T09:00:00.123Z')
  expect(isoFromPostgres('0001-01-01 00:00:00+00')).toBe('0001-01-01T00:00:00.000Z')
})

test('every instant comes back from the database as it was sent', async () => {
  const instants = fc.sample(
    fc.date({
      min: new Date('0001-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    }),
    500,
  )
  const sent = instants.map(instant => instant.toISOString())
  const [result] = await pool.flush([
    {
      text: 'select at from unnest($1::timestamptz[]) with ordinality as x (at, n) order by n',
      values: [sent],
    },
  ])
  expect(result!.rows.map(row => row.at)).toEqual(sent)
})

test('counts are numbers and days are text', async () => {
  const [result] = await pool.flush([{ text: `select count(*) as n, date '2026-02-28' as day`, values: [] }])
  expect(result!.rows).toEqual([{ n: 1, day: '2026-02-28' }])
})

test('the application speaks as a role that owns nothing, in UTC, and not for ever', async () => {
  const text = `select current_user as role, current_setting('timezone') as zone, current_setting('statement_timeout') as timeout`
  const [result] = await pool.flush([{ text, values: [] }])
  expect(result!.rows).toEqual([{ role: 'rapport_app', zone: 'UTC', timeout: '30s' }])
})

test('a team is set without a warning in the log of the server', async () => {
  const single = openPool({ url: database.loginUrl, size: 1, onError: () => {} })
  const { client, flush, release } = await single.checkOut()
  const warnings: unknown[] = []
  client.on('notice', warning => warnings.push(warning))
  await flush([{ text: 'set client_min_messages = warning', values: [] }])
  release()
  const asked = { text: `select current_setting('app.team') as team`, values: [] }
  const answers = await single.flush([teamSetting('a'.repeat(24)), asked])
  expect(answers.map(({ rows }) => rows)).toEqual([[], [{ team: 'a'.repeat(24) }]])
  expect(warnings).toEqual([])
  await single.close()
})

test('after a statement that failed, its connection serves the next', async () => {
  const single = openPool({ url: database.loginUrl, size: 1, onError: () => {} })
  const pid = { text: 'select pg_backend_pid() as pid', values: [] }
  const [before] = await single.flush([pid])
  await expect(single.flush([{ text: 'select 1 / 0', values: [] }])).rejects.toMatchObject({ code: '22012' })
  expect((await single.flush([pid]))[0]!.rows).toEqual(before!.rows)
  await single.close()
})

test('who waits for a connection gets one when another is released', async () => {
  const held = [await pool.checkOut(), await pool.checkOut()]
  const waiting = pool.checkOut()
  expect(pool.stats()).toEqual({ total: 2, idle: 0, waiting: 1 })
  held[0]!.release()
  const third = await waiting
  expect((await third.flush([{ text: 'select 1 as one', values: [] }]))[0]!.rows).toEqual([{ one: 1 }])
  third.release()
  held[1]!.release()
  expect(pool.stats()).toEqual({ total: 2, idle: 2, waiting: 0 })
})
