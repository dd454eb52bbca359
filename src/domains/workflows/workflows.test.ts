import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { domains } from '#app'
import { t } from '#platform/contract.ts'
import { defineEvent, record } from '#platform/events.ts'
import { newId } from '#platform/ids.ts'
import { eventually } from '#test/eventually.ts'
import { tell } from '#test/provider.ts'
import { full } from '#test/tier.ts'
import {
  DAY_MS,
  HOUR_MS,
  inShort,
  path,
  setStage,
  startWorkshop,
  task,
  type Workshop,
} from './workflows.harness.ts'
import { wakeRuns } from './wake-runs.ts'

let shop: Workshop
let sentForms = 0
beforeAll(async () => {
  shop = await startWorkshop()
})
afterAll(() => shop.close())

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
    await shop.remove(id)
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
    await shop.remove(id)
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
    await shop.remove(id)
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
      await shop.remove(id)
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
    await shop.remove(id)
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
      await shop.remove(id)
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
    await shop.remove(id)
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
    await shop.remove(id)
    await shop.remove(opened.id)
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
        await shop.remove(id)
      }
    }
  })

  test('the end of a call, by the trigger of that name', async () => {
    const { id } = await shop.workflow([task], { trigger: 'Call Ended' })
    await shop.callEnded({ leadId: (await shop.lead()).id, durationSec: 5 })
    expect((await shop.runOf(id)).event).toMatchObject({ durationSec: 5 })
    await shop.remove(id)
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
    await shop.remove(id)
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
    await shop.remove(id)
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
    for (const id of [paused.id, draft.id]) await shop.remove(id)
  })

  test('where nobody listens, no job is written, and no worker is woken', async () => {
    const { runtime } = shop.app
    const { wakeWorker } = runtime
    onTestFinished(() => void (runtime.wakeWorker = wakeWorker))
    let woken = 0
    runtime.wakeWorker = () => {
      woken++
      wakeWorker()
    }
    const wakesFor = async (work: () => Promise<unknown>) => {
      const before = woken
      await work()
      return woken - before
    }
    expect(await wakesFor(() => shop.lead())).toBe(0)
    const heard = await shop.workflow([task], { trigger: 'lead.created' })
    expect(await wakesFor(() => shop.lead())).toBeGreaterThan(0)
    await shop.remove(heard.id)
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
    await shop.remove(id)
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
    await shop.remove(id)
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
    for (const one of [id, draft.id]) await shop.remove(one)
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
    await shop.remove(id)
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
    await shop.remove(id)
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
    await shop.remove(id)
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
    await shop.remove(id)
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
    await shop.remove(id)
  })

  test('not because the database has no room for a moment: the step is tried again', async () => {
    const { id } = await shop.workflow([{ type: 'delay', delay: '1h' }, task])
    const lead = await shop.lead()
    await shop.callEnded({ leadId: lead.id })
    const waiting = await shop.runOf(id)
    await shop.app.database.query(
      `create function no_room() returns trigger language plpgsql
       as $$ begin raise exception 'No space left on device' using errcode = 'disk_full'; end $$;
       create trigger no_room before insert on tasks execute function no_room()`,
    )
    await shop.pass(HOUR_MS)
    expect(await shop.readRun(waiting.id)).toMatchObject({ status: 'RUNNING', error: null })
    await shop.app.database.query('drop function no_room() cascade')
    await shop.pass(HOUR_MS)
    expect(inShort(await shop.readRun(waiting.id))).toEqual([
      'nodes[0] waiting',
      'nodes[0] done',
      'nodes[1] done',
    ])
    expect(await shop.tasksOf(lead.id)).toHaveLength(1)
    await shop.remove(id)
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
    await shop.remove(id)
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
    await shop.remove(id)
  })
})

describe('in somebody’s hand', () => {
  test('what is left of an earlier wait takes nothing with it when both come at once', async () => {
    const { team_id } = shop.ada
    const leftOver = { kind: 'workflows.wake', team_id, event_id: null, attempts: 1, lost: 0, owner: 'test' }
    for (const turn of [1, -1]) {
      const { id } = await shop.workflow([{ type: 'delay', delay: '1d' }, setStage('Contacted')])
      const lead = await shop.lead()
      await shop.callEnded({ leadId: lead.id })
      const { id: run } = await shop.runOf(id)
      await shop.api.post(`${path}/runs/${run}/pause`)
      await shop.pass(2 * DAY_MS)
      const wait = { ...leftOver, id: newId(), data: { run_id: run } }
      const jobs = [wait, { ...wait, id: newId() }]
      await shop.app.database.query(
        `update workflow_runs set status = 'RUNNING', wait_id = $2 where id = $1`,
        [run, wait.id],
      )
      await shop.ada.ctx.transaction(ctx => wakeRuns(ctx, turn > 0 ? jobs : jobs.toReversed()))
      await eventually(async () => expect((await shop.readLead(lead.id)).pipeline_stage).toBe('Contacted'))
      await shop.remove(id)
    }
  })

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
    await shop.remove(id)
  })

  test('one that is paused ends with its workflow', async () => {
    const { id } = await shop.workflow([{ type: 'delay', delay: '1d' }, task])
    await shop.callEnded({ leadId: (await shop.lead()).id })
    const { id: run } = await shop.runOf(id)
    await shop.api.post(`${path}/runs/${run}/pause`)
    await shop.remove(id)
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
    await shop.remove(id)
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
    { error: expect.stringContaining('form a loop') },
  ])
  for (const { id } of [there, back]) await shop.remove(id)
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
  await shop.remove(id)
})
