import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { domains } from '#app'
import { t } from '#platform/contract.ts'
import { defineEvent, record } from '#platform/events.ts'
import { newId } from '#platform/ids.ts'
import { eventually } from '#test/eventually.ts'
import { tell } from '#test/provider.ts'
import { full } from '#test/tier.ts'
import type { TraceEntry } from './contract.ts'
import { starters } from './starters.ts'
import { DAY_MS, HOUR_MS, inShort, startWorkshop, type Workshop } from './workflows.harness.ts'

const task = { type: 'action', action: 'create_task' }
const setStage = (value: string) => ({
  type: 'action',
  action: 'update_field',
  field: 'pipeline_stage',
  value,
})
const path = '/api/crm/workflows'

let shop: Workshop
let sentForms = 0
beforeAll(async () => {
  shop = await startWorkshop()
})
afterAll(() => shop.close())

/** So that what one test makes is not set off by the next. */
async function alone(id: string): Promise<void> {
  expect((await shop.api.delete(`${path}/${id}`)).status).toBe(204)
}

describe('the example of the interface', () => {
  let id: string
  beforeAll(async () => {
    await shop.ada.browser.patch('/api/outreach/settings', { meeting_url: 'https://meet.example.test/ada' })
    const { name, definition } = starters[0]!
    id = (await shop.workflow(definition.nodes, { name, trigger: definition.trigger })).id
  })
  afterAll(() => alone(id))

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
      await alone(id)
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
      const why = { true: 'no voice agents', false: 'does not want', null: 'has not agreed' }
      expect(would).toMatch(/^Would make a task to call /)
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
      ['held', 'All outreach of the team is paused.'],
      ['done', `Would text ${lead.phone}.`],
    ])
    expect((await shop.ada.browser.post('/api/outreach/resume')).status).toBe(200)
    const suppressed = { phone: lead.phone }
    expect((await shop.ada.browser.post('/api/outreach/suppressions', suppressed)).status).toBe(201)
    expect((await first())[0]).toEqual(['skipped', `${lead.phone} wants no text messages.`])
    await leave()
  })
})

describe('once', () => {
  test('fifty copies of one event at the same moment set it off once; a replay does not again', async () => {
    const { id } = await shop.workflow([task])
    const lead = await shop.lead()
    await Promise.all(Array.from({ length: 50 }, () => shop.callEnded({ leadId: lead.id }, 'the same')))
    await shop.settle()
    expect(await shop.runsOf(id)).toHaveLength(1)
    const [inbound] = (await shop.api.get('/api/webhooks/inbox?event_id=the+same')).body.data
    expect((await shop.ada.browser.post(`/api/webhooks/inbox/${inbound.id}/replay`)).status).toBe(200)
    await shop.settle()
    expect(await shop.runsOf(id)).toHaveLength(1)
    expect(await shop.tasksOf(lead.id)).toHaveLength(1)
    await alone(id)
  })

  test('a workflow that was not there yet is set off by a replay', async () => {
    const lead = await shop.lead()
    await shop.callEnded({ leadId: lead.id }, 'early')
    await shop.settle()
    const { id } = await shop.workflow([task])
    const [inbound] = (await shop.api.get('/api/webhooks/inbox?event_id=early')).body.data
    expect(inbound.status).toBe('processed')
    await shop.ada.browser.post(`/api/webhooks/inbox/${inbound.id}/replay`)
    await shop.settle()
    expect(await shop.runsOf(id)).toHaveLength(1)
    await alone(id)
  })

  test('per lead, where it says so: also for events of the same moment', async () => {
    const { id } = await shop.workflow([task], { once_per_lead: true })
    const [lead, other] = [await shop.lead(), await shop.lead()]
    await Promise.all([lead, lead, other, lead].map(({ id }) => shop.callEnded({ leadId: id })))
    await shop.settle()
    await shop.callEnded({ leadId: lead.id })
    await shop.settle()
    expect((await shop.runsOf(id)).map(({ lead_id }) => lead_id).toSorted()).toEqual(
      [lead.id, other.id].toSorted(),
    )
    await alone(id)
  })
})

describe('what sets it off', () => {
  test('a new lead, by the name of the trigger or by its label', async () => {
    for (const trigger of ['lead.created', 'New Lead Created']) {
      const { id, trigger: kept } = await shop.workflow([task], { trigger })
      expect(kept).toBe('lead.created')
      const lead = await shop.lead()
      await shop.settle()
      expect((await shop.runsOf(id)).map(({ lead_id }) => lead_id)).toEqual([lead.id])
      await alone(id)
    }
  })

  test('a stage: of a lead, and of a deal', async () => {
    const { id } = await shop.workflow([task], { trigger: 'deal.stage_changed' })
    const lead = await shop.lead()
    await shop.api.patch(`/api/crm/leads/${lead.id}`, { pipeline_stage: 'Contacted' })
    const deal = (await shop.api.post('/api/crm/opportunities', { name: 'Deal', lead_id: lead.id })).body
    await shop.api.patch(`/api/crm/opportunities/${deal.id}`, { stage: 'proposal' })
    await shop.settle()
    const runs = await shop.runsOf(id)
    expect(runs).toHaveLength(2)
    expect(
      (await Promise.all(runs.map(run => shop.readRun(run.id)))).map(({ event }) => event.of).toSorted(),
    ).toEqual(['lead', 'opportunity'])
    await alone(id)
  })

  test.for(['form.submitted', 'Form Submitted', 'webhook:form.submitted'])(
    'a form that was sent: %s',
    async trigger => {
      const { id, trigger: kept } = await shop.workflow([task], { trigger })
      expect(kept).toBe('form.submitted')
      const form = (
        await shop.api.post('/api/crm/forms', {
          name: 'Contact',
          published: true,
          fields: [{ key: 'email', label: 'E-mail', type: 'email', required: true }],
          field_mapping: { email: 'email' },
        })
      ).body
      const sent = await shop.api.post(`/api/forms/${form.id}/submissions`, {
        email: `${++sentForms}@forms.example.test`,
      })
      expect(sent.status, sent.text).toBeLessThan(300)
      await shop.settle()
      const run = await shop.runOf(id)
      expect(run.event).toMatchObject({
        form_name: 'Contact',
        values: { email: `${sentForms}@forms.example.test` },
      })
      expect(run.lead_id).not.toBeNull()
      await alone(id)
    },
  )

  test('a task that is overdue, once for its due date', async () => {
    const { id } = await shop.workflow([setStage('Contacted')], { trigger: 'task.overdue' })
    const lead = await shop.lead()
    const due_at = new Date(shop.clock.now() + HOUR_MS).toISOString()
    await shop.api.post('/api/crm/tasks', { title: 'Call', lead_id: lead.id, due_at })
    await shop.settle()
    expect(await shop.runsOf(id)).toEqual([])
    await shop.pass(2 * HOUR_MS)
    const runs = await shop.runsOf(id)
    expect(runs.filter(({ lead_id }) => lead_id === lead.id)).toHaveLength(1)
    await alone(id)
  })

  test('a mail that a person opens', async () => {
    const { id } = await shop.workflow([{ type: 'action', action: 'send_email', template: 'intro' }])
    const opened = await shop.workflow([setStage('Contacted')], { trigger: 'email.opened' })
    const lead = await shop.lead()
    await shop.callEnded({ leadId: lead.id })
    await shop.settle()
    // Nobody reads a mail in the moment it is sent.
    await shop.pass(HOUR_MS)
    const [mail] = shop.mailsTo(lead.email)
    const [, url] = /<img data-read="" src="([^"]+)"/.exec(mail!.html)!
    const reader = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.0'
    await fetch(url!.replace(/^https?:\/\/[^/]+/, shop.app.url), { headers: { 'user-agent': reader } })
    // The picture is answered before it is noted.
    await eventually(async () =>
      expect((await shop.runsOf(opened.id)).map(({ lead_id }) => lead_id)).toEqual([lead.id]),
    )
    expect((await shop.readLead(lead.id)).pipeline_stage).toBe('Contacted')
    await alone(id)
    await alone(opened.id)
  })

  test('every event that providers send, by its name', async () => {
    const all = {
      voice: ['tool_call', 'call_connected', 'call_ended'],
      payment: ['payment.confirmed', 'payment.succeeded'],
      realtime: ['response.completed', 'response.failed', 'realtime.call.incoming'],
    } as const
    for (const [endpoint, types] of Object.entries(all)) {
      for (const type of types) {
        const { id } = await shop.workflow([task], { trigger: `webhook:${type}` })
        await tell(
          shop.app.url,
          endpoint as 'voice',
          { eventId: `every ${type}`, type, data: { x: 1 } },
          { at: new Date(shop.clock.now()), query: `?team=${shop.ada.team_id}` },
        )
        await shop.settle()
        expect((await shop.runOf(id)).event).toMatchObject({ x: 1 })
        await alone(id)
      }
    }
  })

  test('the end of a call, by the trigger of that name', async () => {
    const { id } = await shop.workflow([task], { trigger: 'Call Ended' })
    await shop.callEnded({ leadId: (await shop.lead()).id, durationSec: 5 })
    expect((await shop.runOf(id)).event).toMatchObject({ durationSec: 5 })
    await alone(id)
  })

  test('a meeting that is booked, whoever tells of it', async () => {
    const booked = defineEvent('meeting.booked', t.Object({ title: t.String() }))
    const { id } = await shop.workflow([task], { trigger: 'meeting.booked' })
    const lead = await shop.lead()
    await shop.ada.ctx.transaction(
      async ctx =>
        void record(ctx, booked, { kind: 'meeting', id: lead.id, lead_id: lead.id }, { title: 'Intro' }),
    )
    await shop.settle()
    expect(await shop.runOf(id)).toMatchObject({ lead_id: lead.id, event: { title: 'Intro' } })
    await alone(id)
    expect(domains.some(({ name }) => name === 'workflows')).toBe(true)
  })

  test('only what its filters let through', async () => {
    const filters = [
      { field: 'durationSec', op: '>', value: 100 },
      { field: 'lead.title', op: 'in', value: ['CEO', 'CTO'] },
    ]
    const { id } = await shop.workflow([task], { filters })
    const [ceo, cook] = [await shop.lead({ title: 'CEO' }), await shop.lead({ title: 'Cook' })]
    for (const [lead, durationSec] of [
      [ceo, 99],
      [cook, 200],
      [ceo, 101],
    ] as const)
      await shop.callEnded({ leadId: lead.id, durationSec })
    await shop.settle()
    expect((await shop.runsOf(id)).map(({ lead_id }) => lead_id)).toEqual([ceo.id])
    await alone(id)
  })

  test('nothing, when it is paused, a draft, in the trash, or another team’s', async () => {
    const paused = await shop.workflow([task], { status: 'PAUSED' })
    const draft = await shop.workflow([task], { status: 'DRAFT' })
    const stranger = await (await shop.app.person()).key()
    const theirs = await stranger.post(path, { name: 'Theirs', trigger: 'webhook:call_ended', nodes: [task] })
    await shop.callEnded({ leadId: (await shop.lead()).id })
    await shop.settle()
    expect(
      await shop.app.database.query('select id from workflow_runs where workflow_id = any($1)', [
        [paused.id, draft.id, theirs.body.id],
      ]),
    ).toEqual([])
    for (const id of [paused.id, draft.id]) await alone(id)
  })

  test('where nobody listens, no job is written', async () => {
    const jobs = async () =>
      (
        await shop.app.database.query(`select from automation_listeners where team_id = $1`, [
          shop.ada.team_id,
        ])
      ).length
    expect(await jobs()).toBe(0)
    const { id } = await shop.workflow([task])
    expect(await jobs()).toBe(1)
    await shop.api.patch(`${path}/${id}`, { status: 'PAUSED' })
    expect(await jobs()).toBe(0)
    await shop.api.patch(`${path}/${id}`, { status: 'ACTIVE', trigger: 'lead.created' })
    expect(
      await shop.app.database.query(`select type from automation_listeners where team_id = $1`, [
        shop.ada.team_id,
      ]),
    ).toEqual([{ type: 'lead.created' }])
    await alone(id)
    expect(await jobs()).toBe(0)
  })
})

describe('by hand', () => {
  test('for some leads, and for all that match', async () => {
    const { id } = await shop.workflow([task], { status: 'PAUSED', once_per_lead: true })
    const leads = [
      await shop.lead({ company: 'Acme' }),
      await shop.lead({ company: 'Acme' }),
      await shop.lead({ company: 'Acme' }),
    ]
    const some = await shop.api.post(`${path}/${id}/start`, {
      lead_ids: leads.slice(0, 2).map(({ id }) => id),
    })
    expect(some.body).toEqual({ runs: 2, passed_over: 0 })
    expect((await shop.api.post(`${path}/${id}/start`, { lead_ids: [leads[0]!.id] })).body).toEqual({
      runs: 0,
      passed_over: 1,
    })
    expect(
      (await shop.api.post(`${path}/${id}/start-matching`, { filter: { company: ['Acme'] } })).body,
    ).toEqual({ matching: 3 })
    await shop.settle()
    expect((await shop.runsOf(id)).map(({ lead_id }) => lead_id).toSorted()).toEqual(
      leads.map(({ id }) => id).toSorted(),
    )
    await alone(id)
  })

  test('not for leads of others, not for nobody, not before it is published', async () => {
    const { id } = await shop.workflow([task])
    const stranger = await (await shop.app.person()).key()
    const theirs = (await stranger.post('/api/crm/leads', { first_name: 'Eve' })).body
    expect((await shop.api.post(`${path}/${id}/start`, { lead_ids: [theirs.id] })).status).toBe(404)
    expect((await shop.api.post(`${path}/${id}/start`, {})).status).toBe(422)
    expect((await shop.api.post(`${path}/${id}/start`, { lead_ids: [theirs.id], filter: {} })).status).toBe(
      422,
    )
    const draft = await shop.workflow([task], { status: 'DRAFT' })
    const lead = await shop.lead()
    expect((await shop.api.post(`${path}/${draft.id}/start`, { lead_ids: [lead.id] })).body.code).toBe(
      'not_published',
    )
    for (const one of [id, draft.id]) await alone(one)
  })
})

describe('time', () => {
  test('passes between the steps, and each is done when it is due', async () => {
    const { id } = await shop.workflow([
      setStage('Contacted'),
      { type: 'delay', delay: '2d' },
      setStage('Qualified'),
      { ...setStage('Won'), delay: '3h' },
    ])
    const lead = await shop.lead()
    const stage = async () => (await shop.readLead(lead.id)).pipeline_stage
    await shop.callEnded({ leadId: lead.id })
    await shop.settle()
    expect(await stage()).toBe('Contacted')
    expect(await shop.runsOf(id)).toMatchObject([
      { status: 'RUNNING', next_at: new Date(shop.clock.now() + 2 * DAY_MS).toISOString() },
    ])
    await shop.pass(2 * DAY_MS - 1)
    expect(await stage()).toBe('Contacted')
    await shop.pass(1)
    expect(await stage()).toBe('Qualified')
    await shop.pass(3 * HOUR_MS)
    expect(await stage()).toBe('Won')
    const run = await shop.runOf(id)
    expect(run.status).toBe('DONE')
    expect(inShort(run)).toEqual([
      'nodes[0] done',
      'nodes[1] waiting',
      'nodes[1] done',
      'nodes[2] done',
      'nodes[3] waiting',
      'nodes[3] done',
    ])
    await alone(id)
  })

  test('a run that does more than one transaction should goes on in the next, each step once', async () => {
    const { id } = await shop.workflow([{ type: 'loop', times: 100, nodes: [task] }, setStage('Won')])
    const lead = await shop.lead()
    await shop.callEnded({ leadId: lead.id })
    const run = await shop.runOf(id)
    expect([run.status, run.trace.length]).toEqual(['DONE', 102])
    const made = await shop.app.database.query('select from tasks where lead_id = $1', [lead.id])
    expect(made).toHaveLength(100)
    const parts = await shop.app.database.query('select from workflow_traces where run_id = $1', [run.id])
    expect(parts.length).toBeGreaterThan(1)
    await alone(id)
  })

  test('a run stays on its version, whatever is published meanwhile', async () => {
    const { id } = await shop.workflow([{ type: 'delay', delay: '1d' }, setStage('Contacted')])
    const lead = await shop.lead()
    await shop.callEnded({ leadId: lead.id })
    await shop.settle()
    const changed = await shop.api.patch(`${path}/${id}`, {
      nodes: [{ type: 'delay', delay: '1d' }, setStage('Lost')],
    })
    expect(changed.body.version).toBe(2)
    await shop.pass(DAY_MS)
    expect((await shop.readLead(lead.id)).pipeline_stage).toBe('Contacted')
    await alone(id)
  })

  test('a lead or a workflow that is gone meanwhile ends it without harm', async () => {
    const { id } = await shop.workflow([{ type: 'delay', delay: '1d' }, task])
    const [lead, other] = [await shop.lead(), await shop.lead()]
    for (const { id } of [lead, other]) await shop.callEnded({ leadId: id })
    await shop.settle()
    await shop.api.delete(`/api/crm/leads/${lead.id}`)
    await shop.pass(DAY_MS)
    const runs = await shop.runsOf(id)
    expect(runs.find(({ lead_id }) => lead_id === other.id)!.status).toBe('DONE')
    expect(['DONE', 'FAILED']).toContain(runs.find(({ lead_id }) => lead_id === lead.id)!.status)
    await shop.callEnded({ leadId: other.id })
    await shop.settle()
    await alone(id)
    await shop.pass(DAY_MS)
    const [last] = await shop.app.database.query<{ status: string }>(
      'select status from workflow_runs where workflow_id = $1 order by id desc limit 1',
      [id],
    )
    expect(last!.status).toBe('CANCELLED')
  })
})

describe('a run that fails', () => {
  const missing = { type: 'action', action: 'send_email', template: 'not_there' }

  test('says where and why, and goes on from there once it is mended', async () => {
    const { id, warnings } = await shop.workflow([setStage('Contacted'), missing, setStage('Won')])
    expect(warnings).toEqual([
      { path: 'nodes[1].template', message: 'There is no template called not_there yet.' },
    ])
    const lead = await shop.lead()
    await shop.callEnded({ leadId: lead.id })
    const failed = await shop.runOf(id)
    expect(failed).toMatchObject({
      status: 'FAILED',
      failed_path: 'nodes[1]',
      error: expect.stringContaining('not_there'),
    })
    const { data } = (await shop.api.get(`/api/crm/leads/${lead.id}/timeline?type=workflow.failed`)).body
    expect(data).toHaveLength(1)
    await shop.api.post('/api/outreach/templates', {
      name: 'not_there',
      subject: 'Hi',
      body: 'Hello {{firstName | default: "you"}}',
    })
    expect((await shop.api.post(`${path}/runs/${failed.id}/retry`)).body.status).toBe('RUNNING')
    await shop.settle()
    const run = await shop.readRun(failed.id)
    expect(run).toMatchObject({ status: 'DONE', error: null })
    expect(inShort(run)).toEqual(['nodes[0] done', 'nodes[1] failed', 'nodes[1] done', 'nodes[2] done'])
    expect(shop.mailsTo(lead.email)).toHaveLength(1)
    expect((await shop.readLead(lead.id)).pipeline_stage).toBe('Won')
    await alone(id)
  })

  test('among many at the same time fails alone, and undoes nothing of the others', async () => {
    const assign = {
      type: 'action',
      action: 'update_field',
      field: 'pipeline_stage',
      value: '{{event.stage}}',
    }
    const { id } = await shop.workflow([task, assign])
    const leads = []
    for (let n = 0; n < 40; n++) leads.push(await shop.lead())
    await Promise.all(
      leads.map(({ id }, n) => shop.callEnded({ leadId: id, stage: n % 10 === 3 ? 'Nowhere' : 'Won' })),
    )
    await shop.settle()
    const runs = await shop.runsOf(id, '?limit=200')
    expect(runs.filter(({ status }) => status === 'FAILED')).toHaveLength(4)
    expect(runs.filter(({ status }) => status === 'DONE')).toHaveLength(36)
    const [made] = await shop.app.database.query<{ count: number }>(
      'select count(*)::int from tasks where lead_id = any($1)',
      [leads.map(({ id }) => id)],
    )
    expect(made!.count).toBe(40)
    await alone(id)
  })

  test('takes the branch for it, or goes on, where it says so', async () => {
    const { id } = await shop.workflow([
      { ...missing, template: 'nowhere', catch: [setStage('Lost')] },
      { ...missing, template: 'nowhere', on_error: 'continue' },
      task,
    ])
    const lead = await shop.lead()
    await shop.callEnded({ leadId: lead.id })
    const run = await shop.runOf(id)
    expect(run.status).toBe('DONE')
    expect(inShort(run)).toEqual([
      'nodes[0] failed',
      'nodes[0].catch[0] done',
      'nodes[1] failed',
      'nodes[2] done',
    ])
    await alone(id)
  })
})

describe('in somebody’s hand', () => {
  test('a run is paused, let go on, cancelled, and run again on the newest version', async () => {
    const { id } = await shop.workflow([{ type: 'delay', delay: '1d' }, setStage('Contacted')])
    const lead = await shop.lead()
    const stage = async () => (await shop.readLead(lead.id)).pipeline_stage
    await shop.callEnded({ leadId: lead.id })
    const { id: run } = await shop.runOf(id)
    const does = async (what: string) => (await shop.api.post(`${path}/runs/${run}/${what}`)).body
    expect(await does('pause')).toMatchObject({ status: 'PAUSED', next_at: null })
    await shop.pass(2 * DAY_MS)
    expect(await stage()).toBe('New')
    expect(await does('resume')).toMatchObject({ status: 'RUNNING' })
    await shop.settle()
    expect(await stage()).toBe('Contacted')
    expect((await does('cancel')).code).toBe('wrong_run_status')
    await shop.api.patch(`${path}/${id}`, { nodes: [setStage('Won')] })
    const again = await does('replay')
    expect(again).toMatchObject({ version: 2, lead_id: lead.id })
    await shop.settle()
    expect(await stage()).toBe('Won')
    await shop.api.patch(`${path}/${id}`, { nodes: [{ type: 'delay', delay: '1d' }, setStage('Lost')] })
    await shop.callEnded({ leadId: lead.id })
    await shop.settle()
    const [waiting] = await shop.runsOf(id, '?status=RUNNING')
    expect((await shop.api.post(`${path}/runs/${waiting!.id}/cancel`)).body).toMatchObject({
      status: 'CANCELLED',
    })
    await shop.pass(2 * DAY_MS)
    expect(await stage()).toBe('Won')
    await alone(id)
  })

  test('one that is paused ends with its workflow', async () => {
    const { id } = await shop.workflow([{ type: 'delay', delay: '1d' }, task])
    await shop.callEnded({ leadId: (await shop.lead()).id })
    const { id: run } = await shop.runOf(id)
    await shop.api.post(`${path}/runs/${run}/pause`)
    await alone(id)
    expect(await shop.readRun(run)).toMatchObject({
      status: 'CANCELLED',
      error: 'The workflow was deleted.',
      ended_at: new Date(shop.clock.now()).toISOString(),
    })
  })

  test('another team’s run is nobody’s', async () => {
    const { id } = await shop.workflow([task])
    await shop.callEnded({ leadId: (await shop.lead()).id })
    const run = await shop.runOf(id)
    const stranger = await (await shop.app.person()).key()
    expect((await stranger.get(`${path}/runs/${run.id}`)).status).toBe(404)
    for (const what of ['cancel', 'pause', 'resume', 'retry', 'replay'])
      expect((await stranger.post(`${path}/runs/${run.id}/${what}`)).status).toBe(404)
    await alone(id)
  })
})

test('workflows that set each other off in a circle come to an end, and say so', async () => {
  const there = await shop.workflow([setStage('Won')], {
    trigger: 'deal.stage_changed',
    filters: [{ field: 'after.stage', op: '==', value: 'Lost' }],
  })
  const back = await shop.workflow([setStage('Lost')], {
    trigger: 'deal.stage_changed',
    filters: [{ field: 'after.stage', op: '==', value: 'Won' }],
  })
  const lead = await shop.lead()
  await shop.api.patch(`/api/crm/leads/${lead.id}`, { pipeline_stage: 'Won' })
  await shop.settle()
  const runs = [...(await shop.runsOf(there.id)), ...(await shop.runsOf(back.id))]
  expect(runs.length).toBe(12)
  expect(runs.filter(({ status }) => status === 'FAILED')).toMatchObject([
    { error: expect.stringContaining('circle') },
  ])
  for (const { id } of [there, back]) await alone(id)
})

test('many runs about the same few leads do not wait for each other in a circle', async () => {
  const { id } = await shop.workflow([task, { ...setStage('{{event.stage}}') }])
  const leads = [await shop.lead(), await shop.lead(), await shop.lead()]
  const deadlocks = async () =>
    (
      await shop.app.database.query<{ deadlocks: string }>(
        'select deadlocks from pg_stat_database where datname = current_database()',
      )
    )[0]!.deadlocks
  const before = await deadlocks()
  const stages = ['New', 'Contacted', 'Won', 'Lost']
  const runs = full ? 300 : 60
  await Promise.all(
    Array.from({ length: runs }, (_, n) =>
      shop.callEnded({ leadId: leads[n % 3]!.id, stage: stages[n % 4] }),
    ),
  )
  await shop.settle()
  const [done] = await shop.app.database.query<{ count: number }>(
    `select count(*)::int from workflow_runs where workflow_id = $1 and status = 'DONE'`,
    [id],
  )
  expect(done!.count).toBe(runs)
  expect(await deadlocks()).toBe(before)
  await alone(id)
})

describe('a definition', () => {
  test('with faults is a 422 that tells the path of each, and nothing is kept', async () => {
    const before = (await shop.api.get(path)).body.data.length
    const reply = await shop.api.post(path, {
      name: 'Wrong',
      trigger: 'lead.eaten',
      nodes: [
        task,
        task,
        { type: 'condition', field: 'x', op: 'exists', else: [{ type: 'action', action: 'fly' }] },
      ],
    })
    expect(reply.status).toBe(422)
    expect(reply.body.errors.map(({ path }: { path: string }) => path)).toEqual([
      'trigger',
      'nodes[2].else[0].action',
    ])
    expect((await shop.api.get(path)).body.data).toHaveLength(before)
  })

  test('names actions by their labels too, as the interface writes them', async () => {
    const labels = {
      'Send Email': 'send_email',
      'Send SMS': 'send_sms',
      'Create Task': 'create_task',
      'Update Record Field': 'update_field',
      'Assign to Rep': 'assign_to_rep',
      'Push Notification': 'push_notification',
      'Create Project': 'create_project',
      'Generate Invoice': 'generate_invoice',
      'Call Webhook': 'call_webhook',
      ' schedule call ': 'schedule_call',
    }
    const fields: Record<string, object> = {
      send_email: { template: 'recap' },
      send_sms: { message: 'Hi' },
      update_field: { field: 'title', value: 'Create Task' },
      assign_to_rep: { member: shop.ada.user_id },
      generate_invoice: { amount: '5', currency: 'EUR' },
      call_webhook: { url: 'https://receiver.example.test/' },
    }
    const nodesBy = (name: (label: string, action: string) => string) =>
      Object.entries(labels).map(([label, action]) => ({
        type: 'action',
        action: name(label, action),
        ...fields[action],
      }))
    const around = (list: object[]) => [
      { type: 'condition', field: 'x', op: 'exists', then: list, else: list.slice(0, 1) },
      { type: 'split', paths: [{ name: 'A', nodes: list }] },
      { type: 'loop', times: 1, nodes: [{ ...list[1], catch: list.slice(2, 3) }] },
    ]
    const [written, kept] = [around(nodesBy(label => label)), around(nodesBy((_, action) => action))]
    const made = await shop.workflow(written)
    expect(made.nodes).toEqual(kept)
    const draft = { name: 'X', trigger: 'Call Ended', filters: [], once_per_lead: false, nodes: written }
    const saved = await shop.api.put(`${path}/${made.id}/draft`, draft)
    expect([saved.body.problems, saved.body.draft]).toEqual([
      [],
      { ...draft, trigger: 'call.ended', nodes: kept },
    ])
    const unknown = { ...task, action: 'Send Pigeon' }
    expect(
      (await shop.api.post(path, { name: 'X', trigger: 'lead.created', nodes: [unknown] })).body.errors,
    ).toEqual([{ path: 'nodes[0].action', message: expect.stringMatching(/^must be one of/) }])
    await alone(made.id)
  })

  test('that sets a field nobody has is refused, and one whose field has gone can still be paused', async () => {
    const set = { type: 'action', action: 'update_field', field: 'custom.plan', value: 'x' }
    const wrong = await shop.api.post(path, { name: 'X', trigger: 'lead.created', nodes: [set] })
    expect([wrong.status, wrong.body.errors]).toEqual([
      422,
      [{ path: 'nodes[0].field', message: 'must be a field that the team has; there is no custom.plan' }],
    ])
    const settings = '/api/crm/leads/settings'
    const custom_fields = [{ key: 'plan', label: 'Plan', kind: 'text' }]
    expect((await shop.ada.browser.patch(settings, { custom_fields })).status).toBe(200)
    const { id } = await shop.workflow([set], { trigger: 'lead.created' })
    await shop.ada.browser.patch(settings, { custom_fields: [] })
    expect((await shop.api.get(`${path}/${id}`)).body.problems).toMatchObject([{ path: 'nodes[0].field' }])
    expect((await shop.api.patch(`${path}/${id}`, { status: 'PAUSED' })).status).toBe(200)
    expect((await shop.api.patch(`${path}/${id}`, { status: 'ACTIVE' })).status).toBe(422)
    await alone(id)
  })

  test.for([
    'http://receiver.example.test/',
    'https://ada:secret@receiver.example.test/',
    'https://ada@receiver.example.test',
  ])('calls only https addresses, without a password: %s is refused', async url => {
    const call = (url: string) => ({ type: 'action', action: 'call_webhook', url })
    const wrong = { name: 'X', trigger: 'lead.created', nodes: [call(url)] }
    const { id } = await shop.workflow([call('https://receiver.example.test/')])
    await shop.api.put(`${path}/${id}/draft`, { ...wrong, filters: [], once_per_lead: false })
    for (const reply of [
      await shop.api.post(path, wrong),
      await shop.api.patch(`${path}/${id}`, { nodes: wrong.nodes }),
      await shop.api.post(`${path}/${id}/publish`),
    ]) {
      expect([reply.status, reply.body.code]).toEqual([422, 'https_required'])
      expect(reply.body.errors).toMatchObject([{ path: 'nodes[0].url' }])
    }
    await alone(id)
  })

  test('whose calls and messages would go out wrong is not published, and says where', async () => {
    const bob = (await shop.app.person()).browser
    expect((await bob.patch('/api/meetings/availability', { active: false })).status).toBe(200)
    const act = (action: string, more: object) => ({ type: 'action', action, ...more })
    const template = async (name: string, more: object) =>
      expect((await bob.post('/api/outreach/templates', { name, ...more })).status).toBe(201)
    await template('bare', { subject: ' ', body: 'Hi' })
    await template('linked', { subject: 'Hi', body: 'Book: {{meetingLink}}' })
    await template('hollow', { subject: 'Hi', body: '[Book a time]()' })
    await template('good', { subject: 'Hi', body: '{{meetingLink | default: "Just answer"}}' })
    const nodes = [
      act('schedule_call', { agent: 'Nobody' }),
      {
        type: 'condition',
        field: 'x',
        op: 'exists',
        else: [act('send_email', { template: 'follow_up' }), act('send_email', { template: 'bare' })],
      },
      act('send_email', { template: 'linked' }),
      act('send_sms', { template: 'linked' }),
      act('send_sms', { message: 'Pick a time: {{meetingLink}}' }),
      act('send_sms', { message: ' \n' }),
      act('send_email', { template: 'hollow' }),
      act('send_email', { template: 'good' }),
      act('send_sms', { template: 'bare' }),
      act('schedule_call', {}),
      act('send_email', { template: 'not_there_yet' }),
    ]
    const places = [
      'nodes[0].agent',
      'nodes[1].else[0].template',
      'nodes[1].else[1].template',
      'nodes[2].template',
      'nodes[3].template',
      'nodes[4].message',
      'nodes[5].message',
      'nodes[6].template',
    ]
    const pathsOf = (list: { path: string }[]) => list.map(({ path }) => path)
    const wanted = { name: 'X', trigger: 'lead.created', nodes }
    const draft = (await bob.post(path, { ...wanted, status: 'DRAFT' })).body
    expect(pathsOf(draft.problems)).toEqual(places)
    expect(pathsOf(draft.warnings)).toEqual(['nodes[10].template'])
    for (const reply of [
      await bob.post(`${path}/${draft.id}/publish`),
      await bob.patch(`${path}/${draft.id}`, { status: 'ACTIVE' }),
    ])
      expect([reply.status, pathsOf(reply.body.errors)]).toEqual([422, places])
    // Whoever sends a definition may make the rest later, and is warned.
    const sent = await bob.post(path, wanted)
    expect([sent.status, sent.body.problems, pathsOf(sent.body.warnings)]).toEqual([
      201,
      [],
      ['nodes[10].template', ...places],
    ])

    await bob.patch('/api/outreach/settings', { meeting_url: 'https://meet.example.test/bob' })
    const agent = { name: 'Sam', kind: 'voice', instructions: 'Be kind.' }
    expect((await bob.post('/api/voice/agents', agent)).status).toBe(201)
    expect((await bob.get(`${path}/catalog`)).body.agents).toEqual(['Sam'])
    const good = nodes.flatMap(node => ('agent' in node ? { ...node, agent: ' sam' } : node))
    await bob.put(`${path}/${draft.id}/draft`, {
      ...wanted,
      filters: [],
      once_per_lead: false,
      nodes: [good[0], good[2], good[3], good[4], good[7], good[8], good[10]],
    })
    const published = await bob.post(`${path}/${draft.id}/publish`)
    expect([published.status, published.body.problems]).toEqual([200, []])
  })

  test('that is in the trash tells no address anything any more', async () => {
    const { id } = await shop.workflow([
      { type: 'action', action: 'call_webhook', url: 'https://one.example.test/' },
      { type: 'action', action: 'call_webhook', url: 'https://two.example.test/' },
    ])
    await shop.callEnded({ leadId: (await shop.lead()).id })
    await eventually(async () => expect(await shop.runsOf(id)).toMatchObject([{ status: 'DONE' }]))
    const states = () =>
      shop.app.database.query('select status from webhook_endpoints where owner_id = $1', [id])
    expect(await states()).toEqual([{ status: 'ACTIVE' }, { status: 'ACTIVE' }])
    await alone(id)
    expect(await states()).toEqual([{ status: 'REMOVED' }, { status: 'REMOVED' }])
  })

  test('names people and templates that are not there: 201, with warnings', async () => {
    const { id, warnings } = await shop.workflow([
      { type: 'action', action: 'send_email', template: 'gone' },
      { type: 'action', action: 'assign_to_rep', member: 'a'.repeat(24) },
      setStage('Nowhere'),
    ])
    expect(warnings.map(({ path }) => path)).toEqual([
      'nodes[0].template',
      'nodes[1].member',
      'nodes[2].value',
    ])
    await alone(id)
  })

  test('is drafted, kept with its faults, and published once it has none', async () => {
    const { id } = await shop.workflow([task], { name: 'Drafted' })
    const base = { name: 'Drafted', trigger: 'webhook:call_ended', filters: [], once_per_lead: false }
    const wrong = await shop.api.put(`${path}/${id}/draft`, {
      ...base,
      nodes: [{ type: 'action', action: 'send_email' }],
    })
    expect(wrong.body).toMatchObject({
      version: 1,
      has_draft: true,
      problems: [{ path: 'nodes[0].template', message: 'is missing' }],
    })
    const refused = await shop.api.post(`${path}/${id}/publish`)
    expect([refused.status, refused.body.errors[0].path]).toEqual([422, 'nodes[0].template'])
    await shop.callEnded({ leadId: (await shop.lead()).id })
    expect((await shop.runOf(id)).status).toBe('DONE')
    await shop.api.put(`${path}/${id}/draft`, { ...base, name: 'Renamed', nodes: [task, task] })
    const published = await shop.api.post(`${path}/${id}/publish`)
    expect(published.body).toMatchObject({
      name: 'Renamed',
      version: 2,
      has_draft: false,
      draft: null,
      problems: [],
    })
    const { data } = (await shop.api.get(`${path}/${id}/versions`)).body
    expect(data.map(({ version }: { version: number }) => version)).toEqual([2, 1])
    const changes = (await shop.api.get(`${path}/${id}/versions/2/changes`)).body
    expect(changes).toMatchObject({ since: 1, changes: [{ kind: 'added', path: 'nodes[1]' }] })
    await shop.api.put(`${path}/${id}/draft`, { ...base, nodes: [] })
    expect((await shop.api.delete(`${path}/${id}/draft`)).body).toMatchObject({
      has_draft: false,
      nodes: [task, task],
    })
    await alone(id)
  })

  test('saved twice from the same page is refused the second time', async () => {
    const { id, updated_at } = await shop.workflow([task])
    const draft = { name: 'X', trigger: 'lead.created', filters: [], once_per_lead: false, nodes: [] }
    const headers = { 'if-match': `"${Date.parse(updated_at).toString(36)}"` }
    expect((await shop.api.put(`${path}/${id}/draft`, draft, headers)).status).toBe(200)
    expect((await shop.api.put(`${path}/${id}/draft`, draft, headers)).status).toBe(412)
    await alone(id)
  })

  test('comes back from the trash paused', async () => {
    const { id } = await shop.workflow([task])
    await alone(id)
    expect((await shop.api.post(`${path}/${id}/restore`)).body.status).toBe('PAUSED')
    await alone(id)
  })

  test('the catalogue has a schema for every action and every kind of logic, and the starters are right', async () => {
    const { body } = await shop.api.get(`${path}/catalog`)
    expect(body.actions).toHaveLength(10)
    expect(body.logic).toHaveLength(6)
    for (const trigger of [
      'lead.created',
      'deal.stage_changed',
      'form.submitted',
      'task.overdue',
      'email.opened',
      'call.ended',
      'meeting.booked',
      'webhook:call_ended',
    ])
      expect(body.triggers.some(({ name }: { name: string }) => name === trigger)).toBe(true)
    for (const { name, definition } of body.starters) {
      const made = await shop.api.post(path, { name, ...definition, status: 'PAUSED' })
      expect([made.status, made.body.problems]).toEqual([201, []])
      await alone(made.body.id)
    }
  })
})
