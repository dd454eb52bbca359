import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemContext } from '#platform/context.ts'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import { eventually } from '#test/eventually.ts'
import { full } from '#test/tier.ts'
import { BULK_BLOCK_LEADS, changeBlock, failBulkChange } from './bulk.ts'
import { recount } from './counts.ts'
import { correctStates } from './states.ts'

let app: TestApp
/** The same product without a worker: what is begun waits until somebody runs it. */
let still: TestApp

beforeAll(async () => {
  app = await startApp()
  still = await startApp({ role: 'api' })
})
afterAll(async () => {
  await app.close()
  await still.close()
})

/** A team with so many leads, half of them from the fair. */
async function teamWith(count: number, on = app): Promise<Person> {
  const person = await on.person()
  await on.database.query(
    `insert into leads (team_id, id, first_name, email, status, call_status, pipeline_stage, source, utm, custom, created_at, updated_at)
     select $1, lpad(to_hex(n), 24, '0'), 'L' || n, 'l' || n || '@example.test', 'NEW', 'NONE', 'New',
       case when n % 2 = 0 then 'fair' end, '{}', '{}', now() - interval '1 day', now() - interval '1 day' from generate_series(1, $2::int) n`,
    [person.team_id, count],
  )
  await recount(person.ctx)
  await correctStates(person.ctx)
  return person
}

/** Hundreds of leads, and what reacts to each of them, on a machine that runs everything at once. */
const BULK_MAX_MS = 60_000

const start = async (person: Person, body: object) => person.browser.post('/api/crm/leads/bulk-changes', body)
const read = async (person: Person, id: string) =>
  (await person.browser.get(`/api/crm/leads/bulk-changes/${id}`)).body
const ended = (person: Person, id: string) =>
  eventually(async () => {
    const job = await read(person, id)
    expect(job.status).not.toBe('RUNNING')
    return job
  }, BULK_MAX_MS)
const counts = async (person: Person, on = app) => {
  const rows = await on.database.query<{ stage: string; count: number; events: number }>(
    `select pipeline_stage as stage, count(*)::int as count,
       (select count(*)::int from events where events.team_id = $1 and type = 'lead.changed'
          and data->'after'->>'pipeline_stage' = pipeline_stage) as events
     from leads where team_id = $1 and deleted_at is null group by pipeline_stage order by 1`,
    [person.team_id],
  )
  return Object.fromEntries(rows.map(row => [row.stage, [row.count, row.events]]))
}

test('everything that matches is changed, and nothing else, with an event for each by who asked for it', async () => {
  const ada = await teamWith(1_021)
  const { status, body } = await start(ada, {
    filter: { source: ['fair'] },
    set: { pipeline_stage: 'Contacted' },
  })
  expect(status).toBe(201)
  expect(body).toMatchObject({ status: 'RUNNING', total: 510, processed: 0 })
  expect(await ended(ada, body.id)).toMatchObject({
    status: 'DONE',
    total: 510,
    processed: 510,
    changed: 510,
  })
  expect(await counts(ada)).toEqual({ New: [511, 0], Contacted: [510, 510] })
  const [event] = await app.database.query<{ actor_id: string }>(
    `select distinct actor_id from events where team_id = $1 and type = 'lead.changed'`,
    [ada.team_id],
  )
  expect(event).toEqual({ actor_id: ada.user_id })
})

test('a filter on what is changed reaches every lead once, and leads that are so already are not told of', async () => {
  const ada = await teamWith(520)
  const first = await start(ada, { filter: { pipeline_stage: ['New'] }, set: { pipeline_stage: 'Won' } })
  expect(await ended(ada, first.body.id)).toMatchObject({ processed: 520, changed: 520 })
  const again = await start(ada, { filter: {}, set: { pipeline_stage: 'Won' } })
  expect(await ended(ada, again.body.id)).toMatchObject({ processed: 520, changed: 0 })
  expect(await counts(ada)).toEqual({ Won: [520, 520] })
})

test('a search finds more than a list would show, and the trash and back work the same way', async () => {
  const ada = await teamWith(1_050)
  const gone = await start(ada, { filter: { q: 'example' }, trashed: true })
  expect(await ended(ada, gone.body.id)).toMatchObject({ status: 'DONE', changed: 1_050 })
  expect(await counts(ada)).toEqual({})
  const back = await start(ada, { filter: { trashed: true }, trashed: false })
  expect(await ended(ada, back.body.id)).toMatchObject({ changed: 1_050 })
  expect(await counts(ada)).toEqual({ New: [1_050, 0] })
})

describe('cancelled', () => {
  test('it stops between two blocks: each lead is whole, with its event or as it was', async () => {
    const leads = full ? 50_000 : 3 * BULK_BLOCK_LEADS
    const ada = await teamWith(leads, still)
    const { body } = await start(ada, { filter: {}, set: { pipeline_stage: 'Lost', source: 'swept' } })
    const ctx = systemContext(still.runtime, ada.team_id)
    const block = () =>
      ctx.transaction(ctx => changeBlock(ctx, { data: { id: body.id } } as Parameters<typeof changeBlock>[1]))
    await block()
    // While a second is under way somebody cancels: it is finished, and is the last.
    const [, cancelled] = await Promise.all([
      block(),
      ada.browser.post(`/api/crm/leads/bulk-changes/${body.id}/cancel`),
    ])
    expect(cancelled).toMatchObject({ status: 200, body: { status: 'CANCELLED' } })
    await block()
    const { processed, changed, total, status } = await read(ada, body.id)
    expect({ total, status }).toEqual({ total: leads, status: 'CANCELLED' })
    expect(processed).toBe(changed)
    expect([BULK_BLOCK_LEADS, 2 * BULK_BLOCK_LEADS]).toContain(changed)
    expect(await counts(ada, still)).toEqual({ Lost: [changed, changed], New: [leads - changed, 0] })
    const [half] = await still.database.query<{ count: number }>(
      `select count(*)::int as count from leads where team_id = $1 and (pipeline_stage = 'Lost') <> (source is not distinct from 'swept')`,
      [ada.team_id],
    )
    expect(half).toEqual({ count: 0 })
  })

  test('twice, or after the end, it stays what it was', async () => {
    const ada = await teamWith(3)
    const { body } = await start(ada, { filter: {}, set: { source: 'x' } })
    await ended(ada, body.id)
    const late = await ada.browser.post(`/api/crm/leads/bulk-changes/${body.id}/cancel`)
    expect(late).toMatchObject({ status: 200, body: { status: 'DONE', changed: 3 } })
  })
})

test('a block that is run twice by a worker that lost its lease changes nothing twice', async () => {
  const ada = await teamWith(510, still)
  const { body } = await start(ada, { filter: {}, set: { pipeline_stage: 'Won' } })
  const ctx = systemContext(still.runtime, ada.team_id)
  const job = { data: { id: body.id } } as Parameters<typeof changeBlock>[1]
  await Promise.all([1, 2, 3, 4].map(() => ctx.transaction(ctx => changeBlock(ctx, job))))
  expect(await read(ada, body.id)).toMatchObject({ status: 'DONE', processed: 510, changed: 510 })
  expect(await counts(ada, still)).toEqual({ Won: [510, 510] })
})

test('a filter by what another team has matches nothing of theirs', async () => {
  const [ada, eve] = [await teamWith(3), await teamWith(3)]
  const account = (await ada.browser.post('/api/crm/accounts', { name: 'Acme' })).body
  const [lead] = (await ada.browser.get('/api/crm/leads')).body.data
  await ada.browser.patch(`/api/crm/leads/${lead.id}`, { account_id: account.id, owner_id: ada.user_id })
  for (const filter of [{ account_id: [account.id] }, { owner_id: [ada.user_id] }]) {
    const { body } = await start(eve, { filter, trashed: true })
    expect(await ended(eve, body.id)).toMatchObject({ total: 0, processed: 0, changed: 0 })
  }
  expect((await ada.browser.get('/api/crm/leads')).body.data).toHaveLength(3)
  expect((await eve.browser.get('/api/crm/leads')).body.data).toHaveLength(3)
})

test('one that the queue gave up on is told as failed, with what was done', async () => {
  const ada = await teamWith(510, still)
  const { body } = await start(ada, { filter: {}, set: { pipeline_stage: 'Won' } })
  const ctx = systemContext(still.runtime, ada.team_id)
  const job = { data: { id: body.id } } as Parameters<typeof changeBlock>[1]
  await ctx.transaction(ctx => changeBlock(ctx, job))
  await ctx.transaction(ctx => failBulkChange(ctx, job))
  expect(await read(ada, body.id)).toMatchObject({
    status: 'FAILED',
    changed: 500,
    error: expect.any(String),
  })
  // What is over is not failed afterwards.
  await ctx.transaction(ctx => changeBlock(ctx, job))
  expect(await counts(ada, still)).toEqual({ New: [10, 0], Won: [500, 500] })
})

test('what is wrong with the change is told at once, and nothing is begun', async () => {
  const ada = await teamWith(1)
  const stranger = await app.person()
  const owner = await start(ada, { filter: {}, set: { owner_id: stranger.user_id } })
  expect(owner.body.errors).toEqual([{ path: 'set.owner_id', message: 'is not a member of this team' }])
  const stage = await start(ada, { filter: {}, set: { pipeline_stage: 'Nowhere' } })
  expect(stage.body.errors[0].path).toBe('set.pipeline_stage')
  expect((await start(ada, { filter: {} })).status).toBe(422)
  expect((await start(ada, { filter: { colour: 'red' }, trashed: true })).status).toBe(422)
  expect((await ada.browser.get('/api/crm/leads/bulk-changes')).body.data).toEqual([])
})

test('a lead that the change would leave without a name stops it with the reason, at a whole block', async () => {
  const ada = await app.person()
  await ada.browser.post('/api/crm/leads', { first_name: 'Only' })
  const { body } = await start(ada, { filter: {}, set: { first_name: null } })
  expect(await ended(ada, body.id)).toMatchObject({
    status: 'FAILED',
    changed: 0,
    error: expect.stringContaining('at least one of'),
  })
})
