import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startReceiver, type Receiver } from '#domains/deliveries/deliveries.harness.ts'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import { post, signed, webhookPaths } from '#test/provider.ts'
import { officeHour, voiceEvent, voiceTeam } from './calls.harness.ts'

let app: TestApp
let ada: Person
let team: ReturnType<typeof voiceTeam>
let receiver: Receiver

beforeAll(async () => {
  receiver = await startReceiver()
  app = await startApp({ config: { outboundAllowHosts: ['localhost'] } })
  ada = await app.person('ada@example.test')
  team = voiceTeam(app, ada)
})
afterAll(async () => {
  await app.close()
  await receiver.close()
})

let names = 0
const newCallId = () => `call_${++names}`

describe('a provider that waits', () => {
  test('has what came of the tool in the answer to its event, and finds it in the call', async () => {
    const lead = await team.newLead()
    const asked = { startsAt: officeHour(1), durationMin: 45, title: 'Demo', timezone: 'Europe/Berlin' }
    const data = {
      callId: newCallId(),
      leadId: lead.id,
      tool: 'schedule_meeting',
      toolCallId: 'tc_1',
      arguments: asked,
    }
    const answer = await team.use(data)
    expect(answer).toMatchObject({
      status: 'accepted',
      result: { ok: true },
      results: [{ toolCallId: 'tc_1', result: { ok: true } }],
    })
    expect(answer.result!.text).toContain('Booked: Demo, Monday')
    expect(answer.result!.text).toContain(asked.startsAt)
    const { transcript } = await team.onlyCallOf(lead.id)
    expect(transcript).toMatchObject([
      {
        speaker: 'tool',
        tool: { name: 'schedule_meeting', arguments: asked, status: 'done', result: answer.result!.text },
      },
    ])
  })

  test('may ask again, by the same event or another: it is told the same, and nothing is done twice', async () => {
    const lead = await team.newLead()
    const data = {
      callId: newCallId(),
      leadId: lead.id,
      tool: 'schedule_meeting',
      toolCallId: 'tc_1',
      arguments: { startsAt: officeHour(2) },
    }
    const event = voiceEvent('tool_call', data)
    const [first, again, other] = [
      await team.send(event, '?wait=4'),
      await team.send(event, '?wait=4'),
      await team.use(data),
    ]
    expect(first.body.result.ok).toBe(true)
    expect(again.body).toMatchObject({ status: 'duplicate', result: first.body.result })
    expect(other.result).toEqual(first.body.result)
    expect(await team.meetings(lead.id)).toHaveLength(1)
  })

  test('may say so by Prefer, and is answered at once where it does not', async () => {
    const lead = await team.newLead()
    const data = { callId: newCallId(), leadId: lead.id, tool: 'look_up_lead' }
    const ask = async (headers: Record<string, string>) => {
      const body = JSON.stringify(voiceEvent('tool_call', data))
      return post(app.url + webhookPaths.voice, body, { ...signed('voice', body), ...headers })
    }
    expect((await ask({ prefer: 'respond-async, wait=3' })).body).toMatchObject({ result: { ok: true } })
    expect(Object.keys((await ask({})).body)).toEqual(['eventId', 'status'])
    expect(Object.keys((await team.send(voiceEvent('call_connected', data), '?wait=4')).body)).toEqual([
      'eventId',
      'status',
    ])
    expect((await team.send(voiceEvent('tool_call', data), '?wait=5')).status).toBe(422)
  })

  test('is answered in time by a tool that takes longer, and that goes on', async () => {
    const going = Promise.withResolvers<{ status: number; body: string }>()
    receiver.set('/slow', () => going.promise)
    const agent = (
      await ada.browser.post('/api/voice/agents', {
        name: 'Slow',
        instructions: 'x',
        tools: [{ name: 'slow', description: 'Slow', parameters: [], url: `${receiver.url}/slow` }],
      })
    ).body
    const lead = await team.newLead()
    const data = { callId: newCallId(), leadId: lead.id, agentId: agent.id, tool: 'slow' }
    const answer = (await team.send(voiceEvent('tool_call', data), '?wait=1')).body
    expect(answer).toEqual({ eventId: answer.eventId, status: 'accepted' })
    going.resolve({ status: 200, body: 'Late, but there.' })
    await expect.poll(async () => (await team.onlyCallOf(lead.id)).transcript[0]?.tool.status).toBe('done')
  })
})

describe('schedule_meeting', () => {
  test('a time that is taken is refused with those that are free, in words and exactly', async () => {
    const startsAt = officeHour(3)
    const [first, second] = [await team.newLead(), await team.newLead()]
    const ask = async (lead: { id: string }) =>
      team.use({
        callId: newCallId(),
        leadId: lead.id,
        tool: 'schedule_meeting',
        arguments: { startsAt, durationMin: 30, timezone: 'Europe/Berlin' },
      })
    expect((await ask(first)).result).toMatchObject({ ok: true })
    const { result } = await ask(second)
    expect(result).toMatchObject({ ok: false })
    expect(result!.text).toMatch(
      /^That time is taken\. Free times: \w+ \d+ \w+ \d{4}, \d\d:\d\d \(Europe\/Berlin, \d{4}-\d\d-\d\dT\d\d:\d\d:00\.000Z\); /,
    )
    expect(await team.meetings(second.id)).toEqual([])
    // A lead that wants to meet is for a human all the same.
    expect(await team.lead(second.id)).toMatchObject({ pipeline_stage: 'Engage_Human' })
    const free = /(\d{4}-\d\d-\d\dT\d\d:\d\d:00\.000Z)/.exec(result!.text)![1]
    const taken = await team.use({
      callId: `call_${names}`,
      tool: 'schedule_meeting',
      toolCallId: 'b',
      arguments: { startsAt: free },
    })
    expect(taken.result).toMatchObject({ ok: true })
  })

  test.for([
    [
      'a time without an offset is the other side’s own',
      { startsAt: `${officeHour(4).slice(0, 10)}T10:00`, timezone: 'Europe/Berlin' },
      /\(Europe\/Berlin, .*T0[89]:00:00\.000Z\)/,
    ],
    ['arguments may come as text', JSON.stringify({ startsAt: officeHour(5) }), /^Booked: /],
  ] as const)('%s', async ([, given, said]) => {
    const lead = await team.newLead()
    const { result } = await team.use({
      callId: newCallId(),
      leadId: lead.id,
      tool: 'schedule_meeting',
      arguments: given,
    })
    expect(result).toMatchObject({ ok: true, text: expect.stringMatching(said) })
  })

  test.for([
    ['no time', {}, /^Ask for a day and a time/],
    ['a day without a time', { startsAt: '2026-03-02' }, /^Ask for a day and a time/],
    ['no date at all', { startsAt: 'tomorrow at ten' }, /^Ask for/],
    [
      'a time that is over',
      { startsAt: '2020-03-02T10:00:00Z' },
      /^Could not book the meeting: This time is in the past\./,
    ],
    [
      'something else entirely',
      { startsAt: { toString: 'x' }, durationMin: 'NaN', __proto__: null },
      /^Ask for/,
    ],
  ] as const)('says what is missing: %s', async ([, given, said]) => {
    const lead = await team.newLead()
    const { result } = await team.use({
      callId: newCallId(),
      leadId: lead.id,
      tool: 'schedule_meeting',
      arguments: given,
    })
    expect(result).toMatchObject({ ok: false, text: expect.stringMatching(said) })
    expect(await team.meetings(lead.id)).toEqual([])
  })

  test('a time outside the hours of the host is refused with free ones nearby', async () => {
    const lead = await team.newLead()
    const ask = (startsAt: string, toolCallId: string) =>
      team.use({
        callId: `late_${lead.id}`,
        leadId: lead.id,
        tool: 'schedule_meeting',
        toolCallId,
        arguments: { startsAt, durationMin: 30, timezone: 'Europe/Berlin' },
      })
    const { result } = await ask(officeHour(1, 23), 'late')
    expect(result).toMatchObject({ ok: false })
    expect(result!.text).toMatch(/^That time is outside bookable hours\. Free times: /)
    expect(await team.meetings(lead.id)).toEqual([])
    // To the minute: it begins as the hours do, and must be over when they are.
    expect((await ask(officeHour(1, 16).replace(':00:00', ':31:00'), 'over')).result).toMatchObject({
      ok: false,
    })
    expect((await ask(officeHour(1, 16).replace(':00:00', ':30:00'), 'last')).result).toMatchObject({
      ok: true,
    })
    const [free] = /(\d{4}-\d\d-\d\dT\d\d:\d\d:00\.000Z)/.exec(result!.text)!
    expect((await ask(free!, 'free')).result).toMatchObject({ ok: true })
  })

  test('a team without the stage Engage_Human keeps its stages, and the lead stays where it is', async () => {
    const eve = await app.person('eve@example.test')
    const other = voiceTeam(app, eve)
    await eve.browser.patch('/api/crm/leads/settings', { pipeline_stages: ['Open', 'Shut'] })
    const lead = await other.newLead()
    await other.use({
      callId: newCallId(),
      leadId: lead.id,
      tool: 'schedule_meeting',
      arguments: { startsAt: officeHour(6) },
    })
    expect(await other.meetings(lead.id)).toHaveLength(1)
    expect(await other.lead(lead.id)).toMatchObject({ pipeline_stage: 'Open' })
    const { pipeline_stages } = (await eve.browser.get('/api/crm/leads/settings')).body
    expect(pipeline_stages).toEqual(['Open', 'Shut'])
  })
})

test('look_up_lead tells of who is on the phone and of nobody else, whatever the model asks', async () => {
  const other = await team.newLead({
    first_name: 'Secret',
    last_name: 'Person',
    email: 'secret@example.test',
  })
  const lead = await team.newLead({
    first_name: 'Ada\u2028Name: Root',
    email: 'ada.lovelace@example.test',
    company: 'Engines',
    phone: '+4930666001',
  })
  const earlier = { callId: newCallId(), leadId: lead.id }
  await team.tell('call_ended', { ...earlier, durationSec: 65, summary: 'Wants a quote.' })
  const given = { lead_id: other.id, leadId: other.id, email: 'secret@example.test' }
  const { result } = await team.use({
    callId: newCallId(),
    leadId: lead.id,
    tool: 'look_up_lead',
    arguments: given,
  })
  expect(result).toMatchObject({ ok: true })
  expect(result!.text).toContain('Company: Engines')
  expect(result!.text).toContain('Email: a…@example.test')
  expect(result!.text).toContain('Wants a quote.')
  expect(result!.text).not.toMatch(/Secret|secret|ada\.lovelace|^Name: Root/m)
})

test('transfer goes to the number that the agent has, and to no other', async () => {
  const make = async (more: object) =>
    (
      await ada.browser.post('/api/voice/agents', {
        name: 'Desk',
        instructions: 'x',
        tools: ['transfer'],
        ...more,
      })
    ).body
  const [with_, without] = [await make({ transfer_to: '+4930888001' }), await make({})]
  const lead = await team.newLead()
  const ask = async (agentId: string) =>
    (
      await team.use({
        callId: newCallId(),
        leadId: lead.id,
        agentId,
        tool: 'transfer',
        arguments: { to: '+19005550100' },
      })
    ).result
  expect(await ask(with_.id)).toEqual({ ok: true, text: 'The call is being transferred to +4930888001.' })
  expect(await ask(without.id)).toMatchObject({ ok: false })
})

test.for(['before', 'after'] as const)(
  'end_call %s the end says how it went, in the words of who spoke',
  async when => {
    const lead = await team.newLead()
    const callId = newCallId()
    const end = async () => team.tell('call_ended', { callId, leadId: lead.id, durationSec: 90 })
    if (when === 'after') await end()
    const said = { outcome: 'not interested', summary: 'They have a system already.' }
    const asked = { callId, leadId: lead.id, tool: 'end_call', toolCallId: 'bye', arguments: said }
    const { result } = await team.use(asked)
    expect((await team.use(asked)).result).toEqual(result)
    expect(result).toEqual({ ok: true, text: 'The call is ending now.' })
    if (when === 'before') await end()
    expect(await team.onlyCallOf(lead.id)).toMatchObject(said)
    const used = (await team.timeline(lead.id)).filter(
      ({ type }: { type: string }) => type === 'call.tool_used',
    )
    expect(used).toHaveLength(1)
  },
)

test('a tool of the team’s own is asked by webhook; one that nobody has is refused', async () => {
  receiver.set('/stock', { status: 200, body: 'Seven are left.' })
  const tools = [
    { name: 'stock', description: 'What is there', parameters: [], url: `${receiver.url}/stock` },
  ]
  const agent = (await ada.browser.post('/api/voice/agents', { name: 'Shop', instructions: 'x', tools })).body
  const lead = await team.newLead()
  const data = {
    callId: newCallId(),
    leadId: lead.id,
    agentId: agent.id,
    toolCallId: 'tc',
    arguments: { article: '7' },
  }
  expect((await team.use({ ...data, tool: 'stock' })).result).toEqual({ ok: true, text: 'Seven are left.' })
  for (const tool of ['constructor', '__proto__', 'toString', 'no_such_tool'])
    expect((await team.use({ ...data, tool, toolCallId: tool })).result).toEqual({
      ok: false,
      text: 'There is no such tool.',
    })
  const used = (await team.timeline(lead.id)).filter(
    ({ type }: { type: string }) => type === 'call.tool_used',
  )
  expect(used).toHaveLength(5)
  expect(used.at(-1)).toMatchObject({
    data: { tool: 'stock', ok: true, text: 'Seven are left.' },
    cause: { kind: 'agent', name: 'Shop' },
  })
})

describe('what strangers say', () => {
  const hostile = '<script>alert(1)</script>\u0000\u0007\u202e {{7*7}} ${x} \ud800'

  test('is kept as text and nothing else, bounded', async () => {
    const lead = await team.newLead()
    const callId = newCallId()
    const long = 'x'.repeat(10_000)
    const transcript = [
      { role: 'assistant', text: 'Hello' },
      { speaker: 'user', content: hostile },
      { role: '__proto__', message: long },
      { role: {}, text: 7 },
      'User: and this',
      null,
    ]
    const odd = { toString: 'x', constructor: { prototype: 1 }, hasOwnProperty: 1 }
    await team.tell('call_ended', {
      callId,
      leadId: lead.id,
      durationSec: 12.4,
      outcome: hostile.repeat(100),
      reason: odd,
      summary: hostile,
      recordingUrl: 'javascript:alert(1)',
      from: 'sip:"><img src=x>@evil.test',
      to: long,
      transcript,
    })
    const call = await team.onlyCallOf(lead.id)
    expect(call).toMatchObject({
      duration_sec: 12,
      recording_url: null,
      from: null,
      to: null,
      end_reason: null,
    })
    expect(call.outcome.length).toBeLessThanOrEqual(500)
    expect(call.summary).toBe('<script>alert(1)</script>\ufffd {{7*7}} ${x} \ufffd')
    expect(
      call.transcript.map(({ speaker, text }: { speaker: string; text: string }) => [
        speaker,
        text.length > 100 ? text.length : text,
      ]),
    ).toEqual([
      ['agent', 'Hello'],
      ['caller', '<script>alert(1)</script>\ufffd {{7*7}} ${x} \ufffd'],
      ['caller', 4_000],
      ['caller', 'and this'],
    ])
  })

  test('a transcript of a megabyte is cut off where it must be, and says so', async () => {
    const lead = await team.newLead()
    const transcript = Array.from({ length: 120_000 }, (_, at) => (at % 2 ? 'User: a' : 'AI: b')).join('\n')
    await team.tell('call_ended', { callId: newCallId(), leadId: lead.id, durationSec: 5, transcript })
    const call = await team.onlyCallOf(lead.id)
    expect(call.transcript).toHaveLength(5_000)
    expect(call.transcript.at(-1)).toMatchObject({
      speaker: 'system',
      text: 'The transcript is truncated here.',
    })
    expect(call.transcript.slice(0, 2)).toMatchObject([
      { speaker: 'agent', text: 'b' },
      { speaker: 'caller', text: 'a' },
    ])
  })

  test('names that are none, ids that are too long and prototype names harm nothing', async () => {
    const lead = await team.newLead()
    const body = `{"eventId":"proto","type":"tool_call","data":{"callId":"${'c'.repeat(300)}","leadId":"${lead.id}",
      "tool":"end_call","toolCallId":"${'t'.repeat(300)}","arguments":{"__proto__":{"polluted":true},"outcome":"fine"}}}`
    await post(app.url + webhookPaths.voice, body, signed('voice', body))
    await team.settled({ eventId: 'proto', type: 'tool_call', data: {} })
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    expect(await team.onlyCallOf(lead.id)).toMatchObject({ outcome: 'fine', status: 'CONNECTED' })
  })
})
