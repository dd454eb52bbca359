import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import { eventually } from '#test/eventually.ts'
import { inOrder } from '#test/in-order.ts'
import { officeHour, voiceEvent, voiceTeam } from './calls.harness.ts'

inOrder()

let app: TestApp
let ada: Person
let team: ReturnType<typeof voiceTeam>

beforeAll(async () => {
  app = await startApp()
  ada = await app.person('ada@example.test')
  team = voiceTeam(app, ada)
})
afterAll(() => app.close())

let names = 0
const newCallId = () => `call_${++names}`

describe('the moves of a call', () => {
  test('call_connected sets call_status to CONNECTED, and a new lead is being worked on', async () => {
    const lead = await team.newLead()
    await team.tell('call_connected', { callId: newCallId(), leadId: lead.id, direction: 'outbound' })
    expect(await team.lead(lead.id)).toMatchObject({ call_status: 'CONNECTED', status: 'WORKING' })
    expect(await team.onlyCallOf(lead.id)).toMatchObject({
      status: 'CONNECTED',
      direction: 'outbound',
      kind: 'agent',
    })
  })

  test('tool_call with schedule_meeting books a meeting and moves the lead to Engage_Human', async () => {
    const lead = await team.newLead()
    const startsAt = officeHour(1)
    const asked = { startsAt, durationMin: 30, title: 'Intro', timezone: 'Europe/Berlin' }
    await team.tell('tool_call', {
      callId: newCallId(),
      leadId: lead.id,
      tool: 'schedule_meeting',
      arguments: asked,
    })
    expect(await team.lead(lead.id)).toMatchObject({ pipeline_stage: 'Engage_Human' })
    await eventually(async () =>
      expect(await team.meetings(lead.id)).toMatchObject([
        { title: 'Intro', starts_at: startsAt, timezone: 'Europe/Berlin', origin: 'agent', status: 'BOOKED' },
      ]),
    )
    const [meeting] = await team.meetings(lead.id)
    // The meeting is there before the call says so.
    await eventually(async () =>
      expect(await team.onlyCallOf(lead.id)).toMatchObject({
        id: meeting.call_id,
        follow_up: { intent: 'meeting', meeting_id: meeting.id, at: startsAt },
      }),
    )
  })

  test('a call known only from tool_call is connected: nobody else asks for a tool', async () => {
    const lead = await team.newLead()
    const callId = newCallId()
    await team.tell('tool_call', { callId, leadId: lead.id, tool: 'look_up_lead', arguments: {} })
    expect(await team.lead(lead.id)).toMatchObject({ call_status: 'CONNECTED', status: 'WORKING' })
    const call = await team.onlyCallOf(lead.id)
    expect(call).toMatchObject({ status: 'CONNECTED', connected_at: expect.any(String) })
    await team.tell('call_connected', { callId })
    const types = (await team.timeline(lead.id)).map(({ type }: { type: string }) => type)
    expect(types.filter((type: string) => type === 'call.connected')).toHaveLength(1)
    expect(await team.onlyCallOf(lead.id)).toMatchObject({ connected_at: call.connected_at })
  })

  test('call_ended logs the duration, changes the lead and queues what is to follow', async () => {
    const lead = await team.newLead({ first_name: 'Grace', owner_id: ada.user_id })
    const callId = newCallId()
    await team.tell('call_connected', { callId, leadId: lead.id })
    await team.tell('call_ended', { callId, durationSec: 200, outcome: 'interested' })
    expect(await team.lead(lead.id)).toMatchObject({ call_status: 'ENDED', status: 'WORKING' })
    const [task] = await team.tasks(lead.id)
    expect(task).toMatchObject({ title: 'Follow up: Grace', assignee_id: ada.user_id, status: 'TODO' })
    expect(await team.onlyCallOf(lead.id)).toMatchObject({
      status: 'ENDED',
      duration_sec: 200,
      outcome: 'interested',
      summary: 'Talked for 3 min.',
      follow_up: { intent: 'task', task_id: task.id, at: task.due_at },
    })
    const types = (await team.timeline(lead.id)).map(({ type }: { type: string }) => type)
    expect(types).toEqual(expect.arrayContaining(['call.started', 'call.connected', 'call.ended']))
  })
})

describe('however its events come', () => {
  const told = (leadId: string, callId: string) => ({
    connected: voiceEvent('call_connected', { callId, leadId, direction: 'outbound' }),
    tool: voiceEvent('tool_call', {
      callId,
      leadId,
      direction: 'outbound',
      tool: 'schedule_meeting',
      toolCallId: 'tool_1',
      arguments: { startsAt: officeHour(2 + names, 11), durationMin: 30 },
    }),
    ended: voiceEvent('call_ended', {
      callId,
      leadId,
      direction: 'outbound',
      durationSec: 200,
      outcome: 'done',
    }),
  })
  const orders = [
    ['connected', 'tool', 'ended'],
    ['connected', 'ended', 'tool'],
    ['tool', 'connected', 'ended'],
    ['tool', 'ended', 'connected'],
    ['ended', 'connected', 'tool'],
    ['ended', 'tool', 'connected'],
  ] as const

  test.for(orders)('%s, %s, %s: call and lead end the same', async order => {
    const lead = await team.newLead()
    const callId = newCallId()
    const events = told(lead.id, callId)
    for (const name of order) {
      await team.send(events[name])
      await team.settled(events[name])
      if (name === 'tool') await team.send(voiceEvent('tool_call', events.tool.data), '?wait=4')
    }
    // Everything once more, as it came and under other names.
    for (const event of Object.values(events)) {
      expect((await team.send(event)).body.status).toBe('duplicate')
      await team.tell(event.type, event.data)
    }
    const [meeting, ...others] = await team.meetings(lead.id)
    expect(others).toEqual([])
    expect(await team.lead(lead.id)).toMatchObject({
      call_status: 'ENDED',
      status: 'WORKING',
      pipeline_stage: 'Engage_Human',
    })
    const call = await team.onlyCallOf(lead.id)
    expect(call).toMatchObject({
      status: 'ENDED',
      duration_sec: 200,
      outcome: 'done',
      follow_up: { intent: 'meeting', meeting_id: meeting.id },
    })
    expect(call.summary).toMatch(/^Talked for 3 min; a meeting was booked for /)
    expect(call.connected_at).not.toBeNull()
    expect(call.transcript).toMatchObject([
      { speaker: 'tool', tool: { name: 'schedule_meeting', status: 'done' } },
    ])
    expect(await team.tasks(lead.id)).toEqual([])
    const timeline: { type: string }[] = await team.timeline(lead.id)
    for (const type of ['call.ended', 'call.tool_used', 'meeting.booked'])
      expect(
        timeline.filter(entry => entry.type === type),
        type,
      ).toHaveLength(1)
  })

  test('fifty copies of each at once have one effect', async () => {
    const lead = await team.newLead()
    const events = Object.values(told(lead.id, newCallId()))
    await Promise.all(Array.from({ length: 50 }, () => events.map(event => team.send(event))).flat())
    for (const event of events) await team.settled(event)
    // The meeting is there before the tool is noted as used.
    await eventually(async () =>
      expect((await team.onlyCallOf(lead.id)).transcript).toMatchObject([{ tool: { status: 'done' } }]),
    )
    expect(await team.meetings(lead.id)).toHaveLength(1)
    expect(await team.onlyCallOf(lead.id)).toMatchObject({ status: 'ENDED', duration_sec: 200 })
    expect(await team.lead(lead.id)).toMatchObject({ call_status: 'ENDED', pipeline_stage: 'Engage_Human' })
    const timeline: { type: string }[] = await team.timeline(lead.id)
    for (const type of ['call.started', 'call.ended', 'call.tool_used', 'meeting.booked'])
      expect(
        timeline.filter(entry => entry.type === type),
        type,
      ).toHaveLength(1)
  })

  test('a transcript is one row whose lines are told apart, beside the tools; a repeat adds nothing', async () => {
    const lead = await team.newLead()
    const callId = newCallId()
    await team.tell('tool_call', { callId, leadId: lead.id, tool: 'look_up_lead', arguments: {} })
    const transcript = [
      { role: 'agent', text: 'Hello' },
      { role: 'caller', text: 'Who is this?' },
      { role: 'agent', text: 'Northwind.' },
    ]
    for (const _ of [1, 2]) await team.tell('call_ended', { callId, durationSec: 9, transcript })
    type Line = { id: string; speaker: string; text: string; at: string }
    const lines: Line[] = (await team.onlyCallOf(lead.id)).transcript
    const said = lines.filter(({ speaker }) => speaker !== 'tool')
    expect(said.map(({ speaker, text }) => ({ role: speaker, text }))).toEqual(transcript)
    expect(lines).toHaveLength(4)
    expect(new Set(lines.map(({ id }) => id)).size).toBe(4)
    expect(lines.map(({ at }) => at)).toEqual(lines.map(({ at }) => at).toSorted())
    const rows = await app.database.query<{ ref: string }>(
      `select ref from call_lines join calls on calls.team_id = call_lines.team_id and calls.id = call_id
       where lead_id = $1 and tool is null`,
      [lead.id],
    )
    expect(rows).toEqual([{ ref: 'transcript' }])
  })

  test('of two calls with one lead the newer says how it stands, whatever is told late of the older', async () => {
    const lead = await team.newLead()
    const [first, second] = [newCallId(), newCallId()]
    await team.tell('call_connected', { callId: first, leadId: lead.id })
    await team.tell('call_connected', { callId: second, leadId: lead.id })
    await team.tell('call_ended', { callId: first, durationSec: 60 })
    expect(await team.lead(lead.id)).toMatchObject({ call_status: 'CONNECTED' })
    await team.tell('call_ended', { callId: second, status: 'no_answer', durationSec: 0 })
    expect(await team.lead(lead.id)).toMatchObject({ call_status: 'NO_ANSWER' })
    await team.tell('call_connected', { callId: first, leadId: lead.id })
    await team.tell('call_ended', { callId: first, durationSec: 99 })
    expect(await team.lead(lead.id)).toMatchObject({ call_status: 'NO_ANSWER' })
    const calls = await team.calls(`?lead_id=${lead.id}`)
    expect(calls.map(({ duration_sec }: { duration_sec: number }) => duration_sec)).toEqual([0, 60])
  })

  test('an event that names no call is about the one that goes on with the lead', async () => {
    const lead = await team.newLead()
    await team.tell('call_connected', { leadId: lead.id })
    await team.tell('call_ended', { leadId: lead.id, durationSec: 30 })
    expect(await team.onlyCallOf(lead.id)).toMatchObject({
      status: 'ENDED',
      duration_sec: 30,
      summary: 'Talked for 30 s.',
    })
  })

  test('one that names nothing we know stays in the inbox, unmatched', async () => {
    await team.tell('call_connected', {}, 'unmatched')
    await team.tell('call_ended', { leadId: 'f'.repeat(24), durationSec: 3 }, 'unmatched')
    await team.tell('tool_call', { callId: newCallId() }, 'unmatched')
  })
})

describe('who calls', () => {
  test('somebody unknown becomes a lead, once, however many events come at once', async () => {
    const from = '+4930555001'
    const events = Array.from({ length: 20 }, () =>
      voiceEvent('call_connected', { callId: newCallId(), direction: 'inbound', from, to: '+4930555999' }),
    )
    await Promise.all(events.map(event => team.send(event)))
    for (const event of events) await team.settled(event)
    const leads = (await ada.browser.get('/api/crm/leads?q=4930555001')).body.data
    expect(leads).toMatchObject([{ phone: from, source: 'Phone call', call_status: 'CONNECTED' }])
    expect(await team.calls(`?lead_id=${leads[0].id}`)).toHaveLength(20)
  })

  test('the newest lead with the number is meant: by `from` of a call that comes in, by `to` of one that goes out', async () => {
    await team.newLead({ first_name: 'Old', phone: '+4930555002' })
    const lead = await team.newLead({ first_name: 'New', phone: '+4930555002' })
    await team.tell('call_ended', {
      callId: newCallId(),
      direction: 'inbound',
      from: 'sip:+4930555002@sip.example.test',
      durationSec: 5,
    })
    await team.tell('call_ended', {
      callId: newCallId(),
      direction: 'outbound',
      to: '+49 30 555 002',
      durationSec: 5,
    })
    expect(await team.calls(`?lead_id=${lead.id}`)).toHaveLength(2)
  })

  test('who it was may turn out later: the lead follows, and so does what is to be done', async () => {
    const callId = newCallId()
    await team.tell('call_ended', { callId, durationSec: 70 })
    const lead = await team.newLead()
    await team.tell('call_connected', { callId, leadId: lead.id })
    expect(await team.lead(lead.id)).toMatchObject({ call_status: 'ENDED', status: 'WORKING' })
    expect(await team.onlyCallOf(lead.id)).toMatchObject({ follow_up: { intent: 'task' } })
    expect(await team.tasks(lead.id)).toHaveLength(1)
  })

  test('an agent that answers at the number is the one that speaks', async () => {
    const agent = (
      await ada.browser.post('/api/voice/agents', {
        name: 'Desk',
        instructions: 'Be kind.',
        phone_number: '+4930777001',
      })
    ).body
    await team.tell('call_connected', { callId: newCallId(), from: '+4930555003', to: '+4930777001' })
    const [call] = await team.calls(`?agent_id=${agent.id}`)
    expect(call).toMatchObject({ direction: 'inbound', agent_version: 1, status: 'CONNECTED' })
    const [connected] = (await team.timeline(call.lead_id)).filter(
      ({ type }: { type: string }) => type === 'call.connected',
    )
    expect(connected.cause).toMatchObject({ kind: 'agent', name: 'Desk' })
  })
})

test('an event of a call goes to the team that has it, by its name, its agent or its number', async () => {
  const eve = await app.person('eve@example.test')
  const other = voiceTeam(app, eve)
  const lead = await other.newLead()
  const callId = newCallId()
  const begun = voiceEvent('call_connected', { callId, leadId: lead.id })
  await other.send(begun)
  await other.settled(begun)
  const { id } = await other.onlyCallOf(lead.id)
  const agent = (
    await eve.browser.post('/api/voice/agents', {
      name: 'Desk',
      instructions: 'x',
      phone_number: '+4930777002',
    })
  ).body
  for (const data of [
    { callId, durationSec: 9 },
    { callId: id, durationSec: 9 },
    { callId: newCallId(), agentId: agent.id, to: '+4930555010', direction: 'outbound' },
    { callId: newCallId(), to: '+4930777002', from: '+4930555011' },
  ]) {
    const event = voiceEvent('call_ended', data)
    await other.send(event)
    await other.settled(event)
  }
  expect(await other.call(id)).toMatchObject({ status: 'ENDED', duration_sec: 9 })
  // What nobody can place is nobody's, and no call is made of it.
  const astray = voiceEvent('call_ended', { callId: newCallId(), durationSec: 3 })
  await team.send(astray)
  await eventually(async () =>
    expect(
      await app.database.query('select team_id, status from inbound_events where event_id = $1', [
        astray.eventId,
      ]),
    ).toEqual([{ team_id: null, status: 'unmatched' }]),
  )
})
