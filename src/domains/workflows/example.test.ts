import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#platform/ids.ts'
import { eventually } from '#test/eventually.ts'
import { tell } from '#test/provider.ts'
import type { TraceEntry } from './contract.ts'
import { starters } from './starters.ts'
import { DAY_MS, HOUR_MS, inShort, path, startWorkshop, type Workshop } from './workflows.harness.ts'

let shop: Workshop
beforeAll(async () => {
  shop = await startWorkshop()
})
afterAll(() => shop.close())

describe('the example of the interface', () => {
  let id: string
  beforeAll(async () => {
    await shop.ada.browser.patch('/api/outreach/settings', { meeting_url: 'https://meet.example.test/ada' })
    const { name, definition } = starters[0]!
    id = (await shop.workflow(definition.nodes, { name, trigger: definition.trigger })).id
  })
  afterAll(() => shop.remove(id))
  beforeEach(() => shop.untilMorning())

  test('a call of 200 seconds: a recap, Engage_Human, and after two days a task', async () => {
    const lead = await shop.lead()
    await shop.callEnded({ leadId: lead.id, durationSec: 200 })
    await shop.settle()
    expect((await shop.readLead(lead.id)).pipeline_stage).toBe('Engage_Human')
    expect(shop.mailsTo(lead.email)).toHaveLength(1)
    expect(shop.textsTo(lead.phone)).toEqual([])
    await shop.pass(2 * DAY_MS - 1)
    expect(await shop.tasksOf(lead.id)).toEqual([])
    await shop.pass(1)
    expect(await shop.tasksOf(lead.id)).toMatchObject([
      { created_at: new Date(shop.clock.now()).toISOString(), due_at: null },
    ])
    const [run] = await shop.runsOf(id, `?lead_id=${lead.id}`)
    expect(inShort(await shop.readRun(run!.id))).toEqual([
      'nodes[0] yes',
      'nodes[1] done',
      'nodes[2] done',
      'nodes[3] waiting',
      'nodes[3] done',
    ])
    expect(run).toMatchObject({ status: 'DONE', version: 1, lead_id: lead.id })
  })

  test('a call of 60 seconds: a text message with the link to a meeting, and another call next day', async () => {
    const lead = await shop.lead()
    await shop.callEnded({ leadId: lead.id, durationSec: 60 })
    await shop.settle()
    expect((await shop.readLead(lead.id)).pipeline_stage).toBe('New')
    expect(shop.mailsTo(lead.email)).toEqual([])
    expect(shop.textsTo(lead.phone).map(({ text }) => text)).toEqual([
      expect.stringContaining('https://meet.example.test/ada'),
    ])
    expect(await shop.tasksOf(lead.id)).toEqual([])
    await shop.pass(DAY_MS)
    // No voice agents yet: it is a task to call now.
    const [call] = await shop.tasksOf(lead.id)
    expect(Date.parse(call.due_at)).toBe(shop.clock.now())
    const [run] = await shop.runsOf(id, `?lead_id=${lead.id}`)
    expect(inShort(await shop.readRun(run!.id))).toEqual([
      'nodes[0] no',
      'nodes[0].else[0] done',
      'nodes[0].else[1] waiting',
      'nodes[0].else[1] done',
    ])
  })

  test('a lead is known by its number too', async () => {
    const lead = await shop.lead()
    await shop.callEnded({ to: lead.phone, from: '+19995550000', direction: 'outbound', durationSec: 121 })
    await shop.settle()
    expect((await shop.readLead(lead.id)).pipeline_stage).toBe('Engage_Human')
  })

  test('the call that an event names says whose it is, also of somebody unknown until then', async () => {
    const lead = await shop.lead()
    const at = { at: new Date(shop.clock.now()), query: `?team=${shop.ada.team_id}` }
    const connected = { callId: 'known_by_its_call', leadId: lead.id }
    await tell(shop.app.url, 'voice', { eventId: newId(), type: 'call_connected', data: connected }, at)
    await shop.settle()
    await shop.callEnded({ callId: 'known_by_its_call', durationSec: 122 })
    await shop.callEnded({ callId: 'stranger', from: '+4930222333', direction: 'inbound', durationSec: 123 })
    await shop.settle()
    const runs = await Promise.all((await shop.runsOf(id, '?limit=2')).map(run => shop.readRun(run.id)))
    const leadOf = (durationSec: number) => runs.find(run => run.event.durationSec === durationSec)?.lead_id
    expect(leadOf(122)).toBe(lead.id)
    expect((await shop.readLead(lead.id)).pipeline_stage).toBe('Engage_Human')
    expect(await shop.readLead(leadOf(123)!)).toMatchObject({ phone: '+4930222333', source: 'Phone call' })
  })

  test('its effects stand on the timeline as the workflow’s, and in the inbox', async () => {
    const lead = await shop.lead()
    const eventId = await shop.callEnded({ leadId: lead.id, durationSec: 300 })
    await shop.settle()
    await shop.pass(2 * DAY_MS)
    const { data } = (await shop.api.get(`/api/crm/leads/${lead.id}/timeline`)).body
    const types = data
      .filter((entry: { cause: { kind: string } }) => entry.cause.kind === 'workflow')
      .map((entry: { type: string }) => entry.type)
    expect(types).toEqual(expect.arrayContaining(['workflow.started', 'task.created', 'lead.changed']))
    const inbox = (await shop.api.get(`/api/webhooks/inbox?event_id=${eventId}`)).body.data
    expect(inbox).toMatchObject([{ status: 'processed' }])
    const { effects, caused } = (await shop.api.get(`/api/webhooks/inbox/${inbox[0].id}`)).body
    expect(effects).toContainEqual(
      expect.objectContaining({ reaction: 'workflows', outcome: 'done', note: 'One workflow ran.' }),
    )
    expect(caused.map(({ type }: { type: string }) => type)).toContain('task.created')
  })

  test('a simulation tells the same, and does nothing', async () => {
    const before = (await shop.runsOf(id)).length
    const long = (await shop.api.post(`${path}/${id}/test`, { event: { durationSec: 200 } })).body
    expect(long).toMatchObject({ status: 'DONE', error: null })
    expect(
      long.trace.map(({ path, outcome }: { path: string; outcome: string }) => `${path} ${outcome}`),
    ).toEqual(['nodes[0] yes', 'nodes[1] done', 'nodes[2] done', 'nodes[3] waiting', 'nodes[3] done'])
    expect(await shop.runsOf(id)).toHaveLength(before)
  })
})

describe('the example, lived through as the test run shows it', () => {
  const NIGHT = { from: '20:00', until: '09:00' }
  const outbound = { consent: 'required', quiet_hours: NIGHT, attempts_max: 3, retry_after_min: 240 }
  const { trigger, nodes } = starters[0]!.definition
  const worlds = {
    'an agent calls by day': { hour: 10, agent: true, consent: true },
    'there is no agent': { hour: 10, agent: false, consent: true },
    'the lead has not agreed to be called': { hour: 10, agent: true, consent: null },
    'the lead does not want to be called': { hour: 10, agent: true, consent: false },
    'it is night': { hour: 23, agent: true, consent: true },
  }
  type World = (typeof worlds)[keyof typeof worlds]
  beforeAll(() =>
    shop.ada.browser.patch('/api/outreach/settings', { meeting_url: 'https://meet.example.test/ada' }),
  )

  /** Where the lead is, it is this hour now. */
  function zoneAt(hour: number): string {
    const ahead = ((hour - new Date(shop.clock.now()).getUTCHours() + 36) % 24) - 12
    return `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`
  }

  async function enter({ hour, agent, consent }: World) {
    const lead = await shop.lead({ timezone: zoneAt(hour), owner_id: shop.ada.user_id })
    if (consent !== null) {
      const given = { given: consent, source: 'form' }
      expect((await shop.api.put(`/api/voice/consents/${lead.id}`, given)).status).toBe(200)
    }
    const made =
      agent &&
      (await shop.api.post('/api/voice/agents', {
        name: 'Sam',
        kind: 'voice',
        instructions: 'Be kind.',
        outbound,
      }))
    const { id } = await shop.workflow(nodes, { trigger, once_per_lead: true })
    const leave = async () => {
      // A call that is made ends after the run: it is not to set off what comes next.
      await eventually(async () =>
        expect(await shop.app.database.query('select call_id from attended_calls')).toEqual([]),
      )
      await shop.settle()
      await shop.remove(id)
      if (made) expect((await shop.api.delete(`/api/voice/agents/${made.body.id}`)).status).toBe(204)
    }
    return { id, lead, leave }
  }

  /** From one wait to the next, until it has ended. */
  async function live(id: string, event: { leadId: string; durationSec: number }) {
    await shop.callEnded(event)
    for (let waits = 0; waits < 10; waits++) {
      const run = await shop.runOf(id)
      if (run.status !== 'RUNNING') return run
      shop.clock.set(run.next_at!)
    }
    throw new Error('it does not come to its end')
  }

  /** What is said of each step, whether it would be done or was. */
  const told = (trace: TraceEntry[]) =>
    trace.map(({ path, outcome, at, until, input }) => ({ path, outcome, at, until, input }))

  test.for(Object.keys(worlds) as (keyof typeof worlds)[])('after a long call, where %s', async name => {
    const { id, lead, leave } = await enter(worlds[name])
    const event = { leadId: lead.id, durationSec: 200 }
    const began = shop.clock.now()
    const shown = (await shop.api.post(`${path}/${id}/test`, { event, lead_id: lead.id })).body
    const run = await live(id, event)
    expect([shown.status, run.status]).toEqual(['DONE', 'DONE'])
    expect(told(shown.trace)).toEqual(told(run.trace))
    expect(shop.mailsTo(lead.email)).toHaveLength(1)
    expect((await shop.readLead(lead.id)).pipeline_stage).toBe('Engage_Human')
    const tasks = await shop.tasksOf(lead.id)
    expect(tasks).toMatchObject([{ created_at: new Date(began + 2 * DAY_MS).toISOString() }])
    await leave()
  })

  test.for(Object.keys(worlds) as (keyof typeof worlds)[])('after a short call, where %s', async name => {
    const world: World = worlds[name]
    const { id, lead, leave } = await enter(world)
    const event = { leadId: lead.id, durationSec: 60 }
    const began = shop.clock.now()
    const shown = (await shop.api.post(`${path}/${id}/test`, { event, lead_id: lead.id })).body
    const run = await live(id, event)
    expect([shown.status, run.status]).toEqual(['DONE', 'DONE'])
    expect(told(shown.trace)).toEqual(told(run.trace))
    expect(shop.textsTo(lead.phone)).toHaveLength(1)

    // At night the message waits until eight, and a day later the call waits until nine.
    const isNight = world.hour === 23
    const held = shown.trace.find(({ outcome }: TraceEntry) => outcome === 'held')
    const texted = began + (isNight ? 9 * HOUR_MS - (began % HOUR_MS) : 0)
    expect(held?.until).toBe(isNight ? new Date(texted).toISOString() : undefined)
    const calledAt = texted + DAY_MS + (isNight ? HOUR_MS : 0)
    const [would, did] = [shown.trace.at(-1).note, run.trace.at(-1)!.note!]
    const calls = (await shop.api.get(`/api/voice/calls?lead_id=${lead.id}`)).body.data.filter(
      ({ agent_id }: { agent_id: string | null }) => agent_id !== null,
    )
    if (world.agent && world.consent === true) {
      expect(would).toMatch(
        isNight ? /^Would call .*: quiet hours until then\.$/ : /^Would call [^:]*:00 [^:]*$/,
      )
      expect(would.replace(/^.* at /, '')).toBe(did.replace(/^.* at /, ''))
      expect(calls).toMatchObject([{ scheduled_at: new Date(calledAt).toISOString() }])
    } else {
      const why = { true: 'no voice agents', false: 'has opted out', null: 'has not agreed' }
      expect(would).toMatch(/^Would create a task to call /)
      for (const note of [would, did]) expect(note).toContain(why[`${world.consent}`])
      expect(calls).toEqual([])
      expect(await shop.tasksOf(lead.id)).toMatchObject([
        { assignee_id: shop.ada.user_id, due_at: new Date(calledAt).toISOString() },
      ])
    }
    await leave()
  })

  test('whoever wants no messages gets none, and a pause of all outreach is shown', async () => {
    const { id, lead, leave } = await enter({ ...worlds['there is no agent'] })
    const body = { event: { leadId: lead.id, durationSec: 60 }, lead_id: lead.id }
    const first = async () =>
      (await shop.api.post(`${path}/${id}/test`, body)).body.trace
        .slice(1)
        .map(({ outcome, note }: TraceEntry) => [outcome, note])
    expect((await shop.ada.browser.post('/api/outreach/pause')).status).toBe(200)
    expect((await first()).slice(0, 2)).toEqual([
      ['held', 'Outreach is paused for the whole team.'],
      ['done', `Would text ${lead.phone}.`],
    ])
    expect((await shop.ada.browser.post('/api/outreach/resume')).status).toBe(200)
    const suppressed = { phone: lead.phone }
    expect((await shop.ada.browser.post('/api/outreach/suppressions', suppressed)).status).toBe(201)
    expect((await first())[0]).toEqual(['skipped', `${lead.phone} has opted out of text messages.`])
    await leave()
  })
})
