import { expect, test } from 'vitest'
import type { Lead } from '#domains/leads/contract.ts'
import { pauseAll, resumeAll } from '#domains/messages/settings.ts'
import { colleagueOf } from '#test/colleague.ts'
import { act, ada, api, app, clock, HOUR_MS, lead, onStage, workflow, type Node } from './actions.harness.ts'
import type { ActionNode } from './definition.ts'
import { mock } from './nodes/mocks.ts'

onStage()

const CONVERSATIONS = '/api/conversations'
const talking = async () => {
  const grace = await lead({ first_name: 'Grace', timezone: 'Europe/Berlin' })
  const letter = { channel: 'email', lead_id: grace.id, subject: 'Prices', text: 'Hello' }
  const { body } = await api.post(CONVERSATIONS, letter)
  return { grace, id: body.id as string }
}
const read = async (id: string) => (await api.get(`${CONVERSATIONS}/${id}`)).body
const mocked = (node: Node, lead: Lead | null) =>
  mock(ada.ctx, {
    node: { type: 'action', ...node } as ActionNode,
    facts: { event: {}, lead },
    lead,
    zone: 'Europe/Berlin',
    nowMs: clock.now(),
    workflow,
  })

test('reply continues the conversation as the workflow, on its channel', async () => {
  const { grace, id } = await talking()
  const node = { action: 'reply', message: 'Thank you, {{firstName}}' } as const
  const planned = await mocked(node, grace)
  expect(planned).toMatchObject({ ok: true, input: { message: 'Thank you, Grace' } })
  const did = await act(node, { lead: grace })
  expect(did).toMatchObject({
    ok: true,
    input: { message: 'Thank you, Grace' },
    result: { conversation_id: id },
  })
  const { data } = (await api.get(`${CONVERSATIONS}/${id}/messages`)).body
  expect(data[0]).toMatchObject({
    text: 'Thank you, Grace',
    channel: 'email',
    subject: 'Re: Prices',
    author: { kind: 'workflow', id: workflow.id, name: workflow.name },
  })
})

test('reply fills in nothing a second time: what it quotes of a stranger stays as it was written', async () => {
  const { grace, id } = await talking()
  const node = { action: 'reply', message: 'You wrote: {{event.text}}' } as const
  await act(node, { lead: grace, event: { text: '{{email}} {{nobody}}' } })
  const { data } = (await api.get(`${CONVERSATIONS}/${id}/messages`)).body
  expect(data[0]).toMatchObject({ text: 'You wrote: {{email}} {{nobody}}' })
})

test('reply waits while outreach is paused, and fails where nobody has talked yet', async () => {
  const node = { action: 'reply', message: 'Hello' } as const
  const { grace } = await talking()
  await pauseAll(ada.ctx)
  expect(await act(node, { lead: grace })).toMatchObject({ reason: expect.stringContaining('paused') })
  await resumeAll(ada.ctx)
  const silent = await lead()
  for (const answer of [await act(node, { lead: silent }), await mocked(node, silent)])
    expect(answer).toMatchObject({ ok: false, reason: 'There is no conversation with this lead yet.' })
  expect(await act(node)).toMatchObject({ ok: false, reason: 'This run has no lead.' })
  expect(await mocked(node, null)).toMatchObject({ ok: true })
})

test('update_conversation assigns, labels, closes and snoozes', async () => {
  const { grace, id } = await talking()
  const eve = await colleagueOf(app, ada, 'MEMBER')
  const update = (fields: object) => act({ action: 'update_conversation', ...fields }, { lead: grace })
  expect(await mocked({ action: 'update_conversation', label: 'VIP' }, grace)).toMatchObject({
    ok: true,
    note: 'Would update the conversation: labelled VIP.',
  })
  expect(await update({ assignee_id: eve.user_id, label: 'VIP' })).toMatchObject({
    ok: true,
    note: 'Conversation assigned, labelled VIP.',
  })
  await update({ label: 'VIP' })
  expect(await read(id)).toMatchObject({ assignee_id: eve.user_id, labels: ['VIP'] })
  await update({ snooze: '2h' })
  const snoozed_until = new Date(clock.now() + 2 * HOUR_MS).toISOString()
  expect(await read(id)).toMatchObject({ state: 'SNOOZED', snoozed_until })
  await update({ state: 'CLOSED' })
  expect(await read(id)).toMatchObject({ state: 'CLOSED', snoozed_until: null })
  const ava = (await api.post('/api/voice/agents', { name: 'Ava', instructions: 'x' })).body.id
  expect(await update({ agent_id: ava, agent_mode: 'draft' })).toMatchObject({
    note: 'Conversation given to an agent, agent drafts.',
  })
  expect(await read(id)).toMatchObject({ agent_id: ava, agent_mode: 'draft' })
  const stranger = await app.person()
  await expect(update({ assignee_id: stranger.user_id })).rejects.toThrow('is not a member of this team')
})

test.for([
  ['nothing to do', { state: 'KEEP' }, 'assignee_id'],
  ['a state and a snooze', { state: 'CLOSED', snooze: '2h' }, 'snooze'],
  ['a duration that is none', { snooze: 'soon' }, 'snooze'],
] as const)('a workflow with %s cannot be published', async ([, fields, path]) => {
  const nodes = [{ type: 'action', action: 'update_conversation', ...fields }]
  const reply = await api.post('/api/crm/workflows', { name: 'X', trigger: 'conversation.received', nodes })
  expect(reply.status).toBe(422)
  expect(reply.body.errors[0].path).toBe(`nodes[0].${path}`)
})
