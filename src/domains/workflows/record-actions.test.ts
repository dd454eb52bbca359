import { describe, expect, test } from 'vitest'
import { newId } from '#platform/ids.ts'
import { Problem } from '#platform/problem.ts'
import { getLead } from '#domains/leads/service.ts'
import { removeMember } from '#domains/identity/members.ts'
import { colleagueOf } from '#test/colleague.ts'
import { hostileTexts } from '#test/hostile.ts'
import { shareOf } from '#test/tier.ts'
import { actions } from './nodes/actions.ts'
import {
  act,
  actAll,
  acted,
  ada,
  anotherWorkflow,
  api,
  app,
  clock,
  counting,
  ctxOfPerson,
  eventsOf,
  lead,
  NOW,
  onStage,
  read,
  requestFor,
  some,
  workflow,
  type Node,
} from './actions.harness.ts'

onStage()

describe('create_task', () => {
  const node = { action: 'create_task' } as const
  const taskOf = async ({ result }: { result: Record<string, string> }) =>
    read(`/api/crm/tasks/${result.task_id}`)

  test('is for the owner of the lead, and told as the workflow’s doing', async () => {
    const grace = await lead({ first_name: 'Grace', last_name: 'Hopper', owner_id: ada.user_id })
    const done = await acted(node, { lead: grace })
    expect(await taskOf(done)).toMatchObject({
      title: 'Follow up with Grace Hopper',
      lead_id: grace.id,
      assignee_id: ada.user_id,
      due_at: null,
      status: 'TODO',
    })
    expect(await eventsOf(done.result.task_id!)).toEqual([
      { type: 'task.created', actor_kind: 'workflow', actor_id: workflow.id },
    ])
  })

  test('is due as the clock on the lead’s wall counts it, and a delay is no due date', async () => {
    const here = await lead({ timezone: 'Europe/Berlin' })
    const days = await acted({ ...node, delay: '1d', due: '3d' }, { lead: here })
    expect((await taskOf(days)).due_at).toBe('2026-03-30T08:00:00.000Z')
    expect(days.input.due_at).toBe('2026-03-30T08:00:00.000Z')
    const hours = await acted({ ...node, due: '2h' }, { lead: here })
    expect((await taskOf(hours)).due_at).toBe('2026-03-27T11:00:00.000Z')
    const waited = await acted({ ...node, delay: '2h' }, { lead: here })
    expect((await taskOf(waited)).due_at).toBeNull()
    const waits = await app.database.query(
      `select run_at from jobs where kind = 'tasks.overdue' and data ->> 'task_id' = $1`,
      [days.result.task_id],
    )
    expect(waits).toHaveLength(1)
  })

  test('is for nobody where whom it names has left, never was of the team, or nobody owns the lead', async () => {
    const leaver = await colleagueOf(app, ada, 'MEMBER')
    const stranger = await app.person()
    const theirs = await lead({ owner_id: leaver.user_id })
    await app.database.query('delete from memberships where user_id = $1', [leaver.user_id])
    for (const about of [
      { ...node },
      { ...node, assignee_id: leaver.user_id },
      { ...node, assignee_id: stranger.user_id },
    ]) {
      const done = await acted(about, { lead: theirs })
      expect(await taskOf(done)).toMatchObject({ assignee_id: null })
      expect(done.note).toContain('has left the team')
    }
    const done = await acted(node, { lead: await lead() })
    expect(done.note).toContain('Unassigned.')
    expect(await taskOf(done)).toMatchObject({ assignee_id: null })
  })

  test('has a title of one line whatever a stranger has typed', async () => {
    for (const text of [
      ...shareOf(hostileTexts, 0, 4),
      'two\nlines\r\n\tand a tab',
      '{{lastName}}',
      '😀'.repeat(400),
    ]) {
      const about = { lead: await lead(), event: { text } }
      const task = await taskOf(
        await acted({ ...node, title: '{{event.text}}', description: '{{event.text}}' }, about),
      )
      expect(task.title).toMatch(/^[^\p{Cc}\p{Cs}]{1,500}$/u)
      expect(task.title.length).toBeLessThanOrEqual(500)
    }
  })

  test('needs no lead, and is refused for one of another team', async () => {
    const { result } = await acted({ ...node, title: 'Look at it' })
    expect(await read(`/api/crm/tasks/${result.task_id}`)).toMatchObject({
      lead_id: null,
      title: 'Look at it',
    })
    const bob = await app.person()
    const { body } = await bob.browser.post('/api/crm/leads', { first_name: 'Theirs' })
    expect(await act(node, { lead: body })).toMatchObject({
      ok: false,
      reason: 'lead_id: is not a lead in this team',
    })
  })

  test('costs a batch of fifty few statements', async () => {
    const fifty = await some(50)
    const { counted, ctx } = counting(ada)
    const delayed = { ...node, due: '1d', assignee_id: ada.user_id }
    await actAll(
      delayed,
      fifty.map(lead => ({ lead })),
      ctx,
    )
    expect(counted.statements).toBeLessThanOrEqual(12)
    const made = await app.database.query('select from tasks where lead_id = any ($1)', [
      fifty.map(({ id }) => id),
    ])
    expect(made).toHaveLength(50)
  })
})

describe('update_field', () => {
  const node = { action: 'update_field', field: 'pipeline_stage', value: 'Engage_Human' } as const
  const set = (field: string, value: unknown, record?: string): Node => ({
    action: 'update_field',
    field,
    value,
    ...(record !== undefined && { record }),
  })

  test('changes the lead as a person would, and what follows sees it', async () => {
    const grace = await lead()
    const [request] = await ada.ctx.transaction(async ctx => {
      const request = requestFor(ctx, node, { lead: grace })
      expect(await actions.update_field(ctx, [request])).toMatchObject([
        { ok: true, result: { lead_id: grace.id } },
      ])
      return [request]
    })
    const after = await read(`/api/crm/leads/${grace.id}`)
    expect(after.pipeline_stage).toBe('Engage_Human')
    expect(request!.lead).toEqual(after)
    expect((await eventsOf(grace.id)).slice(1)).toEqual([
      { type: 'lead.changed', actor_kind: 'workflow', actor_id: workflow.id },
      { type: 'deal.stage_changed', actor_kind: 'workflow', actor_id: workflow.id },
    ])
  })

  test('takes texts with values in them, numbers, and nothing at all', async () => {
    const fields = [
      { key: 'plan', label: 'Plan', kind: 'text' },
      { key: 'seats', label: 'Seats', kind: 'number' },
      { key: 'vip', label: 'VIP', kind: 'checkbox' },
    ]
    const { status } = await ada.browser.patch('/api/crm/leads/settings', { custom_fields: fields })
    expect(status).toBe(200)
    clock.advance(5_000)
    const grace = await lead({ first_name: 'Grace', custom: { plan: 'Free', seats: 3 } })
    const about = { lead: grace, event: { seats: '12', lines: 'two\nlines' } }
    await acted(set('lead.title', 'Friend of {{firstName}}'), about)
    await acted(set('custom.seats', '{{event.seats}}'), about)
    await acted(set('source', '{{event.lines}}'), about)
    await acted(set('custom.vip', true), about)
    await acted(set('custom.plan', null), about)
    await acted(set('company', ''), about)
    expect(await read(`/api/crm/leads/${grace.id}`)).toMatchObject({
      title: 'Friend of Grace',
      source: 'two lines',
      company: null,
      custom: { seats: 12, vip: true },
    })
    expect((await read(`/api/crm/leads/${grace.id}`)).custom).not.toHaveProperty('plan')
  })

  test('answers what is wrong, and writes nothing', async () => {
    const grace = await lead()
    const stranger = await app.person()
    const wrong: [string, unknown, string][] = [
      ['pipeline_stage', 'Nowhere', 'must be one of'],
      ['email', 'not an address', 'email'],
      ['title', 'x'.repeat(501), 'title'],
      ['title', '{{event.nothing}}', 'must not be empty'],
      ['custom.nothing', '{{event.nothing}}', 'must not be empty'],
      ['owner_id', stranger.user_id, 'is not a member of this team'],
      ['custom.nothing', 'x', 'is not a custom field of this team'],
      ['custom', 'x', 'custom'],
      ['custom.__proto__', 'x', 'custom'],
      ['status', 7, 'status'],
      ['utm', ['a'], 'utm'],
      ...[
        'id',
        'team_id',
        'created_at',
        'deleted_at',
        '__proto__',
        'constructor',
        'lead.id',
        'utm.source',
        'custom.a.b',
      ].map((field): [string, unknown, string] => [field, 'x', 'can be set']),
    ]
    for (const [field, value, words] of wrong) {
      const answer = await act(set(field, value), { lead: grace })
      expect(answer, field).toMatchObject({ ok: false, reason: expect.stringContaining(words) })
    }
    expect(await read(`/api/crm/leads/${grace.id}`)).toEqual(grace)
    expect(await act(node)).toMatchObject({ ok: false, reason: 'This run has no lead.' })
  })

  test('several runs of one lead change it one after the other', async () => {
    const [grace, other] = [await lead(), await lead()]
    const answers = await ada.ctx.transaction(async ctx =>
      actions.update_field(ctx, [
        requestFor(ctx, set('title', 'First'), { lead: grace }),
        requestFor(ctx, set('pipeline_stage', 'Nowhere'), { lead: grace }),
        requestFor(ctx, set('company', 'Elsewhere'), { lead: other }),
        requestFor(ctx, set('title', 'Second'), { lead: grace }),
        requestFor(ctx, set('source', 'Workflow'), { lead: grace }),
      ]),
    )
    expect(answers.map(answer => 'ok' in answer && answer.ok)).toEqual([true, false, true, true, true])
    expect(await read(`/api/crm/leads/${grace.id}`)).toMatchObject({ title: 'Second', source: 'Workflow' })
    expect(await read(`/api/crm/leads/${other.id}`)).toMatchObject({ company: 'Elsewhere' })
    const told = await app.database.query<{ data: unknown }>(
      `select data from events where subject_id = $1 and type = 'lead.changed' order by id`,
      [grace.id],
    )
    expect(told.map(({ data }) => data)).toEqual([
      { before: { title: null }, after: { title: 'First' } },
      { before: { title: 'First' }, after: { title: 'Second' } },
      { before: { source: null }, after: { source: 'Workflow' } },
    ])
    expect(await getLead(ada.ctx, grace.id)).toMatchObject({ updated_at: expect.any(String) })
  })

  test('changes the deal, the task or the account that it is about, by their own rules', async () => {
    const account = (await api.post('/api/crm/accounts', { name: `Navy ${newId()}` })).body
    const grace = await lead({ account_id: account.id })
    const deal = (await api.post('/api/crm/opportunities', { name: 'Ships', lead_id: grace.id })).body
    const task = (await api.post('/api/crm/tasks', { title: 'Call', lead_id: grace.id })).body
    const ofDeal = { lead: grace, subject: { kind: 'opportunity', id: deal.id } }
    await acted(set('amount', 500, 'opportunity'), ofDeal)
    await acted(set('opportunity.stage', 'closed_lost', 'opportunity'), ofDeal)
    await acted(set('status', 'DONE', 'task'), { subject: { kind: 'task', id: task.id } })
    await acted(set('industry', 'Shipping', 'account'), { lead: grace })
    expect(await read(`/api/crm/opportunities/${deal.id}`)).toMatchObject({
      amount: '500',
      stage: 'closed_lost',
    })
    expect(await read(`/api/crm/tasks/${task.id}`)).toMatchObject({ status: 'DONE' })
    expect(await read(`/api/crm/accounts/${account.id}`)).toMatchObject({ industry: 'Shipping' })
    await expect(act(set('stage', 'proposal', 'opportunity'), ofDeal)).rejects.toThrow(Problem)
    expect(await act(set('stage', 'proposal', 'opportunity'), { lead: grace })).toMatchObject({
      ok: false,
      reason: 'The event is not about an opportunity.',
    })
    expect(await act(set('industry', 'x', 'account'), { lead: await lead() })).toMatchObject({
      ok: false,
      reason: 'The lead has no account.',
    })
    expect(await act(set('closed_at', NOW, 'opportunity'), ofDeal)).toMatchObject({ ok: false })
    expect(await act(set('position', 'a', 'task'), { subject: { kind: 'task', id: task.id } })).toMatchObject(
      { ok: false },
    )
  })

  test('reaches no record of another team', async () => {
    const bob = await app.person()
    const theirs = (await bob.browser.post('/api/crm/leads', { first_name: 'Theirs' })).body
    expect(await act(node, { lead: theirs })).toMatchObject({ ok: false, reason: 'No such lead.' })
    const deal = (await bob.browser.post('/api/crm/opportunities', { name: 'Theirs' })).body
    await expect(
      act(set('amount', '5', 'opportunity'), { subject: { kind: 'opportunity', id: deal.id } }),
    ).rejects.toThrow('No such opportunity.')
    expect((await bob.browser.get(`/api/crm/leads/${theirs.id}`)).body).toEqual(theirs)
  })

  test('costs a batch of fifty few statements, also where each gets another value', async () => {
    const fifty = await some(50)
    const { counted, ctx } = counting(ada)
    await actAll(
      set('title', 'Friend of {{firstName}}'),
      fifty.map(lead => ({ lead })),
      ctx,
    )
    expect(counted.statements).toBeLessThanOrEqual(12)
    expect(await read(`/api/crm/leads/${fifty[49]!.id}`)).toMatchObject({
      title: `Friend of ${fifty[49]!.first_name}`,
    })
  })
})

describe('assign_to_rep', () => {
  test('makes somebody the owner, and the next node sees it', async () => {
    const grace = await lead()
    await ada.ctx.transaction(async ctx => {
      const request = requestFor(ctx, { action: 'assign_to_rep', member: ada.user_id }, { lead: grace })
      expect(await actions.assign_to_rep(ctx, [request])).toMatchObject([
        { ok: true, result: { owner_id: ada.user_id } },
      ])
      expect(request.lead!.owner_id).toBe(ada.user_id)
    })
    expect(await read(`/api/crm/leads/${grace.id}`)).toMatchObject({ owner_id: ada.user_id })
    expect((await eventsOf(grace.id)).at(-1)).toEqual({
      type: 'lead.changed',
      actor_kind: 'workflow',
      actor_id: workflow.id,
    })
  })

  test('several take turns over all runs of a node, and whoever has left is passed over', async () => {
    const of = await anotherWorkflow()
    const [bea, cem] = [await colleagueOf(app, ada, 'MEMBER'), await colleagueOf(app, ada, 'MEMBER')]
    const members = [ada.user_id, bea.user_id, cem.user_id]
    const node = { action: 'assign_to_rep', members } as const
    const owners = async (count: number, path?: string) => {
      const abouts = (await some(count)).map(lead => ({ lead, of, ...(path && { path }) }))
      const answers = await actAll(node, abouts)
      return answers.map(answer => (answer as { result?: Record<string, unknown> }).result?.owner_id)
    }
    expect(await owners(2)).toEqual([ada.user_id, bea.user_id])
    expect(await owners(2)).toEqual([cem.user_id, ada.user_id])
    // Another node has turns of its own.
    expect(await owners(1, 'nodes[5]')).toEqual([ada.user_id])
    await removeMember(ctxOfPerson(ada), bea.user_id)
    expect(new Set(await owners(4))).toEqual(new Set([ada.user_id, cem.user_id]))
    // At the same time, nobody is given two where another has none.
    const many = (await Promise.all(Array.from({ length: 5 }, () => owners(2, 'nodes[9]')))).flat()
    expect(many.filter(id => id === cem.user_id)).toHaveLength(5)
  })

  test('fails where nobody of those it names is there, and is for no one of another team', async () => {
    const stranger = await app.person()
    const grace = await lead()
    for (const named of [{ member: stranger.user_id }, { members: [stranger.user_id, newId()] }])
      expect(await act({ action: 'assign_to_rep', ...named }, { lead: grace })).toMatchObject({
        ok: false,
        reason: 'None of the people named is still a member of this team.',
      })
    expect(await act({ action: 'assign_to_rep', member: ada.user_id })).toMatchObject({ ok: false })
    expect(await read(`/api/crm/leads/${grace.id}`)).toEqual(grace)
  })
})

describe('create_project', () => {
  const node = { action: 'create_project' } as const
  const deal = async (fields: object) =>
    (await api.post('/api/crm/opportunities', { name: 'Ships', ...fields })).body

  test('is for the account of the lead, and called after the lead', async () => {
    const account = (await api.post('/api/crm/accounts', { name: `Navy ${newId()}` })).body
    const grace = await lead({ first_name: 'Grace', last_name: 'Hopper', account_id: account.id })
    const { result, input } = await acted(node, { lead: grace })
    expect(input).toEqual({ name: 'Grace Hopper', account_id: account.id })
    expect(await read(`/api/crm/projects/${result.project_id}`)).toMatchObject({
      name: 'Grace Hopper',
      account_id: account.id,
    })
    const named = await acted({ ...node, title: 'Onboarding of {{firstName}}\n' }, { lead: grace })
    expect(await read(`/api/crm/projects/${named.result.project_id}`)).toMatchObject({
      name: 'Onboarding of Grace',
    })
    await api.delete(`/api/crm/accounts/${account.id}`)
    const later = await acted(node, { lead: grace })
    expect(await read(`/api/crm/projects/${later.result.project_id}`)).toMatchObject({ account_id: null })
    expect(await act(node)).toMatchObject({ ok: false })
  })

  test('is made once of a deal that is won', async () => {
    const won = await deal({ stage: 'closed_won' })
    const about = { lead: await lead(), subject: { kind: 'opportunity', id: won.id } }
    const { result } = await acted(node, about)
    expect(await read(`/api/crm/projects/${result.project_id}`)).toMatchObject({
      name: 'Ships',
      opportunity_id: won.id,
    })
    expect(await act(node, about)).toMatchObject({ ok: true, skipped: true })
    const open = await deal({})
    expect(await act(node, { subject: { kind: 'opportunity', id: open.id } })).toMatchObject({
      ok: false,
      reason: 'This deal is not won, so no project was created.',
    })
    const bob = await app.person()
    const theirs = (await bob.browser.post('/api/crm/opportunities', { name: 'Theirs', stage: 'closed_won' }))
      .body
    expect(await act(node, { subject: { kind: 'opportunity', id: theirs.id } })).toMatchObject({ ok: false })
  })
})
