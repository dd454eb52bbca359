import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import { findEvent, listEvents, listLeadEvents } from '#platform/event-log.ts'
import { systemContext } from '#platform/context.ts'
import { newId } from '#platform/ids.ts'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import { hold } from '#test/locks.ts'
import { inOrder } from '#test/in-order.ts'
import { makePartitions } from './partitions.ts'

inOrder()

const DAY_MS = 86_400_000

let app: TestApp
let ada: Person
const clock = new FakeClock(Date.now())
beforeAll(async () => {
  app = await startApp({ role: 'api', clock })
  ada = await app.person()
})
afterAll(() => app.close())

const parts = async () =>
  (
    await app.database.query<{ name: string }>(
      `select inhrelid::regclass::text as name from pg_inherits join pg_class on pg_class.oid = inhparent
       where relkind = 'p' order by 1`,
    )
  ).map(({ name }) => name)

/** An event of that moment, with the id it would have got. */
async function eventAt(at: Date, type = 'lead.noted'): Promise<string> {
  const id = newId(at.getTime())
  await app.database.query(
    `insert into events (team_id, id, type, subject_kind, subject_id, lead_id, actor_kind, data, at)
     values ($1, $2, $3, 'lead', $4, $4, 'system', '{}', $5)`,
    [ada.team_id, id, type, LEAD, at.toISOString()],
  )
  return id
}
const LEAD = '0'.repeat(24)

const partOf = async (id: string) =>
  (
    await app.database.query<{ part: string }>(
      'select tableoid::regclass::text as part from events where id = $1',
      [id],
    )
  )[0]!.part

describe('a table that is kept by month', () => {
  test('has the months to come before anything is written for them', async () => {
    const before = await parts()
    const later = new Date(Date.now() + 200 * DAY_MS)
    const made = await app.database.query<{ made: number }>('select make_partitions($1) as made', [later])
    expect(made[0]!.made).toBeGreaterThan(0)
    expect((await parts()).length).toBe(before.length + made[0]!.made)
    expect(await app.database.query('select make_partitions($1) as made', [later])).toEqual([{ made: 0 }])
    expect(await partOf(await eventAt(later))).toBe(
      `partitions.events_${later.toISOString().slice(0, 7).replace('-', '_')}`,
    )
  })

  test('keeps what finds no month, and moves it when its month is made', async () => {
    const far = new Date(Date.now() + 400 * DAY_MS)
    const id = await eventAt(far)
    expect(await partOf(id)).toBe('partitions.events_other')
    await app.database.query('select make_partitions($1)', [new Date(far.getTime() + 40 * DAY_MS)])
    expect(await partOf(id)).toBe(`partitions.events_${far.toISOString().slice(0, 7).replace('-', '_')}`)
    expect((await findEvent(ada.ctx, id))?.id).toBe(id)
  })

  test('is one table to who reads it: newest first, page by page, whatever the month', async () => {
    const now = Date.now()
    const ids: string[] = []
    for (const days of [700, 400, 370, 300, 100, 95, 40, 33, 32, 10, 1])
      ids.unshift(await eventAt(new Date(now - days * DAY_MS), 'test.long_ago'))
    const read: string[] = []
    let cursor: string | undefined
    do {
      const page = await listEvents(ada.ctx, { type: ['test.long_ago'] }, { limit: 3, cursor })
      read.push(...page.rows.map(row => row.id))
      cursor = page.next_cursor ?? undefined
    } while (cursor)
    expect(read).toEqual(ids)
    const until = new Date(now - 90 * DAY_MS).toISOString()
    const from = new Date(now - 380 * DAY_MS).toISOString()
    const some = await listEvents(ada.ctx, { type: ['test.long_ago'], from, until }, { limit: 50 })
    expect(some.rows.map(row => row.id)).toEqual(ids.slice(5, 9))
    const timeline = await listLeadEvents(ada.ctx, LEAD, { limit: 50, types: ['test.long_ago'] })
    expect(timeline.rows.map(row => row.id)).toEqual(ids)
  })

  test('finds what is rare behind thousands of others', async () => {
    const rare = await eventAt(new Date(Date.now() - 20 * DAY_MS), 'test.rare')
    await app.database.query(
      `insert into events (team_id, id, type, subject_kind, subject_id, actor_kind, data, at)
       select $1, lpad(to_hex(extract(epoch from now())::bigint - 1000), 8, '0') || lpad(to_hex(n), 16, '0'), 'test.frequent', 'lead', $2,
         'system', '{}', now() from generate_series(1, 2500) as n`,
      [ada.team_id, LEAD],
    )
    const found = await listEvents(ada.ctx, { type: ['test.rare'] }, { limit: 10 })
    expect(found).toMatchObject({ rows: [{ id: rare }], next_cursor: null })
    const either = await listEvents(
      ada.ctx,
      { type: ['test.rare', 'test.frequent'], actor_kind: ['system'] },
      { limit: 10 },
    )
    expect(either.rows).toHaveLength(10)
    expect(
      await listEvents(ada.ctx, { type: ['test.never'], subject_id: LEAD }, { limit: 10 }),
    ).toMatchObject({ rows: [] })
  })

  test('is nobody’s to name but the owner’s', async () => {
    await expect(
      ada.ctx.all({
        compile: () => ({ sql: 'select * from partitions.events_early', parameters: [] }),
      } as never),
    ).rejects.toThrow(/permission denied/)
  })

  test('gets its months from the housekeeping, and waits with it while somebody reads all of it', async () => {
    const ctx = systemContext(app.runtime)
    clock.advance(900 * DAY_MS)
    const reader = await hold(app.database, 'select from partitions.events_other')
    expect(await makePartitions(ctx)).toBe(0)
    await reader.letGo()
    expect(await makePartitions(ctx)).toBeGreaterThan(10)
  })
})
