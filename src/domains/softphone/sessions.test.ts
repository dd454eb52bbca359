import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '#test/eventually.ts'
import { newId } from '#platform/ids.ts'
import { phone, phoneOf, SESSIONS, stage, startPhone, type Phone } from './softphone.harness.ts'

let desk: Phone
const line = stage()
beforeAll(async () => {
  desk = await startPhone({ ports: { voice: line } })
})
afterAll(() => desk.close())

describe('a session', () => {
  test('goes from the first ring to the end, with all that was said, what was booked, and its events', async () => {
    const agent = await desk.agent({ greeting: 'Good morning!' })
    const lead = await desk.lead({ timezone: 'Europe/Berlin', email: `grace${newId()}@example.test` })
    const id = await desk.begin(lead, agent, { instructions: 'Ask about the weather.' })
    expect(await desk.read(id)).toMatchObject({
      status: 'DIALING',
      to: lead.phone,
      agent_version: agent.version,
    })
    expect((await desk.key.get(`/api/crm/leads/${lead.id}`)).body.call_status).toBe('DIALING')
    const ended = await line.until(() => desk.reached(id, 'ENDED', 0))

    const said = ended.transcript.map(({ speaker, text }) => [speaker, text])
    expect(said[0]).toEqual(['agent', 'Good morning!'])
    expect(ended.transcript.filter(({ speaker }) => speaker === 'caller').length).toBeGreaterThan(2)
    const tools = ended.transcript.flatMap(({ tool }) => tool ?? [])
    expect(tools.map(({ name, status }) => [name, status])).toEqual([
      ['schedule_meeting', 'done'],
      ['end_call', 'done'],
    ])
    expect(ended.duration_sec).toBeGreaterThan(20)
    expect(ended.connected_at).not.toBeNull()
    expect(ended.follow_up).toMatchObject({ intent: 'meeting' })
    const meetings = await desk.rows('select lead_id, call_id from meetings where call_id = $1', [id])
    expect(meetings).toEqual([{ lead_id: lead.id, call_id: id }])
    await eventually(async () =>
      expect((await desk.key.get(`/api/crm/leads/${lead.id}`)).body).toMatchObject({
        call_status: 'ENDED',
        pipeline_stage: 'Engage_Human',
      }),
    )

    const inbox = await desk.rows(
      `select event_id, type, status from inbound_events where event_id like $1 order by id`,
      [`rapport:${id}:%`],
    )
    expect(inbox.map(({ type, status }) => [type, status])).toEqual([
      ['call_connected', 'processed'],
      ['tool_call', 'processed'],
      ['tool_call', 'processed'],
      ['call_ended', 'processed'],
    ])
    const responses = await desk.rows('select agent_id from model_responses where call_id = $1', [id])
    expect(responses.length).toBe(said.filter(([speaker]) => speaker === 'agent').length)
    expect(responses[0]).toEqual({ agent_id: agent.id })
    expect(await desk.rows('select 1 from attended_calls where call_id = $1', [id])).toEqual([])
  })

  test('hears a prompt, and ends when it is stopped', async () => {
    const id = await desk.begin(await desk.lead(), await desk.agent())
    const early = await desk.key.post(`${SESSIONS}/${id}/prompts`, { text: 'Too early' })
    expect([early.status, early.body.code]).toEqual([409, 'not_live'])
    await line.until(() => desk.reached(id, 'CONNECTED', 0))
    expect((await desk.key.get(`${SESSIONS}/${id}`)).body).toMatchObject({
      id,
      status: 'CONNECTED',
      live: true,
    })
    const pushed = await desk.key.post(`${SESSIONS}/${id}/prompts`, { text: 'Mention the discount.' })
    expect([pushed.status, pushed.body.live]).toEqual([202, true])
    await desk.heard()
    const call = await line.until(async () => {
      const call = await desk.read(id)
      expect(call.transcript.map(({ text }) => text)).toContain('Understood: Mention the discount.')
      return call
    })
    expect(call.transcript).toContainEqual(
      expect.objectContaining({ speaker: 'person', text: 'Mention the discount.' }),
    )
    expect((await desk.key.post(`${SESSIONS}/${id}/stop`)).status).toBe(200)
    const ended = await desk.reached(id, 'ENDED')
    expect(ended.end_reason).toMatch(/^Stopped by /)
    const again = await desk.key.post(`${SESSIONS}/${id}/stop`)
    expect([again.status, again.body.status]).toEqual([200, 'ENDED'])
    expect(await desk.rows('select 1 from call_commands')).toEqual([])
    const late = await desk.key.post(`${SESSIONS}/${id}/prompts`, { text: 'Too late' })
    expect([late.status, late.body.code]).toEqual([409, 'not_live'])
  })

  test('is called off when it is stopped before anybody answers', async () => {
    const id = await desk.begin(await desk.lead(), await desk.agent())
    await eventually(async () =>
      expect(await desk.rows('select provider_call_id from attended_calls where call_id = $1', [id])).toEqual(
        [{ provider_call_id: expect.stringMatching(/^sim_/) }],
      ),
    )
    await desk.key.post(`${SESSIONS}/${id}/stop`)
    expect(await desk.reached(id, 'CANCELLED')).toMatchObject({ connected_at: null, duration_sec: null })
    expect(await desk.rows('select 1 from attended_calls where call_id = $1', [id])).toEqual([])
  })

  test('that is over, but not told of yet, is not called off when it is stopped', async () => {
    const id = await desk.begin(await desk.lead(), await desk.agent())
    await line.until(() => desk.reached(id, 'CONNECTED', 0))
    await desk.rows('delete from attended_calls where call_id = $1', [id])
    const stopped = await desk.key.post(`${SESSIONS}/${id}/stop`)
    expect([stopped.status, stopped.body.status, stopped.body.live]).toEqual([200, 'CONNECTED', false])
    expect(await desk.read(id)).toMatchObject({ status: 'CONNECTED', end_reason: null })
    await desk.rows(`update calls set status = 'ENDED', ended_at = started_at where id = $1`, [id])
  })

  test('that is asked for twice with one key is one call', async () => {
    const body = { lead_id: (await desk.lead()).id, agent_id: (await desk.agent()).id }
    const headers = { 'idempotency-key': newId() }
    const first = await desk.key.post(SESSIONS, body, headers)
    const second = await desk.key.post(SESSIONS, body, headers)
    expect([first.status, second.status, second.body.id]).toEqual([201, 201, first.body.id])
    expect(await desk.rows('select id from calls where lead_id = $1', [body.lead_id])).toHaveLength(1)
    await desk.key.post(`${SESSIONS}/${first.body.id}/stop`)
    await desk.reached(first.body.id, 'CANCELLED')
  })

  test('goes on when its channel falls', async () => {
    const id = await desk.begin(await desk.lead(), await desk.agent())
    await line.until(() => desk.reached(id, 'CONNECTED', 0))
    line.fall(`sim_${id}_${(await desk.read(id)).to!.slice(-2)}`, 'A cable was cut')
    const ended = await line.until(() => desk.reached(id, 'ENDED', 0))
    const texts = ended.transcript.map(({ text }) => text)
    expect(new Set(texts).size).toBe(texts.length)
    expect(ended.follow_up).toMatchObject({ intent: 'meeting' })
  })

  test('that somebody else says is over is hung up', async () => {
    const id = await desk.begin(await desk.lead(), await desk.agent())
    await line.until(() => desk.reached(id, 'CONNECTED', 0))
    const { endCall } = await import('#domains/calls/service.ts')
    await endCall(desk.person.ctx, id, { status: 'ENDED', at: new Date().toISOString() })
    await eventually(async () =>
      expect(await desk.rows('select 1 from attended_calls where call_id = $1', [id])).toEqual([]),
    )
  })

  test('ends as the line tells it', async () => {
    const agent = await desk.agent({ outbound: { ...(await desk.agent()).outbound, attempts_max: 1 } })
    const wanted = { '00': 'NO_ANSWER', '01': 'VOICEMAIL', '02': 'FAILED', '03': 'ENDED' } as const
    const calls = []
    for (const [digits, status] of Object.entries(wanted))
      calls.push({ id: await desk.begin(await desk.lead({ phone: phone(digits) }), agent), status })
    for (const { id, status } of calls) await line.until(() => desk.reached(id, status, 0))
  })
})

test('another team neither reads, steers nor stops a session, and lends neither lead nor agent', async () => {
  const stranger = await phoneOf(desk.app, await desk.app.person())
  const [lead, agent] = [await desk.lead(), await desk.agent()]
  const id = await desk.begin(lead, agent)
  for (const ask of [
    stranger.key.get(`${SESSIONS}/${id}`),
    stranger.key.post(`${SESSIONS}/${id}/prompts`, { text: 'Hello' }),
    stranger.key.post(`${SESSIONS}/${id}/stop`),
  ])
    expect((await ask).status).toBe(404)
  for (const body of [
    { lead_id: lead.id, agent_id: (await stranger.agent()).id },
    { lead_id: (await stranger.lead()).id, agent_id: agent.id },
  ])
    expect((await stranger.start(body)).status).toBe(422)
  expect((await desk.read(id)).status).toBe('DIALING')
  expect(await desk.rows('select 1 from call_commands')).toEqual([])
  await desk.key.post(`${SESSIONS}/${id}/stop`)
  await desk.reached(id, 'CANCELLED')
  const manual = await desk.key.post('/api/voice/calls', {
    lead_id: lead.id,
    kind: 'manual',
    duration_sec: 5,
  })
  expect((await desk.key.get(`${SESSIONS}/${manual.body.id}`)).status).toBe(404)
})
