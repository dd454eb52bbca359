import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#platform/ids.ts'
import { textOfRows } from '#test/rows.ts'
import { DAY_MS, inShort, path, setStage, startWorkshop, task, type Workshop } from './workflows.harness.ts'

let shop: Workshop
beforeAll(async () => {
  shop = await startWorkshop()
})
afterAll(() => shop.close())

/** In how many rows of the whole database a text is found. */
const copiesOf = async (words: string) =>
  (await textOfRows(shop.app.database)).filter(row => row.includes(words)).length
const tracesOf = (run_id: string) =>
  shop.app.database.query('select from workflow_traces where run_id = $1', [run_id])

test('the body of a call that ran a workflow is stored once, and the run still shows and reuses it', async () => {
  const { id } = await shop.workflow([task, setStage('{{event.stage}}')])
  const lead = await shop.lead()
  const data = { leadId: lead.id, stage: 'Won', remark: `said ${newId()}` }
  await shop.callEnded(data)
  const run = await shop.runOf(id)
  expect(await copiesOf(data.remark)).toBe(1)
  expect(run).toMatchObject({ status: 'DONE', event: data })
  expect(inShort(run)).toEqual(['nodes[0] done', 'nodes[1] done'])
  expect(await tracesOf(run.id)).toEqual([])

  await shop.api.patch(`/api/crm/leads/${lead.id}`, { pipeline_stage: 'New' })
  const again = (await shop.api.post(`${path}/runs/${run.id}/replay`)).body
  await shop.settle()
  expect((await shop.readLead(lead.id)).pipeline_stage).toBe('Won')
  expect(await shop.readRun(again.id)).toMatchObject({ status: 'DONE', event: data })
  expect(await copiesOf(data.remark)).toBe(1)
  await shop.remove(id)
})

test('a run that waits has a copy until it ends; its trace is whole', async () => {
  const { id } = await shop.workflow([task, { type: 'delay', delay: '1d' }, setStage('{{event.stage}}')])
  const lead = await shop.lead()
  const data = { leadId: lead.id, stage: 'Won', remark: `said ${newId()}` }
  const eventId = await shop.callEnded(data)
  const { id: run } = await shop.runOf(id)
  expect(await copiesOf(data.remark)).toBe(2)

  // It needs nothing but its own row.
  await shop.app.database.query('delete from inbound_events where event_id = $1', [eventId])
  await shop.pass(DAY_MS)
  expect((await shop.readLead(lead.id)).pipeline_stage).toBe('Won')
  expect(await copiesOf(data.remark)).toBe(0)
  const ended = await shop.readRun(run)
  expect(ended).toMatchObject({ status: 'DONE', event: {} })
  expect(inShort(ended)).toEqual(['nodes[0] done', 'nodes[1] waiting', 'nodes[1] done', 'nodes[2] done'])
  await shop.remove(id)
})

test('a run that was cancelled shows what triggered it, and keeps no copy', async () => {
  const { id } = await shop.workflow([{ type: 'delay', delay: '1d' }])
  const [first, second] = [await shop.lead(), await shop.lead()]
  const remark = `said ${newId()}`
  for (const { id: leadId } of [first, second]) await shop.callEnded({ leadId, remark })
  await shop.settle()
  const [cancelled, paused] = await shop.runsOf(id)
  await shop.api.post(`${path}/runs/${cancelled!.id}/cancel`)
  await shop.api.post(`${path}/runs/${paused!.id}/pause`)
  expect(await copiesOf(remark)).toBe(3)
  await shop.remove(id)
  expect(await copiesOf(remark)).toBe(2)
  for (const run of [cancelled, paused])
    expect(await shop.readRun(run!.id)).toMatchObject({ status: 'CANCELLED', event: { remark } })
})

test('a run that failed at once keeps its first part beside those of its retry', async () => {
  const { id } = await shop.workflow([
    task,
    { type: 'action', action: 'update_field', field: 'owner_id', value: 'nobody' },
  ])
  await shop.callEnded({ leadId: (await shop.lead()).id })
  const failed = await shop.runOf(id)
  expect(failed.status).toBe('FAILED')
  expect(await tracesOf(failed.id)).toEqual([])
  await shop.api.post(`${path}/runs/${failed.id}/retry`)
  const retried = await shop.runOf(id)
  expect(retried.trace.slice(0, failed.trace.length)).toEqual(failed.trace)
  expect(retried.trace.length).toBeGreaterThan(failed.trace.length)
  await shop.remove(id)
})

test('a run from before is shown as it was stored: with its own copy, its trace in rows with named fields', async () => {
  const { id } = await shop.workflow([task])
  const data = { leadId: (await shop.lead()).id, remark: 'from before' }
  const eventId = await shop.callEnded(data)
  const run = await shop.runOf(id)
  const { query } = shop.app.database
  await query(`insert into workflow_traces select team_id, id, 0, $2 from workflow_runs where id = $1`, [
    run.id,
    JSON.stringify(run.trace),
  ])
  await query('update workflow_runs set trace = null, event = $2 where id = $1', [
    run.id,
    JSON.stringify(data),
  ])
  await query('delete from inbound_events where event_id = $1', [eventId])
  expect(await shop.readRun(run.id)).toEqual(run)
  await shop.remove(id)
})
