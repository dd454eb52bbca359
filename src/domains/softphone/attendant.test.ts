import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openSimulator, steadyPace } from '#adapters/voice/simulator.ts'
import { systemClock } from '#platform/clock.ts'
import { systemContext } from '#platform/context.ts'
import { hold, isHeld, release } from '#platform/hold.ts'
import { VoiceRefused, VoiceUnavailable, VoiceUncertain, type VoiceLine } from '#platform/ports/voice.ts'
import { startApp, type TestApp } from '#test/app.ts'
import { startProgram } from '#test/command-line.ts'
import { eventually } from '#test/eventually.ts'
import { LEASE_MS } from './limits.ts'
import { noNews, writeNews } from './news.ts'
import { phone, SESSIONS, stage, startPhone, type Phone, type Stage } from './softphone.harness.ts'

const folder = await mkdtemp(join(tmpdir(), 'rapport-calls-'))
const children: ChildProcess[] = []
const attendants: TestApp[] = []
const CHILD_MS = 20_000
/** A call takes seconds then: whoever is killed is in the middle of it. */
const SLOW_MS = 250
/** Answers requests and attends to nothing. */
let desk: Phone
beforeAll(async () => {
  desk = await startPhone({ role: 'api' })
})
afterAll(async () => {
  await desk.close()
  await rm(folder, { recursive: true, force: true })
})
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  for (const app of attendants.splice(0)) await app.close()
  // What a test left behind is nothing to the next.
  await desk.rows('delete from attended_calls')
})

const attended = async (id: string) =>
  (await desk.rows('select * from attended_calls where call_id = $1', [id]))[0]

async function attendant(voice: VoiceLine, clock = systemClock): Promise<TestApp> {
  return startApp({ role: 'worker', database: desk.app.database, clock, ports: { voice } })
}

const quick = () => openSimulator({ pace: steadyPace(1) })

async function child(paceMs: number): Promise<ChildProcess> {
  const file = new URL('./attendant.child.ts', import.meta.url).pathname
  const words = [desk.app.database.loginUrl, folder, String(paceMs)]
  const started = await startProgram(file, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(started)
  await once(started.stdout!, 'data')
  return started
}

/** Whoever took part, all of it was said, each once and in order, and one meeting was booked. */
async function expectWhole(id: string): Promise<void> {
  const call = await desk.reached(id, 'ENDED', CHILD_MS)
  const lines = await desk.rows(`select ref from call_lines where call_id = $1 order by at, id`, [id])
  const refs = lines.map(({ ref }) => ref)
  expect(refs).toEqual(refs.map((_, at) => `sim-${at + 1}`))
  expect(call.transcript.map(({ text }) => text)).toContain('Thank you for your time. Goodbye.')
  // A time that somebody has taken by then is asked for once more, and is another one.
  const done = call.transcript.flatMap(({ tool }) => (tool?.status === 'done' ? tool.name : []))
  expect(done).toEqual(['schedule_meeting', 'end_call'])
  expect(await desk.rows('select 1 from meetings where call_id = $1', [id])).toHaveLength(1)
  expect(await attended(id)).toBeUndefined()
}

describe('a call that another process attends to', () => {
  let line: Stage
  let other: TestApp
  beforeAll(async () => {
    line = stage()
    other = await attendant(line)
  })
  afterAll(() => other.close())

  test('hears prompts and is stopped from here', async () => {
    const id = await desk.begin(await desk.lead(), await desk.agent())
    await line.until(() => desk.reached(id, 'CONNECTED', 0))
    expect((await desk.key.post(`${SESSIONS}/${id}/prompts`, { text: 'Be brief.' })).status).toBe(202)
    await desk.heard()
    await line.until(async () =>
      expect((await desk.read(id)).transcript.map(({ text }) => text)).toContain('Understood: Be brief.'),
    )
    expect(await desk.rows('select 1 from call_commands')).toEqual([])
    await desk.key.post(`${SESSIONS}/${id}/stop`)
    await desk.reached(id, 'ENDED')
  })

  test('is handed back at once when that process stops, and goes on in the next', async () => {
    const id = await desk.begin(await desk.lead(), await desk.agent())
    await line.until(() => desk.reached(id, 'CONNECTED', 0))
    const { owner } = (await attended(id))!
    await other.close()
    expect(await attended(id)).toMatchObject({ owner: null })
    line = stage()
    other = await attendant(line)
    await eventually(async () => {
      const row = (await attended(id))!
      expect(row.owner).not.toBeNull()
      expect(row.owner).not.toBe(owner)
    })
    await line.until(() => desk.reached(id, 'ENDED', 0))
    await expectWhole(id)
  })
})

test('kill -9 in the middle of a call: another process goes on where it stood', async () => {
  const first = await child(SLOW_MS)
  const id = await desk.begin(await desk.lead(), await desk.agent())
  await eventually(async () => {
    const { status, transcript } = await desk.read(id)
    expect([status, transcript.length > 2]).toEqual(['CONNECTED', true])
  }, CHILD_MS)
  first.kill('SIGKILL')
  await once(first, 'exit')
  expect((await desk.read(id)).status).toBe('CONNECTED')
  // By its clock the dead one's lease is over.
  attendants.push(await attendant(quick(), { now: () => systemClock.now() + LEASE_MS }))
  await expectWhole(id)
})

test('SIGTERM: a process with calls in hand ends within seconds, and they go on elsewhere', async () => {
  const first = await child(SLOW_MS)
  const ids: string[] = []
  const agent = await desk.agent()
  for (let count = 0; count < 3; count++) ids.push(await desk.begin(await desk.lead(), agent))
  for (const id of ids) await desk.reached(id, 'CONNECTED', CHILD_MS)
  const began = performance.now()
  first.kill('SIGTERM')
  const [code] = await once(first, 'exit')
  expect(code).toBe(0)
  expect(performance.now() - began).toBeLessThan(10_000)
  for (const id of ids) expect((await attended(id))!.owner).toBeNull()
  attendants.push(await attendant(quick()))
  for (const id of ids) await expectWhole(id)
})

describe('with a line that does as it is told', () => {
  let app: TestApp
  let line: Stage
  let dialled: { to: string; held: boolean }[]
  let faults: Error[]
  beforeEach(async () => {
    dialled = []
    faults = []
    line = stage()
    app = await attendant({
      ...line,
      async dial(call) {
        dialled.push({ to: call.to, held: await isHeld(systemContext(app.runtime)) })
        const fault = faults.shift()
        if (fault) throw fault
        return line.dial(call)
      },
    })
  })
  afterEach(() => app.close())

  const once = async () => desk.agent({ outbound: { ...(await desk.agent()).outbound, attempts_max: 1 } })
  /** A call that nobody dials yet, with these fields in its row. */
  async function heldCall(fields: string): Promise<string> {
    const ctx = systemContext(desk.app.runtime)
    await hold(ctx)
    const id = await desk.begin(await desk.lead(), await once())
    await desk.rows(`update attended_calls set ${fields} where call_id = $1`, [id])
    await release(ctx)
    return id
  }

  test('one that is away is tried again shortly', async () => {
    faults.push(new VoiceUnavailable('Twilio answered 503'))
    const id = await desk.begin(await desk.lead(), await once())
    await line.until(() => desk.reached(id, 'CONNECTED', 0))
    expect(dialled).toHaveLength(2)
    await desk.key.post(`${SESSIONS}/${id}/stop`)
    await desk.reached(id, 'ENDED')
  })

  test('and when it stays away the call has failed, in words', async () => {
    faults.push(new VoiceUnavailable('Twilio answered 503'))
    const id = await heldCall('dial_tries = 3')
    expect((await desk.reached(id, 'FAILED')).end_reason).toBe('Twilio answered 503')
    expect(dialled).toHaveLength(1)
    expect((await desk.key.get(`/api/crm/leads/${(await desk.read(id)).lead_id}`)).body.call_status).toBe(
      'FAILED',
    )
  })

  test('one that says no, or breaks, is not asked again', async () => {
    const agent = await once()
    faults.push(new VoiceRefused('The number cannot be called.'), new TypeError('secret inner detail'))
    const refused = await desk.begin(await desk.lead(), agent)
    expect((await desk.reached(refused, 'FAILED')).end_reason).toBe('The number cannot be called.')
    const broken = await desk.begin(await desk.lead(), agent)
    expect((await desk.reached(broken, 'FAILED')).end_reason).toBe(
      'The voice provider is not available right now.',
    )
    expect(dialled).toHaveLength(2)
  })

  test('nobody is called twice where it is not known whether the call went out', async () => {
    faults.push(new VoiceUncertain('Twilio did not answer'))
    const uncertain = await desk.begin(await desk.lead(), await once())
    await eventually(() => expect(dialled).toHaveLength(1))
    const died = await heldCall(`dialling_at = now() - interval '2 minutes'`)
    expect((await desk.reached(died, 'FAILED')).end_reason).toContain('stopped while dialling')
    expect(dialled).toHaveLength(1)
    expect((await desk.read(uncertain)).status).toBe('DIALING')
    await desk.rows('delete from attended_calls where call_id = $1', [uncertain])
  })

  test('what could not be dialled in time is not dialled any more', async () => {
    const id = await heldCall(`created_at = now() - interval '11 minutes'`)
    expect((await desk.reached(id, 'FAILED')).end_reason).toBe('The call could not be dialled in time.')
    expect(dialled).toEqual([])
  })

  test('while outgoing work is held after a restore nobody is called', async () => {
    const ctx = systemContext(desk.app.runtime)
    await hold(ctx)
    const id = await desk.begin(await desk.lead({ phone: phone('00') }), await once())
    for (let look = 0; look < 10; look++) expect((await desk.read(id)).status).toBe('DIALING')
    await release(ctx)
    await line.until(() => desk.reached(id, 'NO_ANSWER', 0))
    expect(dialled.map(({ held }) => held)).toEqual([false])
  })
})

test('a call whose process died with its clock an hour ahead continues in another within seconds', async () => {
  const id = await desk.begin(await desk.lead(), await desk.agent())
  await desk.rows(
    `update attended_calls set owner = 'killed', lease_until = now() + '1 hour' where call_id = $1`,
    [id],
  )
  attendants.push(await attendant(quick()))
  await expectWhole(id)
})

test('who slept through its lease writes nothing', async () => {
  const id = await desk.begin(await desk.lead(), await desk.agent())
  await desk.rows(
    `update attended_calls set owner = 'new', fence = 7, lease_until = '2999-01-01' where call_id = $1`,
    [id],
  )
  const news = {
    ...noNews(),
    lines: [{ call_id: id, ref: 'a', speaker: 'agent' as const, text: 'Late', at: new Date().toISOString() }],
    events: [{ eventId: `rapport:${id}:ended`, type: 'call_ended' as const, data: { callId: id } }],
    over: true,
  }
  const tell = (owner: string, fence: number) =>
    writeNews(desk.person.ctx, owner, [{ held: { call_id: id, fence }, news }])
  expect([...(await tell('old', 6)), ...(await tell('old', 7)), ...(await tell('new', 6))]).toEqual([])
  expect((await desk.read(id)).transcript).toEqual([])
  expect(await desk.rows('select 1 from inbound_events where event_id like $1', [`rapport:${id}:%`])).toEqual(
    [],
  )
  expect(await attended(id)).toBeDefined()
  expect([...(await tell('new', 7))]).toEqual([id])
  expect((await desk.read(id)).transcript).toHaveLength(1)
  expect(await attended(id)).toBeUndefined()
})
