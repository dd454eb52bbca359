import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import { suppress } from '#domains/suppressions/service.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { FREE, phone, SESSIONS, stage, startPhone, type Phone } from './softphone.harness.ts'
import { refusalOfTime } from './rules.ts'
import { LIVE_CALLS_MAX } from './values.ts'

const clock = new FakeClock('2026-03-27T12:00:00.000Z')
const line = stage(clock)
let desk: Phone
beforeAll(async () => {
  desk = await startPhone({ clock, ports: { voice: line } })
})
afterAll(() => desk.close())
beforeEach(() => clock.set('2026-03-27T12:00:00.000Z'))

/** The code of the refusal, or that there was none; what was begun is stopped. */
async function asked(body: object): Promise<string> {
  const reply = await desk.start(body)
  if (reply.status === 201) {
    await desk.key.post(`${SESSIONS}/${reply.body.id}/stop`)
    if (reply.body.status !== 'SCHEDULED') await desk.reached(reply.body.id, 'CANCELLED')
    return 'called'
  }
  expect([reply.status, reply.headers.get('content-type')]).toEqual([
    409,
    expect.stringContaining('application/problem+json'),
  ])
  expect(reply.body.detail).toMatch(/\.$/)
  return reply.body.code as string
}
const consent = (lead: Lead, given: boolean) =>
  desk.key.put(`/api/voice/consents/${lead.id}`, { given, source: 'form' })
const count = async () => (await desk.rows('select count(*)::int as count from calls'))[0]!.count

describe('an agent does not call', () => {
  test('who has no number', async () => {
    const agent = await desk.agent()
    const before = await count()
    expect(await asked({ lead_id: (await desk.lead({ phone: null })).id, agent_id: agent.id })).toBe(
      'no_phone',
    )
    expect(await count()).toBe(before)
    const neither = await desk.start({ agent_id: agent.id })
    expect([neither.status, neither.body.errors[0].path]).toEqual([422, 'lead_id'])
  })

  test('whose number is on the list, or whose address is for a reason that is more than a bounce', async () => {
    const agent = await desk.agent()
    const [byPhone, byMail, bounced] = [
      await desk.lead({ email: 'one@example.test' }),
      await desk.lead({ email: 'Two@example.test' }),
      await desk.lead({ email: 'three@example.test' }),
    ]
    const { ctx } = desk.person
    await suppress(ctx, { channel: 'phone', address: byPhone.phone!, reason: 'stop', source: 'test' })
    await suppress(ctx, {
      channel: 'email',
      address: 'two@example.test',
      reason: 'complained',
      source: 'test',
    })
    await suppress(ctx, {
      channel: 'email',
      address: 'three@example.test',
      reason: 'bounced',
      source: 'test',
    })
    expect(await asked({ lead_id: byPhone.id, agent_id: agent.id })).toBe('suppressed')
    expect(await asked({ number: byPhone.phone, agent_id: agent.id })).toBe('suppressed')
    expect(await asked({ lead_id: byMail.id, agent_id: agent.id })).toBe('suppressed')
    expect(await asked({ number: byMail.phone, agent_id: agent.id })).toBe('suppressed')
    expect(await asked({ lead_id: bounced.id, agent_id: agent.id })).toBe('called')
    const later = { lead_id: byPhone.id, agent_id: agent.id, scheduled_at: '2026-03-28T12:00:00.000Z' }
    expect(await asked(later)).toBe('suppressed')
  })

  test('who has not agreed, where that is needed; and never who said no', async () => {
    const strict = await desk.agent({ outbound: { ...FREE, consent: 'required' } })
    const free = await desk.agent()
    const lead = await desk.lead()
    expect(await asked({ lead_id: lead.id, agent_id: strict.id })).toBe('no_consent')
    expect(await asked({ number: phone('77'), agent_id: strict.id })).toBe('no_consent')
    await consent(lead, true)
    expect(await asked({ lead_id: lead.id, agent_id: strict.id })).toBe('called')
    expect(await asked({ number: lead.phone, agent_id: strict.id })).toBe('called')
    await consent(lead, false)
    expect(await asked({ lead_id: lead.id, agent_id: strict.id })).toBe('no_consent')
    expect(await asked({ lead_id: lead.id, agent_id: free.id })).toBe('no_consent')
  })

  test('who is on a call already, by whatever name', async () => {
    const agent = await desk.agent()
    const lead = await desk.lead()
    const id = await desk.begin(lead, agent)
    expect(await asked({ lead_id: lead.id, agent_id: agent.id })).toBe('on_a_call')
    expect(await asked({ number: lead.phone, agent_id: agent.id })).toBe('on_a_call')
    const twin = await desk.lead({ phone: lead.phone })
    expect(await asked({ lead_id: twin.id, agent_id: agent.id })).toBe('on_a_call')
    await desk.key.post(`${SESSIONS}/${id}/stop`)
    await desk.reached(id, 'CANCELLED')
    // A colleague speaks with them.
    const human = await desk.key.post('/api/voice/calls', {
      kind: 'human',
      lead_id: lead.id,
      status: 'CONNECTED',
    })
    expect(human.status).toBe(201)
    expect(await asked({ lead_id: lead.id, agent_id: agent.id })).toBe('on_a_call')
    await desk.key.patch(`/api/voice/calls/${human.body.id}`, { status: 'ENDED' })
    expect(await asked({ lead_id: lead.id, agent_id: agent.id })).toBe('called')
  })

  test('twice at once, however many ask at the same moment', async () => {
    const agent = await desk.agent()
    const lead = await desk.lead()
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => desk.start({ lead_id: lead.id, agent_id: agent.id })),
    )
    const begun = replies.filter(({ status }) => status === 201)
    expect(begun).toHaveLength(1)
    expect(replies.filter(({ body }) => body.code === 'on_a_call')).toHaveLength(7)
    await desk.key.post(`${SESSIONS}/${begun[0]!.body.id}/stop`)
    await desk.reached(begun[0]!.body.id, 'CANCELLED')
  })

  test('when as many calls go on as may', async () => {
    const agent = await desk.agent()
    const lead = await desk.lead()
    const fill = (rows: number) =>
      desk.rows(
        `insert into attended_calls (call_id, team_id, provider, brief, owner, lease_until, created_at)
         select 'filler' || n, $1, 'simulator', '{}', 'nobody', '2999-01-01', '2026-03-27' from generate_series(1, $2) n`,
        [desk.person.team_id, rows],
      )
    await fill(LIVE_CALLS_MAX)
    expect(await asked({ lead_id: lead.id, agent_id: agent.id })).toBe('too_many_calls')
    await desk.rows(`delete from attended_calls where call_id = 'filler1'`)
    expect(await asked({ lead_id: lead.id, agent_id: agent.id })).toBe('called')
    await desk.rows(`delete from attended_calls where call_id like 'filler%'`)
  })

  test('where the line cannot dial, and says what is missing', async () => {
    const agent = await desk.agent()
    const lead = await desk.lead()
    const { ports } = desk.app
    const voice = ports.voice
    ports.voice = { ...voice, dialFault: 'TWILIO_FROM must be set.' }
    try {
      expect(await asked({ lead_id: lead.id, agent_id: agent.id })).toBe('no_line')
      expect((await desk.key.get('/api/voice/line')).body).toEqual({
        provider: 'simulator',
        can_dial: false,
        note: 'TWILIO_FROM must be set.',
      })
    } finally {
      ports.voice = voice
    }
    expect((await desk.key.get('/api/voice/line')).body.can_dial).toBe(true)
  })
})

describe('quiet hours', () => {
  const outbound = { ...FREE, quiet_hours: { from: '20:00', until: '08:00' } }
  const at = (instant: string, timezone: string | null) =>
    refusalOfTime({ lead: { timezone } as Lead, number: '+999', agent: { outbound }, at: instant })

  test('begin and end at the minute, where the lead is', () => {
    // Berlin is one hour ahead in winter.
    expect(at('2026-01-15T18:59:59.999Z', 'Europe/Berlin')).toBeUndefined()
    expect(at('2026-01-15T19:00:00.000Z', 'Europe/Berlin')).toMatchObject({
      refusal: 'quiet_hours',
      next_at: '2026-01-16T07:00:00.000Z',
    })
    expect(at('2026-01-16T06:59:59.999Z', 'Europe/Berlin')?.next_at).toBe('2026-01-16T07:00:00.000Z')
    expect(at('2026-01-16T07:00:00.000Z', 'Europe/Berlin')).toBeUndefined()
    // The same moment elsewhere.
    expect(at('2026-01-15T19:00:00.000Z', 'America/New_York')).toBeUndefined()
    expect(at('2026-01-15T19:59:59.999Z', null)).toBeUndefined()
    expect(at('2026-01-15T20:00:00.000Z', null)?.next_at).toBe('2026-01-16T08:00:00.000Z')
    expect(at('2026-01-15T20:00:00.000Z', 'Mars/Olympus')?.refusal).toBe('quiet_hours')
  })

  test('are those of the wall on days on which the clock changes', () => {
    // In the night to 29 March Berlin's clock jumps from two to three, and at 25 October from three to two.
    expect(at('2026-03-28T19:00:00.000Z', 'Europe/Berlin')?.next_at).toBe('2026-03-29T06:00:00.000Z')
    expect(at('2026-03-29T05:59:59.999Z', 'Europe/Berlin')?.next_at).toBe('2026-03-29T06:00:00.000Z')
    expect(at('2026-03-29T06:00:00.000Z', 'Europe/Berlin')).toBeUndefined()
    expect(at('2026-03-29T17:59:59.999Z', 'Europe/Berlin')).toBeUndefined()
    expect(at('2026-03-29T18:00:00.000Z', 'Europe/Berlin')?.next_at).toBe('2026-03-30T06:00:00.000Z')
    expect(at('2026-10-24T18:00:00.000Z', 'Europe/Berlin')?.next_at).toBe('2026-10-25T07:00:00.000Z')
    expect(at('2026-10-25T06:59:59.999Z', 'Europe/Berlin')?.refusal).toBe('quiet_hours')
  })

  const by = (number: string, instant: string, hours = outbound.quiet_hours) =>
    refusalOfTime({
      lead: undefined,
      number,
      agent: { outbound: { ...outbound, quiet_hours: hours } },
      at: instant,
    })

  test('are those of the number where no time zone is known, and the message says so', () => {
    // Berlin is one hour ahead of UTC.
    expect(by('+4930123456', '2026-01-15T18:59:59.999Z')).toBeUndefined()
    expect(by('+4930123456', '2026-01-15T19:30:00.000Z')).toMatchObject({
      message:
        'It is 20:30 there (Europe/Berlin, from the phone number), and quiet hours are from 20:00 to 08:00.',
      next_at: '2026-01-16T07:00:00.000Z',
    })
    expect(by('+35120123456', '2026-01-16T08:59:59.999Z')?.next_at).toBe('2026-01-16T09:00:00.000Z')
  })

  test('of a country with several zones hold in all of them', () => {
    // From eight in Honolulu (UTC-10) until eight in the evening in St. John's (UTC-3:30).
    expect(by('+14155550100', '2026-01-15T17:59:59.999Z')).toMatchObject({
      message: expect.stringContaining('(several time zones, from the phone number)'),
      next_at: '2026-01-15T18:00:00.000Z',
    })
    expect(by('+14155550100', '2026-01-15T18:00:00.000Z')).toBeUndefined()
    expect(by('+14155550100', '2026-01-15T23:29:59.999Z')).toBeUndefined()
    expect(by('+14155550100', '2026-01-15T23:30:00.000Z')?.next_at).toBe('2026-01-16T18:00:00.000Z')
    // Nine to two fits nowhere for all of Russia: somebody must say where the lead is.
    const never = by('+74951234567', '2026-01-15T09:00:00.000Z', { from: '14:00', until: '09:00' })
    expect(never).toMatchObject({ message: expect.stringContaining("Set the lead's time zone") })
    expect(never).not.toHaveProperty('next_at')
  })

  test('and consent are told together, before anything is tried as well', async () => {
    const agent = await desk.agent({ outbound: { ...outbound, consent: 'required' } })
    const lead = await desk.lead({ phone: '+4930555001', timezone: null })
    clock.set('2026-03-27T20:00:00.000Z')
    const parts = { lead_id: lead.id, agent_id: agent.id }
    const check = (await desk.key.post('/api/softphone/check', parts)).body
    expect(check).toMatchObject({ may_call: false, timezones: ['Europe/Berlin'], timezone_from: 'phone' })
    expect(check.refusals).toMatchObject([
      { code: 'no_consent', next_at: null },
      { code: 'quiet_hours', next_at: '2026-03-28T07:00:00.000Z' },
    ])
    const reply = await desk.start({ lead_id: lead.id, agent_id: agent.id })
    expect([reply.status, reply.body.code]).toEqual([409, 'no_consent'])
    expect(reply.body.detail).toMatch(/has not agreed .* It is 21:00 there/)
    expect(reply.body.errors.map(({ path }: { path: string }) => path)).toEqual([
      'no_consent',
      'quiet_hours',
      'scheduled_at',
    ])
    await consent(lead, true)
    clock.set('2026-03-28T07:00:00.000Z')
    expect((await desk.key.post('/api/softphone/check', parts)).body).toMatchObject({
      may_call: true,
      refusals: [],
    })
  })

  test('are told with the next time at which it may be', async () => {
    const agent = await desk.agent({ outbound })
    const lead = await desk.lead({ timezone: 'Europe/Berlin' })
    clock.set('2026-03-28T19:00:00.000Z')
    const reply = await desk.start({ lead_id: lead.id, agent_id: agent.id })
    expect([reply.status, reply.body.code]).toEqual([409, 'quiet_hours'])
    expect(reply.body.detail).toContain('20:00 there (Europe/Berlin)')
    expect(reply.body.errors).toEqual([
      { path: 'scheduled_at', message: 'is possible from 2026-03-29T06:00:00.000Z' },
    ])
    clock.set('2026-03-28T18:59:59.000Z')
    expect(await asked({ lead_id: lead.id, agent_id: agent.id })).toBe('called')
  })
})
