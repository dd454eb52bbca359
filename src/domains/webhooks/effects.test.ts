import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { domains, type Domain } from '#app'
import { noteLead } from '#domains/leads/service.ts'
import { findLead } from '#domains/leads/service.ts'
import { findEvent } from '#platform/event-log.ts'
import { enqueue, type Job } from '#platform/jobs/queue.ts'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import { createDatabase, type TestDatabase } from '#test/database.ts'
import { eventually } from '#test/eventually.ts'
import { tell } from '#test/provider.ts'
import { inOrder } from '#test/in-order.ts'
import { onInbound } from './effects.ts'
import { recordEvents } from './routing.ts'

inOrder()

/** Without those that take up what the voice provider tells: how an effect comes about is looked at by one of the test's own. */
const others = domains.filter(({ name }) => name !== 'calls' && name !== 'softphone')

/** A part of the product as a later one may be: it notes on the lead that a call has ended. */
let broken = false
const calls: Domain = {
  name: 'calls',
  endpoints: {},
  api: {},
  reactions: [
    {
      ...onInbound('call_ended', 'calls.note', async (ctx, { data }) => {
        if (broken) throw new Error('it broke')
        const { leadId, durationSec } = data.data as { leadId: string; durationSec: number }
        if (!(await findLead(ctx, leadId))) return { matched: false, note: `No lead ${leadId}.` }
        await noteLead(ctx, leadId, `Spoke for ${durationSec} s.`)
        return { matched: true }
      }),
      triesMax: 1,
    },
  ],
}

let database: TestDatabase
let app: TestApp
let ada: Person
let lead: { id: string }

beforeAll(async () => {
  database = await createDatabase()
  app = await startApp({ database, domains: [...others, calls] })
  ada = await app.person('ada@example.test')
})
beforeEach(async () => {
  broken = false
  lead = (await ada.browser.post('/api/crm/leads', { first_name: 'Grace' })).body
})
afterAll(async () => {
  await app.close()
  await database.drop()
})

let events = 0
const ended = (leadId = lead.id) => ({
  eventId: `evt_${++events}`,
  type: 'call_ended',
  data: { leadId, durationSec: 200 },
})
const inInbox = async (person: Person, eventId: string) => {
  const [found] = (await person.browser.get(`/api/webhooks/inbox?event_id=${eventId}`)).body.data
  return found && (await person.browser.get(`/api/webhooks/inbox/${found.id}`)).body
}
const becomes = (eventId: string, status: string, person = ada) =>
  eventually(async () => {
    const event = await inInbox(person, eventId)
    expect(event).toMatchObject({ status })
    return event
  })
const notes = async (id = lead.id) =>
  (await ada.browser.get(`/api/crm/leads/${id}/timeline?type=lead.noted`)).body.data
const replay = (id: string) => ada.browser.post(`/api/webhooks/inbox/${id}/replay`)

test('fifty copies at once have one effect, and the inbox tells what it was', async () => {
  const event = ended()
  await Promise.all(Array.from({ length: 50 }, () => tell(app.url, 'voice', event)))
  const shown = await becomes(event.eventId, 'processed')
  expect(shown).toMatchObject({
    duplicates: 49,
    effects: [{ reaction: 'calls.note', outcome: 'done', note: null }],
    caused: [{ type: 'lead.noted', subject: { kind: 'lead', id: lead.id }, lead_id: lead.id }],
  })
  const [note, ...more] = await notes()
  expect(more).toEqual([])
  expect(note).toMatchObject({
    data: { text: 'Spoke for 200 s.' },
    cause: { kind: 'provider', name: 'voice provider' },
  })
})

test('an event that names no record we know waits, and finds it when it is replayed', async () => {
  const trashed = await ada.browser.delete(`/api/crm/leads/${lead.id}`)
  expect(trashed.status).toBe(204)
  const event = ended()
  await tell(app.url, 'voice', event)
  const { id, effects } = await becomes(event.eventId, 'unmatched')
  expect(effects).toMatchObject([{ outcome: 'unmatched', note: `No lead ${lead.id}.` }])
  await ada.browser.post(`/api/crm/leads/${lead.id}/restore`)
  expect(await replay(id)).toMatchObject({ status: 200, body: { status: 'accepted', replays: 1 } })
  await becomes(event.eventId, 'processed')
  expect(await notes()).toHaveLength(1)
})

test('an event that was taken up meanwhile is not taken up again', async () => {
  const event = ended()
  await tell(app.url, 'voice', event)
  const { id } = await becomes(event.eventId, 'processed')
  await ada.ctx.transaction(ctx => recordEvents(ctx, [{ data: { ids: [id] } } as Job]))
  const recorded = `select from events where type = 'webhook:call_ended' and data ->> 'eventId' = $1`
  expect(await database.query(recorded, [event.eventId])).toHaveLength(1)
})

test('what is done is not done again, however often and however parallel it is replayed', async () => {
  const event = ended()
  await tell(app.url, 'voice', event)
  const { id } = await becomes(event.eventId, 'processed')
  await Promise.all(Array.from({ length: 10 }, () => replay(id)))
  await eventually(async () => expect((await inInbox(ada, event.eventId)).status).toBe('processed'))
  await eventually(async () => expect(await database.query('select kind from jobs')).toEqual([]))
  expect(await notes()).toHaveLength(1)
  expect(await inInbox(ada, event.eventId)).toMatchObject({ replays: 10, status: 'processed' })
})

test('an effect that fails is seen in the inbox, holds up no other, and can be replayed once it is mended', async () => {
  broken = true
  const poisoned = ended()
  await tell(app.url, 'voice', poisoned)
  const { id, effects } = await becomes(poisoned.eventId, 'failed')
  expect(effects).toMatchObject([{ reaction: 'calls.note', outcome: 'failed' }])
  broken = false
  const other = ended()
  await tell(app.url, 'voice', other)
  await becomes(other.eventId, 'processed')
  await replay(id)
  await becomes(poisoned.eventId, 'processed')
  expect(await notes()).toHaveLength(2)
})

/** An event that the inbox no longer has; the log has it under this ID. */
async function forgotten() {
  const event = ended()
  await tell(app.url, 'voice', event)
  const { id } = await becomes(event.eventId, 'processed')
  const [row] = await database.query<{ recorded_id: string }>(
    'delete from inbound_events where id = $1 returning recorded_id',
    [id],
  )
  return { event, recorded_id: row!.recorded_id }
}

test('an event from before, whose body is in the log as well, needs no inbox', async () => {
  const { event, recorded_id } = await forgotten()
  expect((await findEvent(ada.ctx, recorded_id))!.data).toEqual({
    endpoint: 'voice',
    eventId: event.eventId,
  })
  const whole = { endpoint: 'voice', eventId: event.eventId, data: event.data }
  await database.query('update events set data = $2 where id = $1', [recorded_id, JSON.stringify(whole)])
  expect((await findEvent(ada.ctx, recorded_id))!.data).toEqual(whole)
})

test('a job about an event whose body is no longer kept fails, and says so', async () => {
  const { recorded_id } = await forgotten()
  await ada.ctx.transaction(async ctx =>
    enqueue(ctx, { kind: 'calls.note@webhook:call_ended', event_id: recorded_id }),
  )
  await eventually(async () =>
    expect(
      await database.query(`select last_error from jobs where state = 'dead' and event_id = $1`, [
        recorded_id,
      ]),
    ).toMatchObject([{ last_error: expect.stringContaining(`the data of event ${recorded_id}`) }]),
  )
})

describe('events of a part of the product that is not there yet', () => {
  /** More than go in one job. */
  const MANY = 210

  test('wait, and a replay of their time brings each in once', async () => {
    await app.close()
    app = await startApp({ database, domains: others })
    ada = await app.person('ada@example.test')
    const from = new Date().toISOString()
    const waiting = Array.from({ length: MANY }, () => ended())
    await Promise.all(waiting.map(event => tell(app.url, 'voice', event)))
    const counted = async (status: string) =>
      (
        await database.query<{ count: number }>(
          `select count(*)::int as count from inbound_events where status = $1 and received_at >= $2`,
          [status, from],
        )
      )[0]!.count
    await eventually(async () => expect(await counted('waiting')).toBe(MANY))
    await app.close()

    app = await startApp({ database, domains: [...others, calls] })
    ada = await app.person('ada@example.test')
    const until = new Date(Date.now() + 1000).toISOString()
    const window = { from, until, endpoint: ['voice'], status: ['waiting'] }
    expect(await ada.browser.post('/api/webhooks/inbox/replay', window)).toMatchObject({
      body: { count: MANY },
    })
    await eventually(async () => expect(await counted('processed')).toBe(MANY))
    const told = await database.query(`select 1 from events where type = 'lead.noted' and lead_id = $1`, [
      lead.id,
    ])
    expect(told).toHaveLength(MANY)
    expect(await ada.browser.post('/api/webhooks/inbox/replay', window)).toMatchObject({ body: { count: 0 } })
  })

  test('a time that ends before it begins is refused', async () => {
    const at = '2026-01-01T00:00:00Z'
    expect(await ada.browser.post('/api/webhooks/inbox/replay', { from: at, until: at })).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'from' }, { path: 'until' }] },
    })
  })
})
