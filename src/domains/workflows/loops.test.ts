import { afterAll, beforeAll, expect, test } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import { DEFAULT_TEXT } from '#domains/agents/values.ts'
import { HOUR_MS, openInbox, type Inbox } from '#domains/conversations/conversations.harness.ts'
import {
  AGENT_WAIT_MS,
  AUTOMATIC_CHAT_REPLIES_PER_HOUR,
  AUTOMATIC_REPLIES_PER_HOUR,
} from '#domains/conversations/values.ts'
import { say } from '#domains/conversations/saying.ts'
import { reply } from '#domains/conversations/answer.ts'
import { lockConversation } from '#domains/conversations/store.ts'
import { takeChat } from '#domains/conversations/chatting.ts'
import { mock } from './nodes/mocks.ts'

const clock = new FakeClock('2026-03-02T09:00:00Z')
const path = '/api/crm/workflows'
let inbox: Inbox

beforeAll(async () => {
  inbox = await openInbox(clock)
})
afterAll(() => inbox.close())

const api = () => inbox.ada.browser
const answered = async (conversation: string) =>
  (await inbox.thread(conversation)).filter(
    ({ direction, status }) => direction === 'out' && status === 'SENT',
  ).length

test('a machine that answers every reply of a workflow gets ten of them, and the run says why there are no more', async () => {
  const { body } = await api().post(path, {
    name: 'Thanks',
    trigger: 'conversation.received',
    nodes: [{ type: 'action', action: 'reply', message: 'Thank you, we will look at it.' }],
  })
  const lead = await inbox.lead({ email: 'robot@machine.example' })
  await inbox.hears(lead.email)
  const { id } = await inbox.of(lead.id)
  // It answers what it gets, until it gets nothing more.
  let rounds = 1
  for (let known = 0; rounds < 3 * AUTOMATIC_REPLIES_PER_HOUR; rounds++) {
    await inbox.out()
    const count = await answered(id)
    if (count === known) break
    known = count
    await inbox.hears(lead.email, `We have received message ${count}.`)
  }
  expect(rounds).toBe(AUTOMATIC_REPLIES_PER_HOUR + 1)
  expect(await answered(id)).toBe(AUTOMATIC_REPLIES_PER_HOUR)
  const runs = (await api().get(`${path}/${body.id}/runs`)).body.data
  expect(runs.filter(({ status }: { status: string }) => status === 'FAILED')).toHaveLength(1)
  const { trace, error } = (await api().get(`${path}/runs/${runs[0].id}`)).body
  expect(error).toContain(`already had ${AUTOMATIC_REPLIES_PER_HOUR} automatic replies within an hour`)
  expect(trace.at(-1)).toMatchObject({
    outcome: 'failed',
    input: { message: 'Thank you, we will look at it.' },
    note: error,
  })
  const [whole] = (await api().get(`/api/crm/leads?limit=200`)).body.data.filter(
    (one: any) => one.id === lead.id,
  )
  const node = { type: 'action', action: 'reply', message: 'Hi' } as const
  const about = { node, facts: { event: {}, lead: whole }, lead: whole, zone: 'UTC', nowMs: clock.now() }
  expect(await mock(inbox.ada.ctx, about as never)).toMatchObject({ ok: false, reason: error })

  // A person may write at any time, and an hour later a workflow as well.
  const person = await api().post(`/api/conversations/${id}/messages`, { kind: 'reply', text: 'Hello?' })
  expect(person.status, person.text).toBe(201)
  await inbox.pass(HOUR_MS)
  await inbox.hears(lead.email, 'Still there.')
  await inbox.out()
  expect(await answered(id)).toBe(AUTOMATIC_REPLIES_PER_HOUR + 2)
  await api().patch(`${path}/${body.id}`, { status: 'PAUSED' })
})

test('what was cancelled does not count, and an agent hands over where the limit holds', async () => {
  const agent = await api().post('/api/voice/agents', {
    name: 'Ava',
    instructions: 'x',
    text: { ...DEFAULT_TEXT, answers_max: 100, facts: 'Delivery of a machine takes nine working days.' },
  })
  const lead = await inbox.lead()
  await inbox.hears(lead.email)
  const { id } = await inbox.of(lead.id)
  const asWorkflow = inbox.ada.ctx.as({ kind: 'workflow', id: '0'.repeat(24), name: 'Thanks' })
  const written = async () =>
    asWorkflow.transaction(async ctx => {
      const row = (await lockConversation(ctx, id))!
      return (await reply(ctx, row, { channel: 'email', text: 'Hi', isFinished: true })).message_id
    })
  for (let count = 1; count < AUTOMATIC_REPLIES_PER_HOUR; count++) await written()
  const last = await written()
  await expect(written()).rejects.toMatchObject({ code: 'too_many_automatic_replies' })
  expect((await api().post(`/api/conversations/${id}/messages/${last}/cancel`)).status).toBe(200)
  await written()
  await api().patch(`/api/conversations/${id}`, { agent_id: agent.body.id, agent_mode: 'auto' })
  await inbox.hears(lead.email, 'How long does the delivery of a machine take?')
  await inbox.pass(AGENT_WAIT_MS)
  const { data } = (await api().get(`/api/conversations/${id}/agent-turns`)).body
  expect(data[0]).toMatchObject({
    outcome: 'handed_over',
    reason: expect.stringContaining('two machines may be answering each other'),
  })
  expect((await inbox.of(lead.id)).agent_mode).toBe('off')
})

test(`in a web chat there are ${AUTOMATIC_CHAT_REPLIES_PER_HOUR}`, async () => {
  const visitor = { address: 'chat:0123456789abcdef01234567', lead_id: null, name: null }
  const { conversation_id } = await takeChat(inbox.ada.ctx, visitor, {
    text: 'Hi',
    key: 'a-key-of-it',
    file_ids: [],
  })
  const asAgent = inbox.ada.ctx.as({ kind: 'agent', id: '0'.repeat(24), name: 'Ava' })
  await asAgent.transaction(async ctx => {
    for (let count = 0; count < AUTOMATIC_CHAT_REPLIES_PER_HOUR; count++) {
      const row = (await lockConversation(ctx, conversation_id!))!
      await reply(ctx, row, { channel: 'chat', text: 'Hello', isFinished: true })
    }
    const row = (await lockConversation(ctx, conversation_id!))!
    await expect(reply(ctx, row, { channel: 'chat', text: 'Hello' })).rejects.toMatchObject({
      code: 'too_many_automatic_replies',
    })
    // What is no answer, such as that a person takes over, is still said.
    await say(ctx, row, { channel: 'chat', text: 'A person takes over.', isAnswer: false })
  })
})
