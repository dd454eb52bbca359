import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Context } from '#platform/context.ts'
import { raw } from '#platform/database/tables.ts'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import type { Lead } from './contract.ts'
import { changeLeads, createLead, findLeads, getLead, holdLeads, moveLeads, touchLead } from './service.ts'

let app: TestApp
let ada: Person

beforeAll(async () => {
  app = await startApp()
  ada = await app.person()
})
afterAll(() => app.close())

/** A call of the lead has ended, within the transaction. */
async function calledIn(ctx: Context, id: string, at = ctx.now()): Promise<void> {
  const [lead] = await holdLeads(ctx, [id])
  moveLeads(ctx, [{ ctx, lead: lead!, at, fields: { call_status: 'ENDED', status: 'WORKING' } }])
}

/** How many leads the connection has updated so far. */
async function updatesIn(ctx: Context): Promise<number> {
  const row = await ctx.first(
    raw<{ count: number }>(sql`select pg_stat_get_xact_tuples_updated('leads'::regclass) as count`),
  )
  return row!.count
}

const makeLead = () => createLead(ada.ctx, { first_name: 'Ada' })
const stored = (id: string): Promise<Lead> => getLead(ada.ctx, id)

test('activity is written with the commit, and seen by what the transaction reads before', async () => {
  const { id } = await makeLead()
  await ada.ctx.transaction(async ctx => {
    await calledIn(ctx, id)
    const [found] = await findLeads(ctx, [id])
    expect(found).toMatchObject({ call_status: 'ENDED', status: 'WORKING' })
    expect((await getLead(ctx, id)).call_status).toBe('ENDED')
  })
  expect(await stored(id)).toMatchObject({ call_status: 'ENDED', status: 'WORKING' })
})

test('activity and a change of the same lead are one update, and both hold', async () => {
  const { id } = await makeLead()
  await ada.ctx.transaction(async ctx => {
    const before = await updatesIn(ctx)
    await calledIn(ctx, id)
    expect(await updatesIn(ctx)).toBe(before)
    const [changed] = await changeLeads(ctx, [{ ctx, id, change: { pipeline_stage: 'Qualified' } }])
    expect(changed).toMatchObject({ call_status: 'ENDED', pipeline_stage: 'Qualified' })
    expect(await updatesIn(ctx)).toBe(before + 1)
  })
  const lead = await stored(id)
  expect(lead).toMatchObject({ call_status: 'ENDED', status: 'WORKING', pipeline_stage: 'Qualified' })
  expect(lead.last_activity_at).not.toBeNull()
})

test('a change that is rolled back takes no activity with it', async () => {
  const { id } = await makeLead()
  await ada.ctx.transaction(async ctx => {
    await calledIn(ctx, id)
    const attempt = ctx.attempt(async () => {
      await changeLeads(ctx, [{ ctx, id, change: { pipeline_stage: 'Won' } }])
      throw new Error('refused')
    })
    await expect(attempt).rejects.toThrow('refused')
  })
  expect(await stored(id)).toMatchObject({ call_status: 'ENDED', pipeline_stage: 'New' })
})

test('activity that an attempt noted is gone with it', async () => {
  const { id } = await makeLead()
  await ada.ctx.transaction(async ctx => {
    const attempt = ctx.attempt(async () => {
      await calledIn(ctx, id)
      throw new Error('refused')
    })
    await expect(attempt).rejects.toThrow('refused')
  })
  expect(await stored(id)).toMatchObject({ call_status: 'NONE', last_activity_at: null })
})

test('a later touch is not undone by activity that was noted before', async () => {
  const { id } = await makeLead()
  const later = ada.ctx.in(60_000)
  await ada.ctx.transaction(async ctx => {
    await calledIn(ctx, id)
    await touchLead(ctx, id, later)
  })
  expect(await stored(id)).toMatchObject({ call_status: 'ENDED', last_activity_at: later })
})
