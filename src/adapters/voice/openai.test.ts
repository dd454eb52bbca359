import type { CallAcceptParams } from 'openai/resources/realtime/calls'
import type { RealtimeClientEvent } from 'openai/resources/realtime/realtime'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import {
  VoiceGone,
  VoiceRefused,
  VoiceUnavailable,
  type Opened,
  type VoiceLine,
  type VoiceSession,
} from '#platform/ports/voice.ts'
import { freePort } from '#test/programs.ts'
import { REALTIME_KEY, startRealtime, type RealtimeCall, type RealtimeServer } from '#test/realtime-server.ts'
import { voiceEar, type Ear } from '#test/voice-ear.ts'
import { openOpenAiLine, type OpenAiLineLimits } from './openai.ts'
import { greetingEvent, promptEvent, sessionBody, toolAnswerEvent } from './openai-session.ts'

const parameters = { type: 'object', properties: { startsAt: { type: 'string' } }, required: ['startsAt'] }
const session: VoiceSession = {
  model: 'gpt-realtime-mini',
  voice: 'cedar',
  instructions: 'Find a time for a meeting.',
  greeting: 'Hello, this is Iris of Acme.',
  tools: [{ name: 'schedule_meeting', description: 'Books a meeting.', parameters }],
}

let realtime: RealtimeServer
const lines: VoiceLine[] = []
beforeEach(async () => {
  realtime = await startRealtime()
})
afterEach(async () => {
  for (const line of lines.splice(0)) await line.close()
  await realtime.close()
})

describe('a call that comes in', () => {
  test('is accepted with the session in the words of the provider', async () => {
    const { call } = realtime.ring()
    await line().accept(call.id, session)
    expect(call.state).toBe('live')
    expect(call.session).toEqual({
      type: 'realtime',
      model: 'gpt-realtime-mini',
      instructions: 'Find a time for a meeting.',
      output_modalities: ['audio'],
      audio: { input: { transcription: { model: 'gpt-transcribe' } }, output: { voice: 'cedar' } },
      tools: [{ type: 'function', name: 'schedule_meeting', description: 'Books a meeting.', parameters }],
      tool_choice: 'auto',
    })
    expect(realtime.heard).toMatchObject([{ method: 'POST', path: `/v1/realtime/calls/${call.id}/accept` }])
  })

  test('is told nothing that the types of the provider do not know', () => {
    // What does not fit does not compile.
    const body: CallAcceptParams = sessionBody(session)
    const events: RealtimeClientEvent[] = [
      greetingEvent(session),
      greetingEvent({ ...session, greeting: null }),
      promptEvent('Be brief.'),
      toolAnswerEvent('call_1', 'Booked.'),
    ]
    expect(body.model).toBe('gpt-realtime-mini')
    expect(sessionBody({ ...session, model: null, voice: null })).toMatchObject({ model: 'gpt-realtime' })
    expect(sessionBody({ ...session, voice: null }).audio).not.toHaveProperty('output')
    expect(events.map(({ type }) => type)).toEqual([
      'response.create',
      'response.create',
      'conversation.item.create',
      'conversation.item.create',
    ])
  })

  test('is rejected, handed over or ended; one that is over already is well', async () => {
    const rejected = realtime.ring().call
    await line().reject(rejected.id, 486)
    await line().reject(rejected.id, 486)
    expect(rejected.rejectedWith).toBe(486)
    const referred = await accepted()
    await line().refer(referred.id, 'tel:+4930123456')
    expect(referred.referredTo).toBe('tel:+4930123456')
    await expect(line().refer(referred.id, 'tel:+4930123456')).rejects.toBeInstanceOf(VoiceGone)
    const ended = await accepted()
    await line().hangUp(ended.id)
    await line().hangUp(ended.id)
    expect(ended.state).toBe('over')
    await expect(line().accept('rtc_unknown/..', session)).rejects.toBeInstanceOf(VoiceGone)
  })

  test.for<[number, 'refused' | 'unavailable' | 'gone']>([
    [400, 'refused'],
    [401, 'refused'],
    [403, 'refused'],
    [404, 'gone'],
    [410, 'gone'],
    [422, 'refused'],
    [301, 'unavailable'],
    [429, 'unavailable'],
    [500, 'unavailable'],
    [503, 'unavailable'],
  ])('that is answered %d is %s, and the key is in no word of it', async ([status, verdict]) => {
    const { call } = realtime.ring()
    realtime.faults.push(status)
    const failure: unknown = await line()
      .accept(call.id, session)
      .catch((error: unknown) => error)
    expect(failure instanceof VoiceRefused).toBe(verdict !== 'unavailable')
    expect(failure instanceof VoiceGone).toBe(verdict === 'gone')
    expect(failure instanceof VoiceUnavailable).toBe(verdict === 'unavailable')
    expect((failure as Error).message).toContain(String(status))
    expect(everything(failure)).not.toContain('canary')
  })

  test('waits for nobody who is silent or away', async () => {
    const { call } = realtime.ring()
    realtime.faults.push('silent')
    const failure: unknown = await line({ timeoutMs: 150 })
      .accept(call.id, session)
      .catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(VoiceUnavailable)
    expect((failure as Error).message).toBe('OpenAI did not answer within 0.15 seconds')
    expect(everything(failure)).not.toContain('canary')
    const away = line({}, `http://127.0.0.1:${await freePort()}/v1`)
    await expect(away.hangUp('rtc_1')).rejects.toBeInstanceOf(VoiceUnavailable)
    await expect(away.open(opened('rtc_1'), voiceEar().listener)).rejects.toBeInstanceOf(VoiceUnavailable)
  })
})

describe('the channel of a call', () => {
  test('begins with the greeting, and tells what both sides say', async () => {
    const { call, ear } = await attended()
    expect(ear.connected).toBe(1)
    expect(ear.resume).toEqual({ greeted: true })
    await expect.poll(() => ear.lines.length).toBe(1)
    const ref = call.hears('  Yes, what is it about?\n')
    call.says('About a meeting.')
    call.hears('   ')
    await expect.poll(() => ear.responses.length).toBe(2)
    expect(ear.lines.map(({ speaker, text }) => [speaker, text])).toEqual([
      ['agent', 'Hello, this is Iris of Acme.'],
      ['caller', 'Yes, what is it about?'],
      ['agent', 'About a meeting.'],
    ])
    expect(ear.lines[1]!.ref).toBe(ref)
    expect(new Set(ear.lines.map(line => line.ref)).size).toBe(3)
  })

  test('tells how long the model took, what it used and why it failed', async () => {
    realtime.answers = false
    const clock = new FakeClock()
    const { call, ear } = await attended({ clock })
    await expect.poll(() => call.sent.length).toBe(1)
    clock.advance(420)
    call.says('Hello, this is Iris of Acme.')
    await expect.poll(() => ear.responses.length).toBe(1)
    call.begins().done({ status: 'cancelled', status_details: { reason: 'turn_detected' } })
    call.begins().done({ status: 'failed', status_details: { error: { code: 'rate_limit_exceeded' } } })
    call.begins().done({ status: 'incomplete', status_details: { reason: 'content_filter' }, usage: {} })
    call.tell({ type: 'error', event_id: 'event_x', error: { type: 'server_error', message: 'down' } })
    await expect.poll(() => ear.responses.length).toBe(5)
    const used = { input_tokens: 120, output_tokens: 40 }
    expect(ear.responses).toMatchObject([
      { status: 'completed', latency_ms: 420, error_code: null, ...used },
      { status: 'completed', latency_ms: null, error_code: null, ...used },
      { status: 'failed', latency_ms: null, error_code: 'rate_limit_exceeded', ...used },
      { status: 'failed', error_code: 'content_filter', input_tokens: null, output_tokens: null },
      { id: 'event_x', status: 'failed', error_code: 'server_error' },
    ])
  })

  test('brings a tool and takes its answer, and lets the model speak about it', async () => {
    const { call, ear, channel } = await attended()
    await expect.poll(() => ear.responses.length).toBe(1)
    const ref = call.asks('schedule_meeting', { startsAt: '2026-03-03T10:00:00Z' })
    await expect
      .poll(() => ear.tools)
      .toEqual([{ ref, name: 'schedule_meeting', arguments: { startsAt: '2026-03-03T10:00:00Z' } }])
    await channel.answerTool(ref, 'Booked for Tuesday.')
    await expect.poll(() => call.answerTo(ref)).toBe('Booked for Tuesday.')
    await expect.poll(() => ear.lines.at(-1)?.text).toBe('All right.')
    expect(call.sent.slice(-2).map(({ type }) => type)).toEqual([
      'conversation.item.create',
      'response.create',
    ])
  })

  test('answers by itself where a tool is unknown or its arguments are none', async () => {
    const { call, ear } = await attended()
    const unknown = call.asks('delete_everything', {})
    const broken = call.asks('schedule_meeting', '{"startsAt":')
    const list = call.asks('schedule_meeting', '[1]')
    const long = call.asks('schedule_meeting', { startsAt: 'x'.repeat(40_000) })
    await expect.poll(() => call.answerTo(long)).toBe('The arguments must be a JSON object.')
    expect(call.answerTo(unknown)).toBe('Unknown tool: delete_everything.')
    expect(call.answerTo(broken)).toBe('The arguments must be a JSON object.')
    expect(call.answerTo(list)).toBe('The arguments must be a JSON object.')
    expect(ear.tools).toEqual([])
  })

  test('whispers to the model, and waits where it is speaking', async () => {
    realtime.answers = false
    const { call, channel } = await attended({}, { greeted: true })
    await expect.poll(() => call.channels()).toBe(1)
    const speech = call.begins()
    // Heard by us as well, before the whisper.
    await roundTrip(call)
    await channel.prompt('Mention the discount.')
    await expect.poll(() => call.sent.filter(isMessage).length).toBe(2)
    expect(call.sent.filter(({ type }) => type === 'response.create')).toEqual([])
    speech.done()
    await expect.poll(() => call.sent.filter(({ type }) => type === 'response.create').length).toBe(1)
    expect(call.sent).toContainEqual(promptEvent('Mention the discount.'))
  })

  test('says it again where the model had begun to speak by itself', async () => {
    realtime.answers = false
    const { call, channel } = await attended({}, { greeted: true })
    await expect.poll(() => call.channels()).toBe(1)
    // Both at once: it has not heard us, nor we it.
    const speech = call.begins()
    await channel.prompt('Be brief.')
    const wanted = () => call.sent.filter(({ type }) => type === 'response.create').length
    await expect.poll(wanted).toBe(1)
    speech.done()
    await expect.poll(wanted).toBe(2)
    call.says('Well.')
    await roundTrip(call)
    expect(wanted()).toBe(3)
  })

  test('changes nothing by what is hostile or unknown', async () => {
    const { call, ear } = await attended()
    await expect.poll(() => ear.responses.length).toBe(1)
    realtime.answers = false
    const before = structuredClone({ ...ear, listener: null, onTool: null })
    const completed = 'conversation.item.input_audio_transcription.completed'
    for (const message of [
      '',
      'null',
      '[]',
      '{"type":',
      '"text"',
      Buffer.from([1, 2, 3]),
      JSON.stringify({ type: '__proto__' }),
      JSON.stringify({ type: 'response.made_up', transcript: 'x' }),
      JSON.stringify({ type: completed, item_id: 7, transcript: 'x' }),
      JSON.stringify({ type: completed, item_id: 'i', transcript: { toString: 'x' } }),
      JSON.stringify({ type: completed, item_id: 'i'.repeat(300), transcript: 'x' }),
      JSON.stringify({ type: completed, item_id: 'i', transcript: 'x'.repeat(300_000) }),
      JSON.stringify({ type: 'response.function_call_arguments.done', call_id: 'c', name: 'a b' }),
      JSON.stringify({ type: 'response.function_call_arguments.done', name: 'schedule_meeting' }),
      JSON.stringify({ type: 'response.done' }),
      JSON.stringify({ type: 'response.created', response: [] }),
      JSON.stringify({ type: 'error', error: 'x' }),
    ])
      call.tell(message)
    await roundTrip(call)
    expect({ ...ear, listener: null, onTool: null }).toEqual(before)
    call.hears('x'.repeat(25_000))
    await expect.poll(() => ear.lines.at(-1)?.text.length).toBe(20_000)
  })

  test('tells each thing once, however often it is said', async () => {
    const { call, ear } = await attended()
    await expect.poll(() => ear.responses.length).toBe(1)
    realtime.answers = false
    const item = { item_id: 'item_1', content_index: 0, event_id: 'e', output_index: 0, response_id: 'r' }
    const spoken = { type: 'response.output_audio_transcript.done', transcript: 'Once.', ...item } as const
    call.tell(spoken)
    call.tell(spoken)
    call.tell({ ...spoken, content_index: 1, transcript: 'Its other half.' })
    await roundTrip(call)
    expect(ear.lines.slice(1)).toMatchObject([
      { ref: 'item_1', text: 'Once.' },
      { ref: 'item_1:1', text: 'Its other half.' },
    ])
  })
})

describe('the end of a call', () => {
  test('is told when the other side hangs up', async () => {
    const { call, ear } = await attended()
    call.hangUp()
    await expect.poll(() => ear.ends).toEqual([{ status: 'ENDED', reason: 'The other party hung up.' }])
    expect(ear.lost).toEqual([])
  })

  test('is told when the agent hangs up, also where its channel stays open', async () => {
    const { call, ear, channel } = await attended()
    await channel.hangUp()
    await expect.poll(() => ear.ends).toEqual([{ status: 'ENDED', reason: 'The agent ended the call.' }])
    expect(call.state).toBe('over')
    await channel.hangUp()
    const stuck = await attended({ farewellMs: 20 })
    stuck.call.hangUp = () => {}
    await stuck.channel.hangUp()
    await expect.poll(() => stuck.ear.ends.length).toBe(1)
    await expect.poll(() => stuck.call.channels()).toBe(0)
  })

  test('comes when the last word is spoken, and no new one is asked for', async () => {
    realtime.answers = false
    const { call, ear, channel } = await attended({}, { greeted: true })
    const sound = call.sounds()
    const ref = call.asks('schedule_meeting', {})
    await expect.poll(() => ear.tools.length).toBe(1)
    await channel.answerTool(ref, 'Well.')
    const hungUp = channel.hangUp()
    await expect.poll(() => call.answerTo(ref)).toBe('Well.')
    await new Promise(resolve => setImmediate(resolve))
    expect(realtime.heard.filter(({ path }) => path.endsWith('/hangup'))).toEqual([])
    sound.over()
    await hungUp
    expect(call.state).toBe('over')
    await expect.poll(() => ear.ends).toMatchObject([{ reason: 'The agent ended the call.' }])
    expect(call.sent.map(({ type }) => type)).toEqual(['conversation.item.create'])
    const endless = await attended({ politeMs: 20 }, { greeted: true })
    endless.call.sounds()
    await roundTrip(endless.call)
    await endless.channel.hangUp()
    expect(endless.call.state).toBe('over')
  })

  test('is told where the call ended while nobody listened', async () => {
    const { call, ear } = await attended()
    call.state = 'over'
    call.drop()
    await expect.poll(() => ear.ends).toHaveLength(1)
    expect(ear.lost).toEqual([])
    const again = voiceEar()
    await line().open({ ...opened(call.id), resume: ear.resume }, again.listener)
    expect(again.ends).toHaveLength(1)
    expect(again.connected).toBe(0)
  })

  test.for([[undefined], [1011], [1001]])('is not the fall of its channel (%s)', async ([code]) => {
    const { call, ear } = await attended()
    await expect.poll(() => ear.responses.length).toBe(1)
    call.drop(code)
    await expect.poll(() => ear.lost).toHaveLength(1)
    expect(ear.ends).toEqual([])
    const again = voiceEar()
    await line().open({ ...opened(call.id), resume: ear.resume }, again.listener)
    await expect.poll(() => call.channels()).toBe(1)
    await roundTrip(call)
    expect(again.connected).toBe(1)
    // Nobody is greeted twice.
    expect(call.sent.filter(event => 'response' in event)).toHaveLength(1)
    call.hears('Are you there?')
    await expect.poll(() => again.lines.at(-1)?.text).toBe('Are you there?')
  })

  test('is asked for where nothing is heard for long', async () => {
    const alive = await attended({ silenceMs: 50 })
    await expect.poll(() => alive.ear.lost).toEqual(['The call went silent'])
    const dead = await attended({ silenceMs: 1_000 })
    dead.call.state = 'over'
    await expect.poll(() => dead.ear.ends).toHaveLength(1)
  })

  test('is not told to whoever left', async () => {
    const { call, ear, channel } = await attended()
    channel.leave()
    await expect.poll(() => call.channels()).toBe(0)
    expect(call.state).toBe('live')
    expect([ear.ends, ear.lost]).toEqual([[], []])
    const closed = await attended()
    for (const open of lines) await open.close()
    await expect.poll(() => closed.call.channels()).toBe(0)
    expect([closed.ear.ends, closed.ear.lost]).toEqual([[], []])
  })
})

describe('a channel that does not open', () => {
  test.for<[number | 'silent', typeof VoiceRefused | typeof VoiceUnavailable]>([
    [401, VoiceRefused],
    [429, VoiceUnavailable],
    [500, VoiceUnavailable],
    ['silent', VoiceUnavailable],
  ])('for %s says why, without the key', async ([fault, kind]) => {
    const call = await accepted()
    realtime.channelFault = fault
    const ear = voiceEar()
    const failure: unknown = await line({ timeoutMs: 1_500 })
      .open(opened(call.id), ear.listener)
      .catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(kind)
    expect(everything(failure)).not.toContain('canary')
    expect([ear.connected, ear.ends, ear.lost]).toEqual([0, [], []])
    await expect.poll(() => realtime.connections()).toBe(0)
  })
})

test('a check tells whose key is wrong', async () => {
  await line().check()
  realtime.faults.push(401, 500)
  await expect(line().check()).rejects.toThrow('OpenAI rejected the API key (401)')
  await expect(line().check()).rejects.toThrow('OpenAI answered 500')
})

function line(limits: OpenAiLineLimits = {}, baseUrl = `${realtime.url}/`): VoiceLine {
  const made = openOpenAiLine({ apiKey: REALTIME_KEY, baseUrl, sipUri: undefined, twilio: undefined }, limits)
  lines.push(made)
  return made
}

async function accepted(): Promise<RealtimeCall> {
  const { call } = realtime.ring()
  await line().accept(call.id, session)
  return call
}

async function attended(limits?: OpenAiLineLimits, resume: unknown = null) {
  const call = await accepted()
  const ear: Ear = voiceEar()
  const channel = await line(limits).open({ ...opened(call.id), resume }, ear.listener)
  return { call, ear, channel }
}

function opened(provider_call_id: string): Opened {
  return { call_id: '1', provider_call_id, session, about: { name: null, timezone: 'UTC' }, resume: null }
}

/** Everything that was told before has been heard when this is over: both directions are in order. */
async function roundTrip(call: RealtimeCall): Promise<void> {
  const ref = `round_${call.sent.length}`
  const asked = { type: 'response.function_call_arguments.done', call_id: ref, name: 'no_such_tool' }
  call.tell(JSON.stringify(asked))
  await expect.poll(() => call.answerTo(ref)).toBe('Unknown tool: no_such_tool.')
}

function isMessage(event: RealtimeClientEvent): boolean {
  return event.type === 'conversation.item.create'
}

/** An error with all that is inside it, as a log would show it. */
function everything(error: unknown): string {
  const { message, stack, cause } = error as Error
  return [message, stack, cause === undefined ? '' : everything(cause)].join('\n')
}
