import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Call } from '#domains/calls/contract.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { suppress } from '#domains/suppressions/service.ts'
import { FakeClock } from '#platform/clock.ts'
import { newId } from '#platform/ids.ts'
import { colleagueOf } from '#test/colleague.ts'
import { eventually } from '#test/eventually.ts'
import { scheduleCall } from './offer.ts'
import { FREE, phone, SESSIONS, startPhone, type Phone } from './softphone.harness.ts'

const START = '2026-03-02T12:00:00.000Z'
const QUIET = { ...FREE, quiet_hours: { from: '20:00', until: '08:00' } }
const clock = new FakeClock(START)
let desk: Phone
beforeAll(async () => {
  desk = await startPhone({ clock })
})
afterAll(() => desk.close())
beforeEach(() => clock.set(START))

async function scheduled(lead: Lead, at: string, more: object = {}, outbound: object = FREE) {
  const agent = await desk.agent({ outbound })
  const reply = await desk.start({ lead_id: lead.id, agent_id: agent.id, scheduled_at: at, ...more })
  expect([reply.status, reply.body.status]).toEqual([201, 'SCHEDULED'])
  return { id: reply.body.id as string, agent, scheduled_at: reply.body.scheduled_at as string }
}
const callsOf = async (lead: Lead): Promise<Call[]> =>
  (await desk.key.get(`/api/voice/calls?lead_id=${lead.id}&limit=50`)).body.data.toReversed()

describe('a call for later', () => {
  test('is made when its time has come, and not before', async () => {
    const lead = await desk.lead()
    const { id } = await scheduled(lead, '2026-03-03T12:00:00.000Z', { instructions: 'Mention the fair.' })
    expect((await desk.key.get(`/api/crm/leads/${lead.id}`)).body.call_status).toBe('NONE')
    clock.set('2026-03-03T11:59:59.999Z')
    await drained()
    expect((await desk.read(id)).status).toBe('SCHEDULED')
    clock.set('2026-03-03T12:00:00.000Z')
    const ended = await desk.reached(id, 'ENDED')
    expect(ended.started_at).toBe('2026-03-03T12:00:00.000Z')
  })

  test('is moved out of quiet hours, when it is asked for and when they were changed meanwhile', async () => {
    const lead = await desk.lead({ timezone: 'Europe/Berlin' })
    const first = await scheduled(lead, '2026-03-28T23:00:00.000Z', {}, QUIET)
    // The night in which the clock jumps: eight o'clock is an hour earlier.
    expect(first.scheduled_at).toBe('2026-03-29T06:00:00.000Z')
    await desk.key.post(`${SESSIONS}/${first.id}/stop`)

    const later = await scheduled(await desk.lead({ timezone: 'Europe/Berlin' }), '2026-03-02T21:00:00.000Z')
    const changed = await desk.key.patch(`/api/voice/agents/${later.agent.id}`, { outbound: QUIET })
    expect(changed.status).toBe(200)
    clock.set('2026-03-02T21:00:00.000Z')
    await eventually(async () =>
      expect(await desk.read(later.id)).toMatchObject({
        status: 'SCHEDULED',
        scheduled_at: '2026-03-03T07:00:00.000Z',
      }),
    )
    clock.set('2026-03-03T07:00:00.000Z')
    await desk.reached(later.id, 'ENDED')
  })

  test('is called off with the reason when it may not be made any more', async () => {
    const at = '2026-03-03T12:00:00.000Z'
    const [stopped, suppressed, trashed, gone] = await Promise.all([
      desk.lead(),
      desk.lead(),
      desk.lead(),
      desk.lead(),
    ])
    const plans = {
      stopped: await scheduled(stopped, at),
      suppressed: await scheduled(suppressed, at),
      trashed: await scheduled(trashed, at),
      gone: await scheduled(gone, at),
    }
    expect((await desk.key.post(`${SESSIONS}/${plans.stopped.id}/stop`)).body.status).toBe('CANCELLED')
    const address = suppressed.phone!
    await suppress(desk.person.ctx, { channel: 'phone', address, reason: 'stop', source: 'test' })
    await desk.key.delete(`/api/crm/leads/${trashed.id}`)
    await desk.key.delete(`/api/voice/agents/${plans.gone.agent.id}`)
    clock.set(at)
    expect((await desk.reached(plans.suppressed.id, 'CANCELLED')).end_reason).toContain('suppression list')
    expect((await desk.reached(plans.trashed.id, 'CANCELLED')).end_reason).toBe('The lead is in the trash.')
    expect((await desk.reached(plans.gone.id, 'CANCELLED')).end_reason).toBe('The agent is in the trash.')
    expect((await desk.read(plans.stopped.id)).end_reason).toMatch(/^Stopped by/)
  })

  test('waits while they are on another call', async () => {
    const lead = await desk.lead()
    const { id } = await scheduled(lead, '2026-03-03T12:00:00.000Z')
    const human = await desk.key.post('/api/voice/calls', {
      kind: 'human',
      lead_id: lead.id,
      status: 'CONNECTED',
    })
    clock.set('2026-03-03T12:00:00.000Z')
    await eventually(async () => expect((await desk.read(id)).scheduled_at).toBe('2026-03-03T12:05:00.000Z'))
    await desk.key.patch(`/api/voice/calls/${human.body.id}`, { status: 'ENDED' })
    clock.set('2026-03-03T12:05:00.000Z')
    await desk.reached(id, 'ENDED')
  })
})

describe('an attempt that came to nothing', () => {
  test('is followed by the next until no attempt is left', async () => {
    const agent = await desk.agent({ outbound: { ...FREE, attempts_max: 3, retry_after_min: 60 } })
    const lead = await desk.lead({ phone: phone('00') })
    await desk.begin(lead, agent, { instructions: 'Mention the fair.' })
    for (const attempt of [2, 3]) {
      const next = await eventually(async () => {
        const call = (await callsOf(lead)).find(call => call.attempt === attempt)
        if (call?.status !== 'SCHEDULED') throw new Error('it is not scheduled yet')
        return call
      })
      const minutes = (Date.parse(next.scheduled_at!) - clock.now()) / 60_000
      expect(minutes).toBe(60)
      clock.set(next.scheduled_at!)
    }
    await eventually(async () =>
      expect((await callsOf(lead)).map(({ status, attempt }) => [status, attempt])).toEqual([
        ['NO_ANSWER', 1],
        ['NO_ANSWER', 2],
        ['NO_ANSWER', 3],
      ]),
    )
    await drained()
    const calls = await callsOf(lead)
    expect(calls).toHaveLength(3)
    expect(calls.map(({ follow_up }) => follow_up?.intent)).toEqual(['retry', 'retry', 'none'])
    expect(calls.map(({ follow_up }) => follow_up?.call_id)).toEqual([calls[1]!.id, calls[2]!.id, undefined])
    expect(calls[0]!.follow_up!.at).toBe(calls[1]!.scheduled_at)
    const briefs = await desk.rows(
      `select distinct instructions from call_briefs
       join calls on calls.team_id = call_briefs.team_id and calls.id = call_id where lead_id = $1`,
      [lead.id],
    )
    expect(briefs).toEqual([{ instructions: 'Mention the fair.' }])
  })

  test('is left to a person where its agent has gone before the next', async () => {
    const agent = await desk.agent({ outbound: { ...FREE, attempts_max: 2, retry_after_min: 60 } })
    const lead = await desk.lead({ phone: phone('00'), owner_id: desk.person.user_id })
    await desk.begin(lead, agent)
    await eventually(async () => expect((await callsOf(lead))[1]?.status).toBe('SCHEDULED'))
    await desk.key.delete(`/api/voice/agents/${agent.id}`)
    clock.set((await callsOf(lead))[1]!.scheduled_at!)
    await eventually(async () => expect((await callsOf(lead))[1]?.status).toBe('CANCELLED'))
    expect((await desk.key.get(`/api/crm/tasks?lead_id=${lead.id}`)).body.data).toMatchObject([
      { title: `Call ${lead.first_name} ${lead.last_name}`, assignee_id: desk.person.user_id },
    ])
  })

  test('is tried again outside quiet hours', async () => {
    const agent = await desk.agent({ outbound: { ...QUIET, retry_after_min: 240 } })
    const lead = await desk.lead({ phone: phone('02'), timezone: 'Europe/Berlin' })
    clock.set('2026-03-02T16:00:00.000Z')
    await desk.begin(lead, agent)
    await eventually(async () =>
      expect((await callsOf(lead)).map(({ scheduled_at }) => scheduled_at)).toEqual([
        null,
        '2026-03-03T07:00:00.000Z',
      ]),
    )
  })
})

describe('what a workflow asks for', () => {
  const wanted = (lead: Lead, more: object = {}) => ({
    lead_id: lead.id,
    at: '2026-03-03T12:00:00.000Z',
    key: newId(),
    ...more,
  })
  const ask = (input: ReturnType<typeof wanted>) =>
    desk.person.ctx.transaction(ctx => scheduleCall(ctx, input as never))

  test('is one call for a key, by the agent that is named or else the first', async () => {
    const lead = await desk.lead()
    const [first, sam] = [await desk.agent(), await desk.agent({ name: 'Sam' })]
    const input = wanted(lead, { agent: ' sam ', note: 'About the fair' })
    const made = await ask(input)
    expect(made).toEqual({ id: expect.any(String), at: input.at })
    expect(await ask(input)).toEqual(made)
    const calls = await callsOf(lead)
    expect(calls).toMatchObject([{ status: 'SCHEDULED', agent_id: sam.id, scheduled_at: input.at }])
    const another = await desk.lead()
    await ask(wanted(another))
    const { agent_id } = (await callsOf(another))[0]!
    const oldest = (await desk.key.get('/api/voice/agents?sort=created_at&limit=1')).body.data[0]
    expect(agent_id).toBe(oldest.id)
    expect(agent_id).not.toBe(first.id)
  })

  test('is left to people where no agent is or may, and refused where nobody should', async () => {
    const strict = await desk.agent({ name: 'Strict', outbound: { ...FREE, consent: 'required' } })
    // The oldest agent calls where none is named.
    onTestFinished(async () => void (await desk.key.delete(`/api/voice/agents/${strict.id}`)))
    const lead = await desk.lead()
    expect(await ask(wanted(lead, { agent: 'Nobody' }))).toEqual({
      instead: 'No voice agent is called Nobody',
    })
    expect(await ask(wanted(lead, { agent: strict.name }))).toEqual({
      instead: expect.stringMatching(/has not agreed to be called by an agent$/),
    })
    const silent = await desk.lead({ phone: null })
    expect(await ask(wanted(silent))).toEqual({ instead: expect.stringMatching(/has no phone number$/) })
    const unwilling = await desk.lead()
    const address = unwilling.phone!
    await suppress(desk.person.ctx, { channel: 'phone', address, reason: 'stop', source: 'test' })
    await expect(ask(wanted(unwilling))).rejects.toMatchObject({ code: 'suppressed' })
    expect(await callsOf(lead)).toEqual([])
  })

  test('and cannot be done any more becomes a task: for the owner, or else for whoever it was asked for', async () => {
    const at = '2026-03-03T12:00:00.000Z'
    const user_id = desk.person.user_id
    const colleague = await colleagueOf(desk.app, desk.person, 'MEMBER')
    const [owned, unowned, unwilling] = [
      await desk.lead({ owner_id: colleague.user_id }),
      await desk.lead(),
      await desk.lead(),
    ]
    const agent = await desk.agent({ name: 'Leaving' })
    for (const lead of [owned, unowned])
      await ask(wanted(lead, { agent: agent.name, user_id, note: 'About the fair' }))
    const strict = await desk.agent({ name: 'Careful' })
    await ask(wanted(unwilling, { agent: strict.name, user_id }))
    await desk.key.delete(`/api/voice/agents/${agent.id}`)
    const address = unwilling.phone!
    await suppress(desk.person.ctx, { channel: 'phone', address, reason: 'stop', source: 'test' })
    clock.set(at)
    for (const lead of [owned, unowned, unwilling])
      await eventually(async () => expect((await callsOf(lead))[0]?.status).toBe('CANCELLED'))
    const tasksOf = async (lead: Lead) => (await desk.key.get(`/api/crm/tasks?lead_id=${lead.id}`)).body.data
    for (const [lead, assignee_id] of [
      [owned, colleague.user_id],
      [unowned, user_id],
    ] as const) {
      const [task, ...more] = await tasksOf(lead)
      expect(more).toEqual([])
      expect(task).toMatchObject({
        assignee_id,
        due_at: at,
        title: `Call ${lead.first_name} ${lead.last_name}`,
        description: 'No agent could call: The agent is in the trash.\n\nAbout the fair',
      })
      const [call] = await callsOf(lead)
      expect(call).toMatchObject({ status: 'CANCELLED', follow_up: { intent: 'task', task_id: task.id } })
    }
    // Whoever is suppression list is called by nobody.
    expect(await tasksOf(unwilling)).toEqual([])
  })

  test('says in the trace of the run that the lead will be called', async () => {
    const agent = await desk.agent({ name: 'Robin' })
    const made = await desk.key.post('/api/crm/workflows', {
      name: 'Call them',
      trigger: 'lead.created',
      nodes: [{ type: 'action', action: 'schedule_call', due: '1d', agent: 'Robin' }],
    })
    expect(made.status).toBe(201)
    const lead = await desk.lead({ first_name: 'Grace', timezone: 'Europe/Berlin' })
    await eventually(async () => {
      expect(await callsOf(lead)).toMatchObject([{ status: 'SCHEDULED', agent_id: agent.id }])
      const runs = await desk.key.get(`/api/crm/workflows/${made.body.id}/runs`)
      const run = await desk.key.get(`/api/crm/workflows/runs/${runs.body.data[0].id}`)
      expect(run.text).toContain('will be called at 13:00 on 2026-03-03 (Europe/Berlin).')
    })
    await desk.key.delete(`/api/crm/workflows/${made.body.id}`)
  })
})

/** Everything that is due has been done. */
async function drained(): Promise<void> {
  await eventually(async () =>
    expect(
      await desk.rows(`select kind from jobs where state = 'ready' and run_at <= $1`, [
        new Date(clock.now()),
      ]),
    ).toEqual([]),
  )
}
