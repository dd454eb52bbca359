import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import { eventually } from '#test/eventually.ts'
import { expectProblem } from '#test/problem.ts'
import { voiceTeam } from './calls.harness.ts'
import { consentOf } from './consents.ts'
import {
  addLines,
  awaitTool,
  cancelCall,
  connectCall,
  dialCall,
  endCall,
  moveCall,
  startCall,
} from './service.ts'
import { jobs, sweeps } from './jobs.ts'

let app: TestApp
let ada: Person
let team: ReturnType<typeof voiceTeam>

beforeAll(async () => {
  app = await startApp()
  ada = await app.person('ada@example.test')
  team = voiceTeam(app, ada)
})
afterAll(() => app.close())

const calls = '/api/voice/calls'
const none = { agent_id: null, agent_version: null, user_id: null, from: null, to: null, provider: null }
const dialled = async (lead_id: string | null, more: object = {}) =>
  startCall(ada.ctx, { kind: 'agent', direction: 'outbound', status: 'DIALING', lead_id, ...none, ...more })
const anAgent = async (outbound = {}) => {
  const rules = {
    consent: 'not_required',
    quiet_hours: null,
    attempts_max: 2,
    retry_after_min: 60,
    ...outbound,
  }
  return (await ada.browser.post('/api/voice/agents', { name: 'Desk', instructions: 'x', outbound: rules }))
    .body
}

describe('a call that somebody writes down', () => {
  test('is over, and stands on the lead’s timeline', async () => {
    const lead = await team.newLead({ first_name: 'Ada', phone: '+4930123001' })
    const started_at = new Date(Date.now() - 600_000).toISOString()
    const reply = await ada.browser.post(calls, {
      lead_id: lead.id,
      started_at,
      duration_sec: 125,
      notes: 'Likes tea',
      outcome: 'warm',
    })
    expect(reply.status, reply.text).toBe(201)
    expect(reply.body).toMatchObject({
      kind: 'manual',
      status: 'ENDED',
      to: '+4930123001',
      user_id: ada.user_id,
      duration_sec: 125,
      connected_at: started_at,
      outcome: 'warm',
      notes: 'Likes tea',
      summary: 'Talked for 2 min.',
      follow_up: { intent: 'none' },
    })
    expect((await ada.browser.get(`${calls}/${reply.body.id}`)).body).toEqual(reply.body)
    expect(await team.lead(lead.id)).toMatchObject({ call_status: 'ENDED', status: 'WORKING' })
    const [ended] = (await team.timeline(lead.id)).filter(
      ({ type }: { type: string }) => type === 'call.ended',
    )
    expect(ended).toMatchObject({
      cause: { kind: 'person' },
      data: { durationSec: 125, callId: reply.body.id, leadId: lead.id },
    })
  })

  test('that goes on is connected and ended by who makes it', async () => {
    const lead = await team.newLead()
    const { body: begun } = await ada.browser.post(calls, { kind: 'human', lead_id: lead.id })
    expect(begun).toMatchObject({ status: 'DIALING', ended_at: null })
    expect(await team.lead(lead.id)).toMatchObject({ call_status: 'DIALING', status: 'NEW' })
    await ada.browser.patch(`${calls}/${begun.id}`, { status: 'CONNECTED' })
    expect(await team.lead(lead.id)).toMatchObject({ call_status: 'CONNECTED', status: 'WORKING' })
    const ended = await ada.browser.patch(`${calls}/${begun.id}`, {
      status: 'ENDED',
      duration_sec: 61,
      summary: 'Good.',
      notes: 'x',
    })
    expect(ended.body).toMatchObject({ status: 'ENDED', duration_sec: 61, summary: 'Good.', notes: 'x' })
    const again = await ada.browser.patch(`${calls}/${begun.id}`, { status: 'CONNECTED' })
    expect(again.body).toMatchObject({ status: 'ENDED' })
    expect(await team.lead(lead.id)).toMatchObject({ call_status: 'ENDED' })
  })

  test('is refused with what is wrong with it', async () => {
    const lead = await team.newLead()
    const later = new Date(Date.now() + 60_000).toISOString()
    expectProblem(await ada.browser.post(calls, { lead_id: 'f'.repeat(24) }), 422)
    expectProblem(await ada.browser.post(calls, { lead_id: lead.id, started_at: later }), 422)
    expectProblem(await ada.browser.post(calls, { lead_id: lead.id, kind: 'human', duration_sec: 5 }), 422)
    expect(await team.calls(`?lead_id=${lead.id}`)).toEqual([])
    const call = await dialled(lead.id)
    expectProblem(
      await ada.browser.patch(`${calls}/${call.id}`, { status: 'ENDED' }),
      409,
      'call_of_an_agent',
    )
    expectProblem(await ada.browser.patch(`${calls}/${call.id}`, { lead_id: 'f'.repeat(24) }), 422)
    expectProblem(await ada.browser.get(`${calls}/${'f'.repeat(24)}`), 404)
  })

  test('is changed as it was read, or not at all; what was before stands in the log', async () => {
    const lead = await team.newLead()
    const { body, headers } = await ada.browser.post(calls, { lead_id: lead.id })
    const first = await ada.browser.patch(
      `${calls}/${body.id}`,
      { notes: 'one' },
      { 'if-match': headers.get('etag')! },
    )
    expect(first.status).toBe(200)
    expectProblem(
      await ada.browser.patch(`${calls}/${body.id}`, { notes: 'two' }, { 'if-match': headers.get('etag')! }),
      412,
    )
    const [changed] = (await team.timeline(lead.id)).filter(
      ({ type }: { type: string }) => type === 'call.changed',
    )
    expect(changed.data).toEqual({ before: { notes: null }, after: { notes: 'one' } })
    const other = await team.newLead()
    await ada.browser.patch(`${calls}/${body.id}`, { lead_id: other.id })
    expect(await team.lead(other.id)).toMatchObject({ call_status: 'ENDED' })
  })

  test('a list is filtered, newest first, a page at a time', async () => {
    const lead = await team.newLead()
    const at = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
    for (const [minutes, status] of [
      [30, 'ENDED'],
      [20, 'NO_ANSWER'],
      [10, 'ENDED'],
    ] as const)
      await ada.browser.post(calls, {
        lead_id: lead.id,
        started_at: at(minutes),
        status,
        direction: 'inbound',
      })
    const live = await dialled(lead.id)
    const list = async (query: string) =>
      (await ada.browser.get(`${calls}?lead_id=${lead.id}&${query}`)).body as {
        data: { id: string; status: string }[]
        next_cursor: string
      }
    const statuses = async (query: string) => (await list(query)).data.map(({ status }) => status)
    expect(await statuses('')).toEqual(['DIALING', 'ENDED', 'NO_ANSWER', 'ENDED'])
    expect(await statuses('sort=started_at&limit=2')).toEqual(['ENDED', 'NO_ANSWER'])
    expect(await statuses('live=true')).toEqual(['DIALING'])
    expect(await statuses('live=false&direction=inbound&status=ENDED')).toEqual(['ENDED', 'ENDED'])
    expect(await statuses(`from_time=${at(25)}&until_time=${at(15)}`)).toEqual(['NO_ANSWER'])
    expect(await statuses('kind=agent')).toEqual(['DIALING'])
    const first = await list('limit=3')
    expect((await list(`limit=3&cursor=${first.next_cursor}`)).data).toHaveLength(1)
    await cancelCall(ada.ctx, live.id, 'Enough.')
  })
})

describe('what follows a call', () => {
  test.for(['NO_ANSWER', 'VOICEMAIL', 'FAILED'] as const)(
    '%s is tried again, as often as the agent may',
    async status => {
      const lead = await team.newLead()
      const { id: agent_id } = await anAgent()
      const first = await dialled(lead.id, { agent_id, agent_version: 1 })
      const at = ada.ctx.now()
      const ended = await endCall(ada.ctx, first.id, { status, at })
      const next = new Date(Date.parse(at) + 3_600_000).toISOString()
      expect(ended.follow_up).toMatchObject({ intent: 'retry', at: next })
      expect(await team.lead(lead.id)).toMatchObject({ call_status: status, status: 'NEW' })
      const last = await dialled(lead.id, { agent_id, agent_version: 1, attempt: 2 })
      expect((await endCall(ada.ctx, last.id, { status, at })).follow_up).toMatchObject({ intent: 'none' })
      expect(await team.tasks(lead.id)).toEqual([])
    },
  )

  test('one that came in and that nobody took is not called back by itself', async () => {
    const lead = await team.newLead()
    const { id: agent_id } = await anAgent()
    const call = await dialled(lead.id, { agent_id, direction: 'inbound' })
    const ended = await endCall(ada.ctx, call.id, { status: 'NO_ANSWER', at: ada.ctx.now() })
    expect(ended).toMatchObject({ follow_up: { intent: 'none' }, summary: 'The call was not answered.' })
  })

  test('talked with an agent: a task for the next working day, for whoever owns the lead', async () => {
    const lead = await team.newLead({ first_name: 'Ada', owner_id: ada.user_id, timezone: 'Asia/Tokyo' })
    const call = await dialled(lead.id)
    await connectCall(ada.ctx, call.id, ada.ctx.now())
    const ended = await endCall(ada.ctx, call.id, { status: 'ENDED', at: ada.ctx.now(), duration_sec: 30 })
    await endCall(ada.ctx, call.id, { status: 'ENDED', at: ada.ctx.now(), duration_sec: 99 })
    const [task, ...others] = await team.tasks(lead.id)
    expect(others).toEqual([])
    expect(ended.follow_up).toMatchObject({ intent: 'task', task_id: task.id })
    expect(task).toMatchObject({
      title: 'Follow up: Ada',
      description: 'Talked for 30 s.',
      assignee_id: ada.user_id,
    })
    const days = (Date.parse(task.due_at) - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(0.9)
    expect(days).toBeLessThan(3.1)
  })

  test('a workflow that listens takes it from there, and hears of calls that nobody’s webhook told', async () => {
    const eve = await app.person('eve@example.test')
    const other = voiceTeam(app, eve)
    const nodes = [
      { type: 'condition', field: 'durationSec', op: '>', value: 120 },
      { type: 'action', action: 'update_field', field: 'pipeline_stage', value: 'Qualified' },
    ]
    const made = await eve.browser.post('/api/crm/workflows', {
      name: 'After calls',
      trigger: 'Call Ended',
      nodes,
    })
    expect(made.status, made.text).toBe(201)
    const lead = await other.newLead()
    const { body: call } = await eve.browser.post(calls, { lead_id: lead.id, duration_sec: 200 })
    expect(call.follow_up).toMatchObject({ intent: 'workflow' })
    await eventually(async () =>
      expect(await other.lead(lead.id)).toMatchObject({ pipeline_stage: 'Qualified' }),
    )
  })
})

describe('the life of a call', () => {
  test('asked for again by its key, its name or its id, it is the same call', async () => {
    const lead = await team.newLead()
    const made = await dialled(lead.id, { source_key: 'key', provider_call_id: 'rtc_key' })
    expect((await dialled(lead.id, { source_key: 'key' })).id).toBe(made.id)
    expect((await dialled(lead.id, { provider_call_id: 'rtc_key' })).id).toBe(made.id)
    expect((await dialled(lead.id, { id: made.id })).id).toBe(made.id)
    const many = await Promise.all(Array.from({ length: 10 }, () => dialled(lead.id, { source_key: 'many' })))
    expect(new Set(many.map(({ id }) => id)).size).toBe(1)
  })

  test('one that waits says nothing of the lead until it is dialled; called off, it never was', async () => {
    const lead = await team.newLead()
    const scheduled_at = new Date(Date.now() + 3_600_000).toISOString()
    const [first, second] = [
      await dialled(lead.id, { status: 'SCHEDULED', scheduled_at }),
      await dialled(lead.id, { status: 'SCHEDULED', scheduled_at }),
    ]
    expect(await team.lead(lead.id)).toMatchObject({ call_status: 'NONE' })
    const later = new Date(Date.now() + 7_200_000).toISOString()
    expect(await moveCall(ada.ctx, first.id, later)).toMatchObject({ scheduled_at: later })
    await cancelCall(ada.ctx, first.id, 'Not wanted')
    expect(await dialCall(ada.ctx, first.id)).toMatchObject({ status: 'CANCELLED', end_reason: 'Not wanted' })
    expect(await team.lead(lead.id)).toMatchObject({ call_status: 'NONE' })
    await dialCall(ada.ctx, second.id)
    expect(await team.lead(lead.id)).toMatchObject({ call_status: 'DIALING' })
    await cancelCall(ada.ctx, second.id, 'Not wanted')
    expect(await team.lead(lead.id)).toMatchObject({ call_status: 'NONE' })
  })

  test('one of whose end nothing is heard for a day is given up', async () => {
    const lead = await team.newLead()
    const call = await dialled(lead.id, { started_at: new Date(Date.now() - 25 * 3_600_000).toISOString() })
    const [{ run }] = sweeps as [(typeof sweeps)[0]]
    expect(await run(ada.ctx)).toBe(1)
    expect(await team.call(call.id)).toMatchObject({
      status: 'CANCELLED',
      end_reason: 'The end of the call was never reported.',
    })
    expect(await run(ada.ctx)).toBe(0)
  })

  test('a tool that cannot be used is given up: whoever waits for it is told', async () => {
    const lead = await team.newLead()
    const call = await dialled(lead.id)
    const tool = { name: 'x', arguments: {}, status: 'asked' as const, result: null }
    await addLines(ada.ctx, [
      { call_id: call.id, ref: 'r', speaker: 'tool', text: 'x', tool, at: ada.ctx.now() },
    ])
    expect(await awaitTool(ada.ctx, call.id, 'r', 50)).toBeUndefined()
    const given = { data: { call_id: call.id, ref: 'r' } } as never
    await ada.ctx.transaction(ctx => jobs[0]!.buried!(ctx, given))
    expect(await awaitTool(ada.ctx, call.id, 'r', 50)).toMatchObject({ ok: false })
  })
})

test('lines are there once by their name, in order, and those who look on are told of them', async () => {
  const lead = await team.newLead()
  const [one, other] = [await dialled(lead.id), await dialled(lead.id)]
  const line = (call_id: string, ref: string, text: string, seconds: number) => {
    const at = new Date(Date.parse(one.started_at) + seconds * 1000).toISOString()
    return { call_id, ref, speaker: 'agent' as const, text, at }
  }
  await addLines(ada.ctx, [
    line(one.id, 'b', 'second', 2),
    line(one.id, 'a', 'first', 1),
    line(other.id, 'a', 'else', 1),
  ])
  await addLines(ada.ctx, [
    line(one.id, 'a', 'again', 1),
    line(one.id, 'c', '  ', 3),
    line(one.id, 'd', 'third', 3),
  ])
  const { transcript } = await team.call(one.id)
  expect(transcript.map(({ text }: { text: string }) => text)).toEqual(['first', 'second', 'third'])
  const told = await app.database.query<{
    message: { data: { lines: { text: string }[] }; subject: object }
  }>(
    `select message from changes where message ->> 'type' = 'call.lines' and message -> 'subject' ->> 'id' = $1 order by xid`,
    [one.id],
  )
  expect(told.map(({ message }) => message.data.lines.map(({ text }) => text))).toEqual([
    ['second', 'first'],
    ['third'],
  ])
})

describe('consent', () => {
  const path = (id: string) => `/api/voice/consents/${id}`

  test('is unknown until it is noted; what was said last counts', async () => {
    const lead = await team.newLead()
    const unknown = { lead_id: lead.id, given: null, source: null, note: null, at: null }
    expect((await ada.browser.get(path(lead.id))).body).toEqual(unknown)
    const given = await ada.browser.put(path(lead.id), { given: true, source: 'Form', note: 'ticked' })
    expect(given.body).toMatchObject({ given: true, source: 'Form', note: 'ticked' })
    await ada.browser.put(path(lead.id), { given: false, source: 'Call' })
    expect((await ada.browser.get(path(lead.id))).body).toMatchObject({
      given: false,
      source: 'Call',
      note: null,
    })
    expect(await consentOf(ada.ctx, lead.id)).toMatchObject({ given: false })
    const said = (await team.timeline(lead.id)).filter(
      ({ type }: { type: string }) => type === 'call_consent.changed',
    )
    expect(said.map(({ data }: { data: object }) => data)).toEqual([
      { given: false, source: 'Call' },
      { given: true, source: 'Form' },
    ])
  })

  test('of nobody we know is a 404', async () => {
    expectProblem(await ada.browser.get(path('f'.repeat(24))), 404)
    expectProblem(await ada.browser.put(path('f'.repeat(24)), { given: true, source: 'x' }), 404)
  })
})

test('who steers calls may read them, and no more', async () => {
  const lead = await team.newLead()
  const call = await dialled(lead.id)
  const steering = await ada.key(['softphone:control'])
  expect((await steering.get(`${calls}/${call.id}`)).status).toBe(200)
  expect((await steering.get(calls)).status).toBe(200)
  expectProblem(await steering.patch(`${calls}/${call.id}`, { notes: 'x' }), 403, 'insufficient_scope')
  expectProblem(await steering.get(`/api/voice/consents/${lead.id}`), 403, 'insufficient_scope')
  expectProblem(await (await ada.key(['leads:read'])).get(calls), 403, 'insufficient_scope')
})
