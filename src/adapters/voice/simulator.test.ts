import { afterEach, describe, expect, test } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import type { Opened, VoiceChannel, VoiceEnd, VoiceSession } from '#platform/ports/voice.ts'
import { voiceEar, type Ear } from '#test/voice-ear.ts'
import { openSimulator, steadyPace, type Simulator } from './simulator.ts'

const MEETING_ASKED = 'sim-7'

const session: VoiceSession = {
  model: null,
  voice: null,
  instructions: 'Find a time for a meeting.',
  greeting: 'Hello Ada, this is Iris of Acme.',
  tools: ['schedule_meeting', 'end_call'].map(name => ({ name, description: name, parameters: {} })),
}

const closing: Simulator[] = []
afterEach(async () => {
  for (const line of closing.splice(0)) await line.close()
})

describe('a played call', () => {
  test.for<[string, VoiceEnd['status'], boolean]>([
    ['00', 'NO_ANSWER', false],
    ['01', 'VOICEMAIL', false],
    ['02', 'FAILED', false],
    ['03', 'ENDED', true],
    ['04', 'ENDED', true],
    ['05', 'ENDED', true],
    ['57', 'ENDED', true],
  ])('to a number that ends in %s ends as %s', async ([digits, status, connected]) => {
    const stage = hall()
    const { heard } = await stage.call(digits)
    stage.playOut(heard)
    expect(heard.ends[0]?.status).toBe(status)
    expect(heard.connected).toBe(connected ? 1 : 0)
    expect(heard.ends[0]?.duration_sec === undefined).toBe(!connected)
    expect(stage.line.live()).toBe(0)
    expect(stage.waiting()).toBe(0)
  })

  test('begins with the greeting, and agrees on the next working day at ten where the other side lives', async () => {
    // A Friday, late in the evening there.
    const stage = hall({ now: '2026-03-06T23:30:00.000Z' })
    const { heard } = await stage.call('57', { timezone: 'America/New_York' })
    stage.playOut(heard)
    expect(heard.lines[0]).toEqual({ ref: 'sim-1', speaker: 'agent', text: session.greeting })
    expect(heard.tools[0]).toEqual({
      ref: MEETING_ASKED,
      name: 'schedule_meeting',
      arguments: {
        startsAt: '2026-03-09T14:00:00.000Z',
        durationMin: 30,
        title: 'Meeting with Ada Lovelace',
        timezone: 'America/New_York',
      },
    })
    expect(heard.lines.map(({ text }) => text)).toContain(
      "Great, that's booked: Monday 9 March at 10:00. You will get an invitation.",
    )
    expect(heard.tools.slice(1)).toMatchObject([
      { name: 'end_call', arguments: { outcome: 'Meeting booked' } },
    ])
    expect(heard.ends[0]?.duration_sec).toBeGreaterThan(30)
    expect(heard.ends[0]?.duration_sec).toBeLessThan(120)
  })

  test('goes the same way each time, at any pace', async () => {
    const stage = hall()
    const first = await stage.call('57')
    stage.playOut(first.heard)
    const line = openSimulator({ pace: steadyPace(1), clock: new FakeClock() })
    closing.push(line)
    const second = await callOn(line, '57')
    second.heard.onTool = ({ ref }) => void second.channel.answerTool(ref, 'Booked.')
    await expect.poll(() => second.heard.ends[0]).toEqual(first.heard.ends[0])
    expect(second.heard.lines).toEqual(first.heard.lines)
    expect(second.heard.responses).toEqual(first.heard.responses)
  })

  test('whose time is taken takes the first other one that is named', async () => {
    const stage = hall()
    const { heard, channel } = await stage.call('57')
    heard.onTool = ({ ref, name }) => {
      const first = heard.tools.filter(tool => tool.name === 'schedule_meeting').length === 1
      const taken =
        '2026-03-03T10:00:00Z is taken. Free times: 2026-03-04T09:30:00Z, 2026-03-04T11:00:00.000Z.'
      void channel.answerTool(ref, name === 'schedule_meeting' && first ? taken : 'Booked.')
    }
    stage.playOut(heard)
    const asked = heard.tools.filter(({ name }) => name === 'schedule_meeting')
    expect(asked.map(tool => tool.arguments['startsAt'])).toEqual([
      '2026-03-03T10:00:00.000Z',
      '2026-03-04T09:30:00.000Z',
    ])
    expect(heard.lines.map(({ text }) => text)).toContain(
      "Great, that's booked: Wednesday 4 March at 09:30. You will get an invitation.",
    )
  })

  test('that is booked by a title in strange words is booked', async () => {
    const stage = hall()
    const { heard, channel } = await stage.call('57')
    const text = 'Booked: Not taken, no error, Tuesday 3 March 2026, 10:00 (UTC, 2026-03-03T10:00:00.000Z).'
    heard.onTool = ({ ref }) => void channel.answerTool(ref, text)
    stage.playOut(heard)
    expect(heard.tools.map(({ name }) => name)).toEqual(['schedule_meeting', 'end_call'])
    expect(heard.lines.map(line => line.text).join()).toContain(
      "Great, that's booked: Tuesday 3 March at 10:00.",
    )
  })

  test('gives up politely where no time is free, or none after four', async () => {
    const stage = hall()
    for (const [answer, asked] of [
      ['Ask for a day and a time, and send both as startsAt, like 2026-03-05T10:00:00+01:00.', 1],
      ['Could not book the meeting: the time is in the past.', 1],
      ['The time is taken and nothing else is free.', 1],
      ['Taken. Free: 2026-03-05T09:00:00Z or 2026-03-05T10:00:00Z', 4],
    ] as const) {
      const { heard, channel } = await stage.call('57')
      heard.onTool = ({ ref, name }) =>
        void channel.answerTool(ref, name === 'schedule_meeting' ? answer : 'Well.')
      stage.playOut(heard)
      expect(heard.tools.filter(({ name }) => name === 'schedule_meeting')).toHaveLength(asked)
      expect(heard.lines.map(({ text }) => text)).toContain(
        "I can't book a time right now. May I email you a few options?",
      )
      expect(heard.tools.at(-1)).toMatchObject({ name: 'end_call', arguments: { outcome: 'Interested' } })
      expect(heard.ends[0]?.status).toBe('ENDED')
    }
  })

  test('of an agent without tools books nothing and ends by itself', async () => {
    const stage = hall()
    const { heard } = await stage.call('57', {}, { ...session, tools: [], greeting: null })
    stage.playOut(heard)
    expect(heard.tools).toEqual([])
    expect(heard.lines[0]?.text).toBe('Hello, Ada Lovelace! Do you have a minute?')
    expect(heard.ends[0]).toMatchObject({ status: 'ENDED', reason: 'They said goodbye.' })
  })

  test('is handed over where the other side wants a person', async () => {
    const stage = hall()
    const transfer = { name: 'transfer', description: '', parameters: {} }
    const { heard, id } = await stage.call('05', {}, { ...session, tools: [...session.tools, transfer] })
    heard.onTool = ({ name }) => {
      if (name === 'transfer') void stage.line.refer(id, 'tel:+4930123456')
    }
    stage.playOut(heard)
    expect(heard.tools.map(({ name }) => name)).toEqual(['transfer'])
    expect(heard.ends[0]?.reason).toBe('The call was transferred to tel:+4930123456.')
  })

  test('that comes in is answered at once', async () => {
    const stage = hall()
    await stage.line.accept('rtc_1', session)
    const heard = voiceEar()
    const channel = await stage.line.open(opened('rtc_1'), heard.listener)
    heard.onTool = ({ ref }) => void channel.answerTool(ref, 'Booked.')
    stage.step()
    expect(heard.connected).toBe(1)
    stage.playOut(heard)
    expect(heard.tools[0]?.name).toBe('schedule_meeting')
  })
})

describe('whoever attends', () => {
  test('whispers, and hears it repeated once somebody listens, also while a tool is awaited', async () => {
    const stage = hall()
    const { heard, channel } = await stage.call('57')
    heard.onTool = () => {}
    await channel.prompt('Mention the discount')
    stage.playOut(heard)
    expect(heard.lines[0]).toMatchObject({ speaker: 'agent', text: 'Understood: Mention the discount' })
    expect(heard.tools).toHaveLength(1)
    await channel.prompt('x'.repeat(4_000))
    await channel.prompt('Be brief')
    stage.playOut(heard)
    expect(heard.lines.slice(-2).map(({ text }) => text)).toEqual([
      `Understood: ${'x'.repeat(500)}…`,
      'Understood: Be brief',
    ])
    expect(heard.tools).toHaveLength(1)
  })

  test('hangs up, and hears of nothing more', async () => {
    const stage = hall()
    const { heard, channel, id } = await stage.call('57')
    stage.step(3)
    await channel.hangUp()
    expect(heard.ends[0]).toMatchObject({ status: 'ENDED', reason: 'The agent ended the call.' })
    await channel.hangUp()
    await stage.line.hangUp(id)
    await channel.prompt('Are you there?')
    stage.playOut(heard)
    expect(heard.ends).toHaveLength(1)
    expect(stage.waiting()).toBe(0)
  })

  test('who hangs up while it rings has reached nobody', async () => {
    const stage = hall()
    const { heard, id } = await stage.call('57')
    await stage.line.hangUp(id)
    expect(heard.ends[0]).toEqual({ status: 'NO_ANSWER', reason: 'The call was ended here.' })
  })

  test('an answer to another tool, or a second one, changes nothing', async () => {
    const stage = hall()
    const { heard, channel } = await stage.call('57')
    heard.onTool = () => {}
    stage.playOut(heard)
    await channel.answerTool('sim-99', 'Booked.')
    expect(stage.waiting()).toBe(0)
    await channel.answerTool(MEETING_ASKED, 'Booked.')
    await channel.answerTool(MEETING_ASKED, 'That time is taken. Free: 2026-03-04T09:30:00Z')
    stage.playOut(heard)
    expect(heard.tools.map(({ name }) => name)).toEqual(['schedule_meeting', 'end_call'])
  })
})

describe('a call that is opened anew', () => {
  test('goes on from anywhere to the same end, each thing told by the same name', async () => {
    const stage = hall()
    const whole = await stage.call('57')
    stage.playOut(whole.heard)
    const steps = 16
    for (let at = 0; at < steps; at++) {
      const broken = await stage.call('57')
      stage.step(at)
      stage.line.fall(broken.id, 'the network is away')
      expect(broken.heard.lost).toEqual(broken.heard.ends[0] ? [] : ['the network is away'])
      if (broken.heard.ends[0]) continue
      // What was kept has been through the database.
      const resume: unknown = JSON.parse(JSON.stringify(broken.heard.resume ?? null))
      const again = voiceEar()
      const channel = await stage.line.open({ ...opened(broken.id), resume }, again.listener)
      again.onTool = ({ ref }) => void channel.answerTool(ref, 'Booked.')
      stage.playOut(again)
      const lines = new Map([...broken.heard.lines, ...again.lines].map(line => [line.ref, line.text]))
      expect([...lines.values()]).toEqual(whole.heard.lines.map(({ text }) => text))
      expect(again.ends[0]).toEqual(whole.heard.ends[0])
    }
  })

  test('asks again for the tool that nobody answered', async () => {
    const stage = hall()
    const { heard, id } = await stage.call('57')
    heard.onTool = () => {}
    stage.playOut(heard)
    const again = voiceEar()
    const channel = await stage.line.open({ ...opened(id), resume: heard.resume }, again.listener)
    stage.playOut(again)
    expect(again.tools).toEqual(heard.tools)
    await channel.answerTool(MEETING_ASKED, 'Booked.')
    again.onTool = ({ ref }) => void channel.answerTool(ref, 'Well.')
    stage.playOut(again)
    expect(again.ends[0]?.status).toBe('ENDED')
  })

  test('takes it from whoever had it, who hears nothing more', async () => {
    const stage = hall()
    const { heard, id } = await stage.call('57')
    stage.step(4)
    const before = heard.lines.length
    const again = voiceEar()
    const channel = await stage.line.open({ ...opened(id), resume: heard.resume }, again.listener)
    again.onTool = ({ ref }) => void channel.answerTool(ref, 'Booked.')
    stage.playOut(again)
    expect(heard.lines).toHaveLength(before)
    expect(heard.ends[0]).toBeUndefined()
    expect(heard.lost).toEqual([])
    expect(again.ends[0]?.status).toBe('ENDED')
  })

  test.for([['nothing'], [42], [{ scene: 'elsewhere' }], [{ step: -1 }], [{ prompts: 'x' }], [null]])(
    'begins at the beginning where %j was kept',
    async ([resume]) => {
      const stage = hall()
      const heard = voiceEar()
      await stage.line.open({ ...opened('sim_1_57'), resume }, heard.listener)
      stage.step(3)
      expect(heard.lines).toEqual([{ ref: 'sim-1', speaker: 'agent', text: session.greeting }])
    },
  )
})

test('five hundred calls go on at once and leave nothing behind', async () => {
  const line = openSimulator({ pace: steadyPace(0), clock: new FakeClock() })
  closing.push(line)
  const calls = await Promise.all(
    Array.from({ length: 500 }, async (_, at) => {
      const call = await callOn(line, String(10 + (at % 90)), {}, session, String(at))
      call.heard.onTool = ({ ref }) => void call.channel.answerTool(ref, 'Booked.')
      return call
    }),
  )
  expect(line.live()).toBe(500)
  await expect.poll(() => calls.filter(({ heard }) => heard.ends[0]).length).toBe(500)
  expect(line.live()).toBe(0)
  expect(new Set(calls.flatMap(({ heard }) => heard.responses.map(({ id }) => id))).size).toBe(500 * 5)
})

test('a line that is closed lets go of every call', async () => {
  const stage = hall()
  const { heard } = await stage.call('57')
  await stage.line.close()
  expect(stage.waiting()).toBe(0)
  expect(stage.line.live()).toBe(0)
  expect(heard.ends[0]).toBeUndefined()
})

/** A simulator whose time goes on when the test says so. */
function hall({ now = '2026-03-02T09:00:00.000Z' } = {}) {
  const next: (() => void)[] = []
  const line = openSimulator({
    clock: new FakeClock(now),
    pace: run => {
      next.push(run)
      return () => void next.splice(next.indexOf(run), next.includes(run) ? 1 : 0)
    },
  })
  closing.push(line)
  const step = (times = 1) => {
    for (let at = 0; at < times; at++) next.shift()?.()
  }
  return {
    line,
    step,
    waiting: () => next.length,
    playOut(heard: Ear) {
      for (let at = 0; next.length > 0 && !heard.ends[0]; at++) {
        if (at > 200) throw new Error('the call never ends')
        step()
      }
    },
    async call(digits: string, about?: Partial<Opened['about']>, spoken?: VoiceSession) {
      const call = await callOn(line, digits, about, spoken)
      call.heard.onTool = ({ ref }) => void call.channel.answerTool(ref, 'Booked.')
      return call
    },
  }
}

async function callOn(
  line: Simulator,
  digits: string,
  about: Partial<Opened['about']> = {},
  spoken = session,
  call_id = '1',
): Promise<{ heard: Ear; channel: VoiceChannel; id: string }> {
  const to = `+49301234${digits}`
  const { provider_call_id: id } = await line.dial({ call_id, token: '', from: null, to, session: spoken })
  const heard = voiceEar()
  const plain = opened(id)
  const channel = await line.open(
    { ...plain, session: spoken, about: { ...plain.about, ...about } },
    heard.listener,
  )
  return { heard, channel, id }
}

function opened(provider_call_id: string): Opened {
  const about = { name: 'Ada Lovelace', timezone: 'UTC' }
  return { call_id: '1', provider_call_id, session, about, resume: null }
}
