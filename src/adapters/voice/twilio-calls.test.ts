import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  VoiceRefused,
  VoiceUnavailable,
  VoiceUncertain,
  type Opened,
  type Outgoing,
  type VoiceEnd,
  type VoiceLine,
  type VoiceSession,
} from '#platform/ports/voice.ts'
import { freePort } from '#test/programs.ts'
import { REALTIME_KEY, startRealtime, type RealtimeServer } from '#test/realtime-server.ts'
import { startTwilioCalls, type TwilioCall } from '#test/twilio-calls.ts'
import { voiceEar } from '#test/voice-ear.ts'
import { openOpenAiLine, type OpenAiLineOptions } from './openai.ts'

const SIP_URI = 'sip:proj_1@sip.api.openai.com;transport=tls'
const session: VoiceSession = { model: null, voice: null, instructions: 'x', greeting: 'Hello.', tools: [] }
const outgoing: Outgoing = {
  call_id: '1',
  token: 'a.b_c-d&<=',
  from: null,
  to: '+4930123456',
  session,
}

let realtime: RealtimeServer
let twilio: Awaited<ReturnType<typeof startTwilioCalls>>
const lines: VoiceLine[] = []
beforeEach(async () => {
  realtime = await startRealtime()
  twilio = await startTwilioCalls()
})
afterEach(async () => {
  for (const line of lines.splice(0)) await line.close()
  await realtime.close()
  await twilio.close()
})

describe('a call that goes out', () => {
  test('is made by Twilio, which dials the model when somebody answers, and comes round', async () => {
    const line = open()
    const { provider_call_id: sid } = await line.dial({ ...outgoing, from: '+15550199' })
    const [call] = twilio.calls as [TwilioCall]
    expect(call).toMatchObject({ sid, to: '+4930123456', from: '+15550199' })
    const first = voiceEar()
    const ringing = await line.open(opened(sid), first.listener)
    await expect(ringing.prompt('Be brief.')).rejects.toBeInstanceOf(VoiceUnavailable)

    const { address, headers } = twilio.answer(call)
    expect(address).toBe(SIP_URI)
    expect(headers).toEqual({ 'X-Rapport-Call': outgoing.token })
    const round = realtime.ring(headers)
    expect(round.event.data.sip_headers).toContainEqual({ name: 'X-Rapport-Call', value: outgoing.token })
    await line.accept(round.call.id, session)
    ringing.leave()
    const ear = voiceEar()
    await line.open(opened(round.call.id), ear.listener)
    await expect.poll(() => ear.lines.map(({ text }) => text)).toEqual(['Hello.'])
    call.status = 'completed'
    round.call.hangUp()
    await expect.poll(() => ear.ends).toHaveLength(1)
    expect([first.connected, first.ends, first.lost]).toEqual([0, [], []])
  })

  test('comes from the number of the installation unless the agent has its own', async () => {
    await open().dial(outgoing)
    expect(twilio.calls[0]!.from).toBe('+15550100')
    expect(twilio.heard[0]!.headers.authorization).toBe(
      `Basic ${Buffer.from('AC1:canary-token').toString('base64')}`,
    )
  })

  test.for<[TwilioCall['status'], VoiceEnd['status'], RegExp]>([
    ['no-answer', 'NO_ANSWER', /^No answer/],
    ['canceled', 'NO_ANSWER', /cancelled/],
    ['busy', 'FAILED', /busy/],
    ['failed', 'FAILED', /could not be reached/],
    ['completed', 'FAILED', /did not reach the model.*OPENAI_SIP_URI/],
  ])('and is %s ends as %s', async ([status, ended, reason]) => {
    const line = open()
    const { provider_call_id: sid } = await line.dial(outgoing)
    const ear = voiceEar()
    await line.open(opened(sid), ear.listener)
    const [call] = twilio.calls as [TwilioCall]
    call.status = 'ringing'
    const looks = twilio.heard.length
    await expect.poll(() => twilio.heard.length).toBeGreaterThan(looks + 1)
    expect(ear.ends).toEqual([])
    call.status = status
    await expect.poll(() => ear.ends).toHaveLength(1)
    expect(ear.ends[0]).toMatchObject({ status: ended, reason: expect.stringMatching(reason) as string })
    expect([ear.connected, ear.lost]).toEqual([0, []])
  })

  test('is called off while it rings', async () => {
    const line = open()
    const first = await line.dial(outgoing)
    const ear = voiceEar()
    const channel = await line.open(opened(first.provider_call_id), ear.listener)
    await channel.hangUp()
    expect(twilio.calls[0]!.status).toBe('canceled')
    expect(ear.ends).toMatchObject([{ status: 'NO_ANSWER' }])
    const second = await line.dial(outgoing)
    await line.hangUp(second.provider_call_id)
    expect(twilio.calls[1]!.status).toBe('canceled')
    await line.hangUp(`CA${'9'.repeat(32)}`)
  })

  test('survives a provider that is away for a while, and is lost to one that stays away', async () => {
    const line = open()
    const { provider_call_id: sid } = await line.dial(outgoing)
    const ear = voiceEar()
    twilio.faults.push(500, 503, 'rude')
    await line.open(opened(sid), ear.listener)
    await expect.poll(() => twilio.faults.length).toBe(0)
    twilio.faults.push(...Array.from({ length: 12 }, () => 500))
    await expect.poll(() => ear.lost).toEqual(['Twilio answered 500 (20500): because'])
    twilio.faults.length = 0
    const again = voiceEar()
    twilio.calls[0]!.status = 'busy'
    await line.open(opened(sid), again.listener)
    await expect.poll(() => again.ends).toMatchObject([{ status: 'FAILED' }])
  })
})

describe('a call that cannot be made', () => {
  test.for<[number | 'rude' | 'silent', 'refused' | 'unavailable' | 'uncertain']>([
    [400, 'refused'],
    [401, 'refused'],
    [404, 'refused'],
    [429, 'unavailable'],
    [500, 'unavailable'],
    [502, 'uncertain'],
    [504, 'uncertain'],
    ['rude', 'uncertain'],
    ['silent', 'uncertain'],
  ])('for %s is %s', async ([fault, verdict]) => {
    twilio.faults.push(fault)
    const failure: unknown = await open({}, 300)
      .dial(outgoing)
      .catch((error: unknown) => error)
    expect(failure instanceof VoiceUncertain).toBe(verdict === 'uncertain')
    expect(failure instanceof VoiceRefused).toBe(verdict !== 'unavailable')
    expect(failure instanceof VoiceUnavailable).toBe(verdict === 'unavailable')
    expect(`${(failure as Error).message}${(failure as Error).stack}`).not.toContain('canary')
  })

  test('has certainly not been made where nobody was reached', async () => {
    const baseUrl = `http://127.0.0.1:${await freePort()}`
    const line = open({ twilio: { ...twilio.settings, baseUrl } })
    await expect(line.dial(outgoing)).rejects.toBeInstanceOf(VoiceUnavailable)
  })

  test('says what is missing', async () => {
    expect(open().dialFault).toBeNull()
    expect(open({ twilio: undefined }).dialFault).toBe(
      'Agents can answer calls but cannot place them: set TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM (to place calls).',
    )
    expect(open({ sipUri: undefined }).dialFault).toBe(
      'Agents can answer calls but cannot place them: set OPENAI_SIP_URI (to connect the model).',
    )
    expect(open({ twilio: undefined, sipUri: undefined }).dialFault).toContain(
      'TWILIO_FROM (to place calls) and OPENAI_SIP_URI',
    )
    const named = open({ twilio: { ...twilio.settings, from: 'Acme' } })
    expect(named.dialFault).toBe('TWILIO_FROM must be a phone number to make calls, not Acme')
    await expect(named.dial(outgoing)).rejects.toBeInstanceOf(VoiceRefused)
    expect(twilio.heard).toEqual([])
  })

  test('is told apart by a check', async () => {
    await open().check()
    twilio.faults.push(401, 500)
    await expect(open().check()).rejects.toThrow('Twilio rejected the account SID or auth token')
    await expect(open().check()).rejects.toThrow('Twilio is unavailable (500)')
  })
})

function open(more: Partial<OpenAiLineOptions> = {}, timeoutMs = 2_000): VoiceLine {
  const line = openOpenAiLine(
    { apiKey: REALTIME_KEY, baseUrl: realtime.url, sipUri: SIP_URI, twilio: twilio.settings, ...more },
    { timeoutMs, lookMs: 20, roundMs: 200 },
  )
  lines.push(line)
  return line
}

function opened(provider_call_id: string): Opened {
  return { call_id: '1', provider_call_id, session, about: { name: null, timezone: 'UTC' }, resume: null }
}
