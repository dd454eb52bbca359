import { describe, expect, test } from 'vitest'
import { newId } from '#platform/ids.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { colleagueOf } from '#test/colleague.ts'
import { eventually } from '#test/eventually.ts'
import type { ActionNode } from './definition.ts'
import { mock } from './nodes/mocks.ts'
import {
  act,
  acted,
  ada,
  api,
  app,
  clock,
  lead,
  offering,
  onStage,
  read,
  workflow,
  type Node,
} from './actions.harness.ts'

onStage()

describe('generate_invoice and schedule_call', () => {
  const invoice = {
    action: 'generate_invoice',
    amount: '500',
    currency: 'EUR',
    description: 'For {{firstName}}',
    due: '14d',
  } as const
  const call = { action: 'schedule_call', due: '1d', note: 'About {{company}}', agent: 'Sam' } as const

  test('generate_invoice writes an invoice that can be paid, one for a key', async () => {
    const grace = await lead({ first_name: 'Grace', company: 'Navy', timezone: 'Europe/Berlin' })
    const { body: deal } = await api.post('/api/crm/opportunities', { name: 'Deal', lead_id: grace.id })
    const about = { lead: grace, key: newId(), subject: { kind: 'opportunity', id: deal.id } }
    const written = await acted(invoice, about)
    expect(written.note).toBe(`Invoice ${written.result.number} created.`)
    expect(await acted(invoice, about)).toMatchObject({ result: written.result })
    expect(await read(`/api/crm/invoices/${written.result.invoice_id}`)).toMatchObject({
      number: written.result.number,
      status: 'OPEN',
      lead_id: grace.id,
      opportunity_id: deal.id,
      customer: { name: 'Navy', email: grace.email },
      lines: [{ description: 'For Grace', quantity: '1', unit_price: '500', tax_percent: '0' }],
      amount: '500.00',
      currency: 'EUR',
      due_at: '2026-04-10T08:00:00.000Z',
    })
    // Its deal is in the trash: it is written all the same.
    await api.delete(`/api/crm/opportunities/${deal.id}`)
    const another = await acted(invoice, { ...about, key: newId() })
    expect(await read(`/api/crm/invoices/${another.result.invoice_id}`)).toMatchObject({
      opportunity_id: null,
      lead_id: grace.id,
    })
  })

  test('a call that no agent makes is a task for who made the workflow, where the lead has no owner here', async () => {
    const author = 'select author_id from workflows where id = $1'
    expect(await app.database.query(author, [workflow.id])).toEqual([{ author_id: ada.user_id }])
    const leaver = await colleagueOf(app, ada, 'MEMBER')
    const left = await lead({ owner_id: leaver.user_id })
    await app.database.query('delete from memberships where user_id = $1', [leaver.user_id])
    for (const about of [await lead(), left]) {
      const { result, input } = await acted(call, { lead: about }, offering({}))
      expect(input.assignee_id).toBe(ada.user_id)
      expect(await read(`/api/crm/tasks/${result.task_id}`)).toMatchObject({ assignee_id: ada.user_id })
    }
  })

  test('are tasks for the owner where nobody offers more, and say so', async () => {
    const grace = await lead({
      first_name: 'Grace',
      company: 'Navy',
      timezone: 'Europe/Berlin',
      owner_id: ada.user_id,
    })
    const alone = offering({})
    const written = await acted(invoice, { lead: grace }, alone)
    expect(written.note).toContain('Invoicing is not set up')
    expect(await read(`/api/crm/tasks/${written.result.task_id}`)).toMatchObject({
      title: 'Send Grace an invoice for 500 EUR',
      description: 'For Grace\nDue on 2026-04-10.',
      assignee_id: ada.user_id,
      lead_id: grace.id,
    })
    const called = await acted(call, { lead: grace }, alone)
    expect(called.note).toContain('no voice agents')
    expect(await read(`/api/crm/tasks/${called.result.task_id}`)).toMatchObject({
      title: 'Call Grace at 10:00 on 2026-03-28 (Europe/Berlin)',
      description: 'About Navy',
      due_at: '2026-03-28T09:00:00.000Z',
    })
    for (const node of [invoice, call]) expect(await act(node)).toMatchObject({ ok: false })
  })

  test('are done by whoever offers them, with a key that stays the same', async () => {
    const asked: unknown[] = []
    const ctx = offering({
      scheduleCall: async (ctx, wanted) => (
        asked.push([ctx.actor.kind, wanted]),
        { id: 'call1', at: wanted.at }
      ),
      generateInvoice: async (ctx, wanted) => (
        asked.push([ctx.actor.kind, wanted]),
        { id: 'inv1', number: 'R-1' }
      ),
    })
    const grace = await lead({ first_name: 'Grace', company: 'Navy' })
    const deal = newId()
    const about = { lead: grace, key: 'run node 0', subject: { kind: 'opportunity', id: deal } }
    expect(await act(call, about, ctx)).toMatchObject({ ok: true, result: { call_id: 'call1' } })
    expect(await act(invoice, about, ctx)).toMatchObject({
      ok: true,
      result: { invoice_id: 'inv1', number: 'R-1' },
    })
    expect(asked).toEqual([
      [
        'workflow',
        {
          lead_id: grace.id,
          at: '2026-03-28T09:00:00.000Z',
          agent: 'Sam',
          note: 'About Navy',
          user_id: ada.user_id,
          key: 'run node 0',
        },
      ],
      [
        'workflow',
        {
          lead_id: grace.id,
          account_id: null,
          opportunity_id: deal,
          amount: '500',
          currency: 'EUR',
          description: 'For Grace',
          due_at: '2026-04-10T09:00:00.000Z',
          key: 'run node 0',
        },
      ],
    ])
  })
})

describe('in a simulation', () => {
  const nodes: Node[] = [
    { action: 'send_email', template: 'intro' },
    { action: 'send_sms', message: 'Hi {{firstName}}' },
    { action: 'create_task', title: 'Ask {{firstName}} for {{event.what}}', due: '3d' },
    { action: 'update_field', field: 'lead.title', value: 'Friend of {{firstName}}' },
    { action: 'assign_to_rep', members: [] },
    { action: 'push_notification', title: '{{firstName}} is here', to: 'admins' },
    { action: 'create_project', title: 'For {{firstName}}' },
    {
      action: 'generate_invoice',
      amount: '10',
      currency: 'EUR',
      description: 'For {{firstName}}',
      due: '1w',
    },
    { action: 'call_webhook', url: 'https://hooks.example.invalid/mock' },
    { action: 'schedule_call', due: '1d', note: 'About {{event.what}}' },
  ]

  test.for(nodes)('$action reads like the real one', async node => {
    const wanted = node.action === 'assign_to_rep' ? { ...node, members: [ada.user_id] } : node
    const grace = await lead({ first_name: 'Grace', timezone: 'Europe/Berlin' })
    const event = { what: 'tea' }
    const real = await acted(wanted, { lead: grace, event })
    const facts = { event, lead: grace }
    const about = {
      node: { type: 'action', ...wanted } as ActionNode,
      facts,
      lead: grace,
      zone: 'Europe/Berlin',
    }
    const mocked = await mock(ada.ctx, { ...about, nowMs: clock.now(), workflow })
    expect(mocked).toMatchObject({ ok: true, note: expect.stringMatching(/^Would /) })
    expect(real.input).toMatchObject(mocked.input!)
  })

  test.for(nodes)('$action shows what it would do without a lead, too', async node => {
    const wanted = node.action === 'assign_to_rep' ? { ...node, members: [ada.user_id] } : node
    const about = {
      node: { type: 'action', ...wanted } as ActionNode,
      facts: { event: {}, lead: null },
      lead: null,
    }
    expect(await mock(ada.ctx, { ...about, zone: 'UTC', nowMs: clock.now() })).toMatchObject({ ok: true })
  })

  test('what cannot work is told there already', async () => {
    const base = { facts: { event: {}, lead: null }, zone: 'UTC', nowMs: clock.now() }
    const bare = await lead({ email: null, phone: null })
    const fails = async (node: Node, lead: Lead | null = null) =>
      expect(
        await mock(ada.ctx, { ...base, node: { type: 'action', ...node } as ActionNode, lead }),
      ).toMatchObject({ ok: false })
    await fails({ action: 'send_email', template: 'intro' }, bare)
    await fails({ action: 'send_email', template: 'not_there' }, await lead())
    await fails({ action: 'send_email', template: 'follow_up' }, await lead())
    await fails({ action: 'send_sms', message: 'Hi' }, bare)
    const toBook = { action: 'send_sms', message: 'Book: {{meetingLink}}' } as const
    const meets = async (active: boolean) =>
      expect((await ada.browser.patch('/api/meetings/availability', { active })).status).toBe(200)
    await meets(false)
    await fails(toBook, await lead())
    expect(await act(toBook, { lead: await lead() })).toMatchObject({ ok: false })
    await meets(true)
    const orAnswer = { ...toBook, message: 'Book: {{meetingLink | default: "just answer"}}' }
    await acted(orAnswer, { lead: await lead() })
    await fails({ action: 'update_field', field: 'id', value: 'x' })
    await fails({ action: 'update_field', field: 'email', value: 'nobody' })
    await fails({ action: 'update_field', field: 'pipeline_stage', value: 'Nowhere' }, await lead())
    await fails({ action: 'assign_to_rep', member: newId() }, await lead())
    await fails({ action: 'push_notification', to: newId() }, await lead())
  })
})

test('one run does all ten, and its trace tells what each was given and what it made', async () => {
  const bob = await app.person()
  const nodes = [
    { action: 'assign_to_rep', members: [bob.user_id] },
    { action: 'update_field', field: 'pipeline_stage', value: 'Qualified' },
    { action: 'create_task', title: 'Welcome {{firstName}}', due: '1d' },
    { action: 'send_email', template: 'intro' },
    { action: 'send_sms', message: 'Hi {{firstName}}' },
    { action: 'push_notification', title: '{{firstName}} is here' },
    { action: 'create_project' },
    { action: 'generate_invoice', amount: '10', currency: 'EUR' },
    { action: 'call_webhook', url: 'https://hooks.example.invalid/all' },
    { action: 'schedule_call', due: '2d' },
  ]
  const { body: made } = await bob.browser.post('/api/crm/workflows', {
    name: 'All of it',
    trigger: 'lead.created',
    nodes: nodes.map(node => ({ type: 'action', ...node })),
  })
  const grace = { first_name: 'Grace', email: 'grace@all.example.test', phone: '+14155550000' }
  const { body: added } = await bob.browser.post('/api/crm/leads', grace)
  const run = await eventually(async () => {
    const { data } = (await bob.browser.get(`/api/crm/workflows/${made.id}/runs`)).body
    expect(data, JSON.stringify(data)).toMatchObject([{ status: 'DONE', lead_id: added.id }])
    return (await bob.browser.get(`/api/crm/workflows/runs/${data[0].id}`)).body
  })
  type Told = { action: string; outcome: string; input: object; result: object }
  expect(run.trace.map(({ action, outcome }: Told) => [action, outcome])).toEqual(
    nodes.map(({ action }) => [action, 'done']),
  )
  for (const { input, result } of run.trace as Told[]) {
    expect(Object.keys(input).length).toBeGreaterThan(0)
    expect(Object.keys(result).length).toBeGreaterThan(0)
  }
  // What a node has changed, the next one sees: the task is for the new owner.
  const { data: tasks } = (await bob.browser.get(`/api/crm/tasks?lead_id=${added.id}`)).body
  expect(tasks).toHaveLength(2)
  expect(tasks.every(({ assignee_id }: { assignee_id: string }) => assignee_id === bob.user_id)).toBe(true)
  await eventually(() => expect(app.mail.lastTo(grace.email)).toBeDefined())
})
