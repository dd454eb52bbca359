import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemContext } from '#platform/context.ts'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import type { Client } from '#test/client.ts'
import { eventually } from '#test/eventually.ts'
import { randomNumbers } from '#test/random.ts'
import { inOrder } from '#test/in-order.ts'
import { countByStage, countLeads, FOLD_EVERY, foldCounts, recount } from './counts.ts'
import { createLead, moveLeads, holdLeads } from './service.ts'

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

/** What the board should say, counted one by one. */
async function counted(team_id = ada.team_id) {
  return app.database.query<{ stage: string; count: number }>(
    `select pipeline_stage as stage, count(*)::int as count from leads
     where team_id = $1 and deleted_at is null group by 1 order by 1`,
    [team_id],
  )
}

async function board() {
  const { body } = await client.get(`${PATH}/board`)
  return (body.columns as { stage: string; count: number }[])
    .filter(({ count }) => count > 0)
    .map(({ stage, count }) => ({ stage, count }))
    .toSorted((a, b) => (a.stage < b.stage ? -1 : 1))
}

const random = randomNumbers()

function pick<Value>(values: readonly Value[]): Value {
  return values[Math.floor(random() * values.length)]!
}

const make = async (fields: object = {}) =>
  (await client.post(PATH, { first_name: 'Grace', ...fields })).body as { id: string }

async function rows(table: string): Promise<number> {
  const [row] = await app.database.query<{ n: number }>(
    `select count(*)::int as n from ${table} where team_id = $1`,
    [ada.team_id],
  )
  return row!.n
}

describe('the counts of leads', () => {
  test('are right after each of a few hundred changes of every kind, in any order and at once', async () => {
    const stages = ['New', 'Contacted', 'Qualified', 'Won']
    const ids: string[] = []
    const changes: (() => Promise<unknown>)[] = [
      async () => ids.push((await make({ pipeline_stage: pick(stages), owner_id: ada.user_id })).id),
      async () => ids.push((await make({ pipeline_stage: pick(stages) })).id),
      () => client.patch(`${PATH}/${pick(ids)}`, { pipeline_stage: pick(stages) }),
      () => client.patch(`${PATH}/${pick(ids)}`, { status: pick(['NEW', 'WORKING']), owner_id: null }),
      () => client.delete(`${PATH}/${pick(ids)}`),
      () => client.post(`${PATH}/${pick(ids)}/restore`),
      () => client.post(`${PATH}/bulk`, { ids: [pick(ids)], set: { pipeline_stage: pick(stages) } }),
      () => client.post(`${PATH}/bulk`, { ids: [pick(ids)], trashed: pick([true, false]) }),
      () => moved(pick(ids), pick(['ENDED', 'NO_ANSWER'])),
    ]
    for (let at = 0; at < 10; at++) await changes[0]!()
    for (let round = 0; round < 25; round++) {
      await Promise.all(Array.from({ length: 8 }, () => pick(changes)()))
      expect(await board()).toEqual(await counted())
    }
    expect(await recount(ada.ctx)).toBe(0)
  })

  async function moved(id: string, call_status: string): Promise<void> {
    await ada.ctx.transaction(async ctx => {
      const [lead] = await holdLeads(ctx, [id])
      if (lead) moveLeads(ctx, [{ ctx, lead, at: ctx.now(), fields: { call_status } as never }])
    })
  }

  test('add up for each filter, and say how long a list is', async () => {
    for (const filter of [
      'pipeline_stage=New',
      'pipeline_stage=New&pipeline_stage=Won',
      'status=WORKING',
      'owner_id=none',
      `owner_id=none&owner_id=${ada.user_id}&status=NEW`,
      'call_status=NO_ANSWER&status=NEW',
    ]) {
      const { body } = await client.get(`${PATH}?limit=100&${filter}`)
      const outline = await client.get(`${PATH}/outline?${filter}`)
      expect([filter, outline.body.count]).toEqual([filter, body.data.length])
    }
  })

  test('of a change that is rolled back are left as they were', async () => {
    const before = await board()
    await expect(
      ada.ctx.transaction(async ctx => {
        await createLead(ctx, { first_name: 'Nobody' })
        throw new Error('not this time')
      }),
    ).rejects.toThrow('not this time')
    expect(await board()).toEqual(before)
  })

  test('do not include what is in the trash', async () => {
    const { id } = await make({ pipeline_stage: 'Lost' })
    const lost = () => countLeads(ada.ctx, { pipeline_stage: ['Lost'] })
    expect(await lost()).toBe(1)
    await client.delete(`${PATH}/${id}`)
    expect(await lost()).toBe(0)
    expect((await client.get(`${PATH}/outline?trashed=true`)).body.count).toBeGreaterThan(0)
  })

  test('are folded, and the sum stays the same meanwhile', async () => {
    // The changes before may have been folded a moment ago.
    await eventually(async () => {
      await make({ owner_id: ada.user_id })
      expect(await rows('lead_count_changes')).toBeGreaterThan(0)
    })
    const sum = await countLeads(ada.ctx, {})
    const seen = new Set<number>()
    let done = false
    const watching = (async () => {
      while (!done) seen.add(await countLeads(ada.ctx, {}))
    })()
    await Promise.all([foldCounts(ada.ctx), foldCounts(ada.ctx), foldCounts(ada.ctx)])
    done = true
    await watching
    expect([...seen]).toEqual([sum])
    expect(await rows('lead_count_changes')).toBe(0)
    expect(await countByStage(ada.ctx, {})).toHaveLength((await counted()).length)
  })

  test(`are folded after ${FOLD_EVERY} changes without being asked`, async () => {
    for (let at = 0; at <= FOLD_EVERY; at += 20)
      await Promise.all(Array.from({ length: 20 }, () => make({ owner_id: ada.user_id })))
    await eventually(async () => expect(await rows('lead_count_changes')).toBeLessThan(FOLD_EVERY))
    expect(await board()).toEqual(await counted())
  })

  test('are corrected by the housekeeping, which returns how many were wrong', async () => {
    await app.database.query(`update lead_counts set n = n + 5 where team_id = $1`, [ada.team_id])
    expect(await board()).not.toEqual(await counted())
    expect(await recount(systemContext(app.runtime).forTeam(ada.team_id))).toBeGreaterThan(0)
    expect(await board()).toEqual(await counted())
    expect(await recount(ada.ctx)).toBe(0)
  })

  test('of another team are another team’s', async () => {
    const other = await app.person()
    expect(await countLeads(other.ctx, {})).toBe(0)
  })
})
