import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Context } from '#platform/context.ts'
import { raw } from '#platform/database/tables.ts'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import type { Client } from '#test/client.ts'
import { randomNumbers } from '#test/random.ts'
import { inOrder } from '#test/in-order.ts'
import { listLeads, outlineLeads } from './listing.ts'
import { changeLead, createLead, holdLeads, moveLeads, restoreLead, touchLead, trashLead } from './service.ts'
import { correctStates } from './states.ts'

inOrder()

const PATH = '/api/crm/leads'
let app: TestApp
let ada: Person
let client: Client

beforeAll(async () => {
  app = await startApp()
  ada = await app.person()
  client = await ada.key()
})
afterAll(() => app.close())

const random = randomNumbers()

function pick<Value>(values: readonly Value[]): Value {
  return values[Math.floor(random() * values.length)]!
}

const make = async (fields: object = {}) =>
  (await client.post(PATH, { first_name: 'Grace', ...fields })).body as { id: string }

/** Rows that only one side has: states and leads that differ, are missing or are too many. */
async function differences(): Promise<unknown[]> {
  const ofLeads = `select id, pipeline_stage, status, call_status, created_at, updated_at, activity_key from leads
    where team_id = $1 and deleted_at is null`
  const ofStates = `select id, pipeline_stage, status, call_status, created_at, changed_at, active_at from lead_states where team_id = $1`
  return app.database.query(`(${ofLeads} except ${ofStates}) union all (${ofStates} except ${ofLeads})`, [
    ada.team_id,
  ])
}

async function listed(query: string): Promise<string[]> {
  return (await client.get(`${PATH}?limit=100&${query}`)).body.data.map(({ id }: { id: string }) => id)
}

describe('the states of leads', () => {
  test('are those of the active leads after a few hundred changes of every kind, in any order and at once', async () => {
    const stages = ['New', 'Contacted', 'Qualified', 'Won']
    const ids: string[] = []
    const changes: (() => Promise<unknown>)[] = [
      async () => ids.push((await make({ pipeline_stage: pick(stages) })).id),
      () => client.patch(`${PATH}/${pick(ids)}`, { pipeline_stage: pick(stages), company: pick(['A', 'B']) }),
      () => client.patch(`${PATH}/${pick(ids)}`, { status: pick(['NEW', 'WORKING']) }),
      () => client.post(`${PATH}/${pick(ids)}/notes`, { text: 'Called.' }),
      () => client.delete(`${PATH}/${pick(ids)}`),
      () => client.post(`${PATH}/${pick(ids)}/restore`),
      () => client.post(`${PATH}/bulk`, { ids: [pick(ids)], set: { pipeline_stage: pick(stages) } }),
      () => client.post(`${PATH}/bulk`, { ids: [pick(ids)], trashed: pick([true, false]) }),
      () => moved(pick(ids), pick([{ call_status: 'ENDED' }, { call_status: 'NO_ANSWER' }, {}])),
      () => ada.ctx.transaction(async ctx => touchLead(ctx, pick(ids), ctx.now())),
    ]
    for (let at = 0; at < 10; at++) await changes[0]!()
    for (let round = 0; round < 20; round++) {
      await Promise.all(Array.from({ length: 8 }, () => pick(changes)()))
      expect(await differences()).toEqual([])
    }
    expect(await correctStates(ada.ctx)).toBe(0)
  })

  async function moved(id: string, fields: object): Promise<void> {
    await ada.ctx.transaction(async ctx => {
      const [lead] = await holdLeads(ctx, [id])
      if (lead) moveLeads(ctx, [{ ctx, lead, at: ctx.now(), fields: fields as never }])
    })
  }

  test('are right after several steps of one transaction, whichever comes first', async () => {
    const later = new Date(Date.now() + 60_000).toISOString()
    const [kept, trashed] = await ada.ctx.transaction(async ctx => {
      const one = await createLead(ctx, { first_name: 'Made and called' })
      await touchLead(ctx, one.id, later)
      const two = await createLead(ctx, { first_name: 'Made and trashed' })
      await touchLead(ctx, two.id, later)
      await trashLead(ctx, two.id)
      return [one, two]
    })
    expect(await differences()).toEqual([])
    expect((await listed('sort=-last_activity_at'))[0]).toBe(kept!.id)
    await ada.ctx.transaction(async ctx => {
      await touchLead(ctx, trashed!.id, later)
      await restoreLead(ctx, trashed!.id)
      await changeLead(ctx, trashed!.id, { status: 'WORKING' })
    })
    expect(await differences()).toEqual([])
    expect(await listed('status=WORKING')).toContain(trashed!.id)
  })

  test('of a change that is rolled back, or of one step of it, are left as they were', async () => {
    const { id } = await make()
    await ada.ctx.transaction(async ctx => {
      const failing = ctx.attempt(async () => {
        await changeLead(ctx, id, { status: 'WORKING' })
        throw new Error('not this step')
      })
      await expect(failing).rejects.toThrow('not this step')
      await changeLead(ctx, id, { pipeline_stage: 'Won' })
    })
    await expect(
      ada.ctx.transaction(async ctx => {
        await trashLead(ctx, id)
        throw new Error('not this time')
      }),
    ).rejects.toThrow('not this time')
    expect(await differences()).toEqual([])
  })

  test('are not asked by a transaction that changed leads: it lists and counts them as it left them', async () => {
    const { id } = await make({ pipeline_stage: 'Contacted' })
    await ada.ctx.transaction(async ctx => {
      const before = await outlineLeads(ctx, { pipeline_stage: ['Qualified'] })
      await changeLead(ctx, id, { pipeline_stage: 'Qualified' })
      const { data } = await listLeads(ctx, { pipeline_stage: ['Qualified'], sort: '-updated_at', limit: 1 })
      expect(data.map(lead => lead.id)).toEqual([id])
      const { count } = await outlineLeads(ctx, { pipeline_stage: ['Qualified'] })
      expect(count).toBe(before.count + 1)
    })
  })

  test('take the changes of status, stage and activity off every index of leads', async () => {
    const { id } = await make()
    const updates = (ctx: Context) =>
      ctx.first(
        raw<{
          n: number
          in_place: number
        }>(sql`select pg_stat_get_xact_tuples_updated('leads'::regclass) as n,
          pg_stat_get_xact_tuples_hot_updated('leads'::regclass) as in_place`),
      )
    const [before, after] = await ada.ctx.transaction(async ctx => {
      const before = await updates(ctx)
      await touchLead(ctx, id, ctx.now())
      await changeLead(ctx, id, { status: 'WORKING', pipeline_stage: 'Won' })
      const [lead] = await holdLeads(ctx, [id])
      moveLeads(ctx, [{ ctx, lead: lead!, at: ctx.now(), fields: { call_status: 'ENDED' } as never }])
      // Writes what was noted before it.
      await touchLead(ctx, id, ctx.now())
      return [before!, (await updates(ctx))!]
    })
    expect([after.n - before.n, after.in_place - before.in_place]).toEqual([4, 4])
  })

  test('are corrected by the housekeeping after leads were written by SQL', async () => {
    const [missing, stale, trashed] = [await make(), await make(), await make()]
    await app.database.query(`delete from lead_states where id = $1`, [missing.id])
    await app.database.query(`update leads set status = 'NURTURING' where id = $1`, [stale.id])
    await app.database.query(`update leads set deleted_at = now() where id = $1`, [trashed.id])
    expect(await listed('sort=-updated_at')).not.toContain(missing.id)
    expect(await correctStates(ada.ctx)).toBe(3)
    expect(await differences()).toEqual([])
    expect(await listed('sort=-updated_at')).toContain(missing.id)
    expect(await correctStates(ada.ctx)).toBe(0)
  })
})
