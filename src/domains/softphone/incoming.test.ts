import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openOpenAiLine } from '#adapters/voice/openai.ts'
import { signingKey } from '#platform/signature.ts'
import type { Call } from '#domains/calls/contract.ts'
import { webhookSecret } from '#test/webhook-secret.ts'
import { eventually } from '#test/eventually.ts'
import { tell } from '#test/provider.ts'
import { REALTIME_KEY, startRealtime, type RealtimeServer } from '#test/realtime-server.ts'
import { startTwilioCalls } from '#test/twilio-calls.ts'
import { readIncoming } from './sip.ts'
import { phone, phoneOf, SESSIONS, startPhone, type Phone } from './softphone.harness.ts'
import { callToken, readCallToken } from './tokens.ts'

const SECOND_SECRET = 'whsec_c2Vjb25kIHNlY3JldA=='
let realtime: RealtimeServer
let twilio: Awaited<ReturnType<typeof startTwilioCalls>>
let desk: Phone
beforeAll(async () => {
  realtime = await startRealtime()
  twilio = await startTwilioCalls()
  const line = openOpenAiLine(
    {
      apiKey: REALTIME_KEY,
      baseUrl: realtime.url,
      sipUri: 'sip:proj_1@sip.example.test;transport=tls',
      twilio: twilio.settings,
    },
    { lookMs: 50, farewellMs: 200 },
  )
  const keys = ['payment', 'voice', 'email'] as const
  const webhookKeys = {
    ...Object.fromEntries(keys.map(name => [name, [signingKey(webhookSecret(name))]])),
    realtime: [signingKey(webhookSecret('realtime')), signingKey(SECOND_SECRET)],
  }
  desk = await startPhone({ ports: { voice: line }, config: { webhookKeys: webhookKeys as never } })
  // With a second team, whose call it is must be found out.
  await desk.app.person()
})
afterAll(async () => {
  await desk.close()
  await realtime.close()
  await twilio.close()
})

const ring = (to: string, from = phone('11'), more: Record<string, string> = {}) =>
  realtime.ring({
    To: `<sip:${to}@sip.example.test>;tag=1`,
    From: `"Grace" <sip:${from}@trunk.test>`,
    ...more,
  })
const hear = (event: unknown, secret?: string) =>
  tell(desk.app.url, 'realtime', event, secret === undefined ? {} : { secret })
const inbox = async (eventId: string) =>
  (
    await desk.rows(
      `select status, note, inbound_events.team_id from inbound_events left join inbound_effects on inbound_id = id where event_id = $1`,
      [eventId],
    )
  )[0]
const callsFrom = async (from: string): Promise<Call[]> => {
  const found = await desk.rows('select id from calls where "from" = $1', [from])
  return Promise.all(found.map(({ id }) => desk.read(id)))
}

describe('a call that comes in', () => {
  test('is taken by the agent at that number, the caller becomes a lead, and what is said is there', async () => {
    const number = phone('42')
    const agent = await desk.agent({ phone_number: number, greeting: 'Rapport, good morning.' })
    const from = phone('12')
    const { call, event } = ring(number, from)
    expect((await hear(event)).body.status).toBe('accepted')
    await eventually(() => expect(call.channels()).toBe(1))
    expect(call.session).toMatchObject({ instructions: expect.stringContaining('Be kind.') })
    const made = await eventually(async () => {
      const [made] = await callsFrom(from)
      expect(made).toMatchObject({
        status: 'CONNECTED',
        direction: 'inbound',
        agent_id: agent.id,
        to: number,
      })
      return made!
    })
    const lead = await desk.key.get(`/api/crm/leads/${made.lead_id}`)
    expect(lead.body).toMatchObject({ phone: from, source: 'Phone call', call_status: 'CONNECTED' })
    call.hears('Hello, is this Rapport?')
    const ref = call.asks('end_call', { reason: 'done' })
    const ended = await desk.reached(made.id, 'ENDED')
    expect(call.answerTo(ref)).toBeDefined()
    expect(ended.transcript.map(({ text }) => text)).toContain('Hello, is this Rapport?')
    expect(ended.transcript.map(({ text }) => text)).toContain('Rapport, good morning.')
    const responses = await desk.rows('select status from model_responses where call_id = $1', [made.id])
    expect(responses.length).toBeGreaterThan(0)

    // Told once more, by whatever name, nothing comes of it.
    expect((await hear(event)).body.status).toBe('duplicate')
    await hear({ ...event, id: `${event.id}_again` })
    await eventually(async () => expect((await inbox(`${event.id}_again`))?.status).toBe('processed'))
    expect(await callsFrom(from)).toHaveLength(1)
    expect(realtime.heard.filter(({ path }) => path.endsWith(`${call.id}/accept`))).toHaveLength(1)
  })

  test('is taken whichever of the two secrets signed it, and no third', async () => {
    const number = phone('43')
    await desk.agent({ phone_number: number })
    const [first, second, third] = [ring(number), ring(number), ring(number)]
    expect((await hear(first.event, webhookSecret('realtime'))).status).toBe(200)
    expect((await hear(second.event, SECOND_SECRET)).status).toBe(200)
    expect((await hear(third.event, webhookSecret('voice'))).status).toBe(401)
    for (const { call } of [first, second]) await eventually(() => expect(call.channels()).toBe(1))
    expect(third.call.state).toBe('ringing')
    for (const { call } of [first, second]) call.hangUp()
    await settled()
  })

  test('is declined where no agent answers', async () => {
    const { call, event } = ring(phone('44'))
    await hear(event)
    await eventually(() => expect(call.rejectedWith).toBe(603))
    // Of several teams none has the number: it is nobody's event, and still nobody is left ringing.
    expect(await inbox(event.id)).toMatchObject({ status: 'unmatched', team_id: null })
    const nameless = { ...event, id: 'evt_nameless', data: { sip_headers: [] } }
    await hear(nameless)
    await eventually(async () => expect((await inbox('evt_nameless'))?.status).toBe('unmatched'))
  })

  test('is handed over to a person, or busy, where as many calls go on as may', async () => {
    const [kind, curt] = [phone('45'), phone('46')]
    await desk.agent({ phone_number: kind, transfer_to: '+49309991' })
    await desk.agent({ phone_number: curt })
    await desk.rows(
      `insert into attended_calls (call_id, team_id, provider, brief, owner, lease_until, created_at)
       select 'filler' || n, $1, 'openai', '{}', 'nobody', '2999-01-01', now() from generate_series(1, 500) n`,
      [desk.person.team_id],
    )
    const [referred, refused] = [ring(kind), ring(curt)]
    await hear(referred.event)
    await hear(refused.event)
    await eventually(() => expect(referred.call.referredTo).toBe('tel:+49309991'))
    await eventually(() => expect(refused.call.rejectedWith).toBe(486))
    await desk.rows(`delete from attended_calls where call_id like 'filler%'`)
  })

  test('whose caller has hung up is not taken', async () => {
    const number = phone('47')
    await desk.agent({ phone_number: number })
    const from = phone('13')
    const { call, event } = ring(number, from)
    call.hangUp()
    await hear(event)
    await eventually(async () => expect((await callsFrom(from))[0]).toMatchObject({ status: 'NO_ANSWER' }))
    expect(await desk.rows('select 1 from attended_calls')).toEqual([])
  })

  test('is taken when the provider answers again', async () => {
    const number = phone('48')
    await desk.agent({ phone_number: number })
    const { call, event } = ring(number)
    realtime.faults.push(503)
    await hear(event)
    await eventually(() => expect(call.channels()).toBe(1))
    call.hangUp()
    await settled()
  })
})

describe('our own call that comes round', () => {
  async function dialled() {
    const id = await desk.begin(await desk.lead(), await desk.agent({ greeting: 'It is us.' }))
    const { to } = await desk.read(id)
    const sent = await eventually(() => {
      const found = twilio.calls.find(call => call.to === to)
      if (!found) throw new Error('nobody was called')
      return found
    })
    return { id, sent, headers: twilio.answer(sent).headers }
  }

  test('is known again by what we signed, and goes on as that call', async () => {
    const { id, headers } = await dialled()
    // The number does not matter: it is our own trunk's.
    const { call, event } = ring('+15550100', '+15550100', headers)
    await hear(event)
    const connected = await desk.reached(id, 'CONNECTED')
    expect(connected.direction).toBe('outbound')
    await eventually(async () =>
      expect((await desk.read(id)).transcript.map(({ text }) => text)).toContain('It is us.'),
    )
    // It comes round once.
    const second = ring('+15550100', '+15550100', headers)
    await hear(second.event)
    await eventually(() => expect(second.call.rejectedWith).toBe(603))
    expect((await desk.key.post(`${SESSIONS}/${id}/prompts`, { text: 'Be brief.' })).status).toBe(202)
    await eventually(() => expect(JSON.stringify(call.sent)).toContain('Be brief.'))
    call.hangUp()
    await desk.reached(id, 'ENDED')
    expect((await callsFrom('+15550100')).filter(({ direction }) => direction === 'inbound')).toEqual([])
  })

  test('is not taken for another by a name that nobody signed', async () => {
    const { id, sent } = await dialled()
    const { settings } = desk.app.runtime
    const good = callToken(settings, { team_id: desk.person.team_id, call_id: id })
    const bytes = Buffer.from(good, 'base64url')
    bytes[bytes.length - 1]! ^= 1
    const forged = [
      bytes.toString('base64url'),
      id,
      '',
      Buffer.concat([Buffer.from(desk.person.team_id + id, 'hex'), Buffer.alloc(16)]).toString('base64url'),
      callToken(
        { ...settings, sessionSecrets: [Buffer.alloc(32, 7)] },
        { team_id: desk.person.team_id, call_id: id },
      ),
    ]
    for (const token of forged) {
      expect(readCallToken(settings, token)).toBeUndefined()
      const { call, event } = ring(phone('49'), undefined, { 'X-Rapport-Call': token })
      await hear(event)
      await eventually(() => expect(call.rejectedWith).toBe(603))
    }
    expect((await desk.read(id)).status).toBe('DIALING')
    sent.status = 'no-answer'
    await desk.reached(id, 'NO_ANSWER')
    // What was signed is worth nothing when the call is over.
    const { call, event } = ring('+15550100', undefined, { 'X-Rapport-Call': good })
    await hear(event)
    await eventually(() => expect(call.rejectedWith).toBe(603))
  })
})

test("another team's number is another team's call", async () => {
  const other = await phoneOf(desk.app, await desk.app.person())
  const number = phone('50')
  await other.agent({ phone_number: number })
  const from = phone('14')
  const { call, event } = ring(number, from)
  await hear(event)
  await eventually(() => expect(call.channels()).toBe(1))
  const rows = await desk.rows('select team_id from calls where "from" = $1', [from])
  expect(rows).toEqual([{ team_id: other.person.team_id }])
  expect((await desk.key.get('/api/voice/calls?limit=200')).text).not.toContain(from)
  call.hangUp()
  await settled()
})

test("what a call says of itself is a stranger's text", () => {
  const read = (sip_headers: unknown, call_id: unknown = 'rtc_1') => readIncoming({ call_id, sip_headers })
  const header = (name: string, value: unknown) => ({ name, value })
  expect(read([header('TO', '"A" <sip:+4930123456@x>;tag=1'), header('from', 'tel:+49-30-654321')])).toEqual({
    provider_call_id: 'rtc_1',
    to: ['+4930123456'],
    from: '+4930654321',
    token: null,
  })
  expect(read([header('To', 'sip:4930123456@x')])?.to).toEqual(['+4930123456'])
  expect(read([header('To', 'sip:proj_1@x'), header('Diversion', '<sip:+4930123457@x>')])?.to).toEqual([
    '+4930123457',
  ])
  for (const value of ['sip:anonymous@x', 'sip:+1@x', `sip:+${'1'.repeat(40)}@x`, 'x'.repeat(5_000), 7, null])
    expect(read([header('To', value)])?.to).toEqual([])
  expect(read([header('To', 'sip:+4930123456@x'), header('To', 'sip:+4930999999@x')])?.to).toEqual([
    '+4930123456',
  ])
  for (const list of [undefined, null, 'To', {}, [null, 1, 'x', {}]]) expect(read(list)?.to).toEqual([])
  for (const name of [undefined, 7, '', 'a/../b', 'a b', 'x'.repeat(300)])
    expect(read([], name === undefined ? null : name)).toBeUndefined()
})

/** No call is attended to any more. */
async function settled(): Promise<void> {
  await eventually(async () => expect(await desk.rows('select 1 from attended_calls')).toEqual([]))
}
