import { afterAll, beforeAll, expect, test } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import { colleagueOf } from '#test/colleague.ts'
import { takeChat } from './chatting.ts'
import { asksForPerson, languageOf } from './agent-words.ts'
import { CONVERSATIONS, DAY_MS, HOUR_MS, openInbox, type Inbox } from './conversations.harness.ts'
import { AGENT_WAIT_MS, PERSON_WROTE_MS, UNDO_MS } from './values.ts'

let inbox: Inbox
const clock = new FakeClock()
let agent: { id: string; name: string }

const TEXT = {
  answers_max: 5,
  hours: null,
  topics: [],
  confidence_min: 0.6,
  facts: 'Our office is in Lisbon, near the river.\nDelivery of a machine takes nine working days.',
  says_it_is_ai: false,
}

beforeAll(async () => {
  inbox = await openInbox(clock)
  const { browser } = inbox.ada
  agent = await newAgent()
  await browser.patch(`${CONVERSATIONS}/settings`, { agents_say_ai: false })
  await browser.post(`${CONVERSATIONS}/saved-replies`, {
    name: 'Prices and cost',
    text: 'It costs ten a month.',
  })
})
afterAll(() => inbox.close())

async function newAgent(text: object = {}, tools: unknown[] = []) {
  const body = { name: 'Ava', instructions: 'Be kind.', text: { ...TEXT, ...text }, tools }
  const reply = await inbox.ada.browser.post('/api/voice/agents', body)
  expect(reply).toMatchObject({ status: 201 })
  return reply.body as { id: string; name: string }
}

/** A lead with a conversation that its agent has, in which nothing waits. */
async function talking(agent_mode: string, who = agent, fields: object = {}) {
  const lead = await inbox.lead(fields)
  await inbox.hears(lead.email, 'Hello')
  const { id } = await inbox.of(lead.id)
  await inbox.ada.browser.patch(`${CONVERSATIONS}/${id}`, { state: 'CLOSED' })
  const change = { agent_id: who.id, agent_mode }
  expect(await inbox.ada.browser.patch(`${CONVERSATIONS}/${id}`, change)).toMatchObject({ status: 200 })
  const hears = async (text: string) => {
    await inbox.hears(lead.email, text)
    await inbox.pass(AGENT_WAIT_MS)
  }
  return { id, lead, hears }
}

const read = async (id: string) => (await inbox.ada.browser.get(`${CONVERSATIONS}/${id}`)).body
const draftOf = async (id: string) => (await inbox.ada.browser.get(`${CONVERSATIONS}/${id}/draft`)).body
const turnsOf = async (id: string) =>
  (await inbox.ada.browser.get(`${CONVERSATIONS}/${id}/agent-turns`)).body.data
const lastOut = async (id: string) =>
  (await inbox.thread(id)).find(({ kind, direction }) => kind === 'message' && direction === 'out')
const lastNote = async (id: string) => (await inbox.thread(id)).find(({ kind }) => kind === 'note')

test('a draft is kept for people, is about the last message, and is gone once somebody answers', async () => {
  const { id, hears } = await talking('draft')
  expect(await draftOf(id)).toMatchObject({ text: null, agent: null, sources: [] })
  await hears('What does it cost, the prices?')
  const [asked] = await inbox.thread(id)
  expect(await draftOf(id)).toMatchObject({
    text: 'It costs ten a month.',
    agent: { id: agent.id, name: 'Ava' },
    message_id: asked!.id,
    sources: [{ kind: 'saved_reply', name: 'Prices and cost' }],
    model: 'rules-1',
  })
  expect(await read(id)).toMatchObject({ state: 'OPEN', agent_mode: 'draft' })

  await inbox.ada.browser.post(`${CONVERSATIONS}/${id}/messages`, { kind: 'reply', text: 'Ten.' })
  expect(await draftOf(id)).toMatchObject({ text: null })
  await hears('And how many working days does delivery take?')
  expect(await draftOf(id)).toMatchObject({
    text: 'Delivery of a machine takes nine working days.',
    sources: [{ kind: 'facts', id: null }],
  })
  expect(await turnsOf(id)).toMatchObject([{ outcome: 'drafted' }, { outcome: 'drafted' }])

  const other = await talking('draft')
  await other.hears('What does it cost, the prices?')
  const viewer = await colleagueOf(inbox.app, inbox.ada, 'VIEWER')
  expect((await viewer.browser.delete(`${CONVERSATIONS}/${other.id}/draft`)).status).toBe(403)
  expect((await inbox.ada.browser.delete(`${CONVERSATIONS}/${other.id}/draft`)).status).toBe(204)
  expect(await draftOf(other.id)).toMatchObject({ text: null })
})

test('answers the whole of what was said, once, with the time to take it back', async () => {
  const { id, lead } = await talking('auto')
  const before = inbox.ports.writer.conversed.length
  await inbox.hears(lead.email, 'Hello again')
  await inbox.pass(AGENT_WAIT_MS - 1)
  await inbox.hears(lead.email, 'What does it cost, the prices?')
  await inbox.pass(AGENT_WAIT_MS - 1)
  expect(await lastOut(id)).toBeUndefined()
  await inbox.pass(1)
  expect(inbox.ports.writer.conversed.length - before).toBe(1)
  expect(inbox.ports.writer.conversed.at(-1)!.history.map(({ text }) => text)).toEqual([
    'Hello',
    'Hello again',
    'What does it cost, the prices?',
  ])
  const sent = await lastOut(id)
  expect(sent).toMatchObject({
    text: 'It costs ten a month.',
    author: { kind: 'agent', id: agent.id, name: 'Ava' },
    status: 'DUE',
    subject: 'Re: A question',
  })
  expect(await read(id)).toMatchObject({ state: 'WAITING', agent_mode: 'auto', answer_due_at: null })
  await inbox.pass(UNDO_MS)
  const mail = inbox.app.mail.lastTo(lead.email)!
  expect(mail).toMatchObject({ text: 'It costs ten a month.' })
  expect(mail).not.toHaveProperty('unsubscribe_url')
  expect(await turnsOf(id)).toMatchObject([
    { outcome: 'answered', reply_id: sent!.id, confidence: expect.any(Number), tools: [], tokens_in: 0 },
  ])
})

test('a person who answers first, or takes the conversation, is not answered over', async () => {
  const { id, lead } = await talking('auto')
  await inbox.hears(lead.email, 'What does it cost, the prices?')
  await inbox.ada.browser.post(`${CONVERSATIONS}/${id}/messages`, { kind: 'reply', text: 'I look.' })
  await inbox.pass(AGENT_WAIT_MS)
  expect(await turnsOf(id)).toEqual([])

  // Within the quarter of an hour it only drafts.
  await inbox.hears(lead.email, 'What does it cost, the prices?')
  await inbox.pass(AGENT_WAIT_MS)
  expect(await draftOf(id)).toMatchObject({ text: 'It costs ten a month.' })
  expect(await turnsOf(id)).toMatchObject([
    { mode: 'draft', outcome: 'drafted', reason: 'A person wrote within the last 15 minutes.' },
  ])
  await inbox.pass(PERSON_WROTE_MS + HOUR_MS)
  await inbox.hears(lead.email, 'What does it cost, the prices?')
  await inbox.pass(AGENT_WAIT_MS)
  expect(await turnsOf(id)).toMatchObject([{ outcome: 'answered' }, { outcome: 'drafted' }])
})

test('what comes in while the model thinks takes the place of what it came to', async () => {
  const { id, lead } = await talking('auto')
  const { writer } = inbox.ports
  const { converse } = writer
  writer.converse = async task => {
    writer.converse = converse
    await inbox.ada.browser.patch(`${CONVERSATIONS}/${id}`, { agent_mode: 'off' })
    return converse(task)
  }
  await inbox.hears(lead.email, 'What does it cost, the prices?')
  await inbox.pass(AGENT_WAIT_MS)
  expect(await turnsOf(id)).toMatchObject([{ outcome: 'replaced' }])
  expect(await lastOut(id)).toBeUndefined()
  // Given back, the agent answers what still waits.
  await inbox.ada.browser.patch(`${CONVERSATIONS}/${id}`, { agent_mode: 'auto' })
  await inbox.pass(AGENT_WAIT_MS)
  expect(await turnsOf(id)).toMatchObject([{ outcome: 'answered' }, { outcome: 'replaced' }])
})

test.for([
  ['a person asked for', {}, 'Please let me talk to a human.', 'They asked for a person.'],
  ['nothing it knows', {}, 'Bananas?', 'Nothing that the agent may answer from fits this message.'],
  [
    'something it is not sure of',
    { confidence_min: 0.95 },
    'What does it cost, the prices?',
    'The agent is not sure enough of its answer.',
  ],
  [
    'another topic',
    { topics: ['delivery'] },
    'What does it cost, the prices?',
    'It is not one of the topics that the agent may answer about.',
  ],
  [
    'hours that are over',
    { hours: { timezone: 'UTC', spans: [{ day: 7, from: '00:00', until: '00:01' }] } },
    'What does it cost, the prices?',
    "It is outside the agent's hours.",
  ],
  [
    'no answers left',
    { answers_max: 0 },
    'What does it cost, the prices?',
    'The agent has given all the answers that it may give in a conversation.',
  ],
] as const)('%s is for a person: the agent hands over', async ([, text, asked, reason]) => {
  const { id, hears, lead } = await talking('auto', await newAgent(text))
  await hears(asked)
  expect(await read(id)).toMatchObject({ state: 'OPEN', agent_mode: 'off' })
  const note = await lastNote(id)
  expect(note).toMatchObject({ author: { kind: 'agent', name: 'Ava' } })
  for (const part of [`Ava handed over: ${reason}`, lead.email, asked, 'No agent has answered here.'])
    expect(note!.text).toContain(part)
  expect(await lastOut(id)).toBeUndefined()
  expect(await turnsOf(id)).toMatchObject([{ outcome: 'handed_over', reason, asked }])
})

test('after the last answer a person takes over; the next agent begins to count again', async () => {
  const { id, lead, hears } = await talking('auto', await newAgent({ answers_max: 1 }))
  await inbox.ada.browser.patch(`${CONVERSATIONS}/${id}`, { assignee_id: null })
  const eve = await colleagueOf(inbox.app, inbox.ada, 'MEMBER')
  const viewer = await colleagueOf(inbox.app, inbox.ada, 'VIEWER')
  await hears('What does it cost, the prices?')
  await inbox.pass(DAY_MS)
  await hears('And what does it cost, the prices, for two?')
  expect(await turnsOf(id)).toMatchObject([{ outcome: 'handed_over' }, { outcome: 'answered' }])
  expect((await lastNote(id))!.text).toContain('Ava answered last: It costs ten a month.')
  // Nobody has it: everybody who can answer is told.
  const title = `Ava handed over Grace ${(await inbox.ada.browser.get(`/api/crm/leads/${lead.id}`)).body.last_name}`
  for (const [person, times] of [
    [inbox.ada, 1],
    [eve, 1],
    [viewer, 0],
  ] as const) {
    const { data } = (await person.browser.get('/api/notifications')).body
    expect(data.filter((notice: { title: string }) => notice.title === title)).toHaveLength(times)
  }
  const events = await inbox.app.database.query(
    `select data from events where type = 'conversation.handed_over' and subject_id = $1`,
    [id],
  )
  expect(events).toMatchObject([{ data: { agent_id: expect.any(String), channel: 'email', before: 'auto' } }])
  await inbox.ada.browser.patch(`${CONVERSATIONS}/${id}`, { agent_mode: 'auto' })
  await inbox.pass(AGENT_WAIT_MS)
  expect((await turnsOf(id))[0]).toMatchObject({ outcome: 'answered' })
})

test('is silent to machines and suppressed addresses, and outreach that is paused stops it', async () => {
  const { id, lead } = await talking('auto')
  await inbox.mail({ from: lead.email, kind: 'automatic', text: 'I am away until Monday.' })
  await inbox.pass(AGENT_WAIT_MS)
  expect(await turnsOf(id)).toEqual([])
  const address = { email: lead.email }
  expect((await inbox.ada.browser.post('/api/outreach/suppressions', address)).status).toBeLessThan(300)
  await inbox.hears(lead.email, 'What does it cost, the prices?')
  await inbox.pass(AGENT_WAIT_MS)
  expect(await turnsOf(id)).toMatchObject([
    { outcome: 'handed_over', reason: expect.stringContaining('suppression list') },
  ])
})

test('says that it is an AI in its first answer, unless both the agent and the team leave it out', async () => {
  const { browser } = inbox.ada
  await browser.patch(`${CONVERSATIONS}/settings`, { agents_say_ai: true })
  const german = await talking('auto')
  await german.hears('Was kostet das und wie sind die Preise, cost and prices?')
  expect((await lastOut(german.id))!.text).toBe(
    'Ich bin Ava, ein KI-Assistent des Teams.\n\nIt costs ten a month.',
  )
  await inbox.pass(HOUR_MS)
  await german.hears('What does it cost, the prices?')
  expect((await lastOut(german.id))!.text).toBe('It costs ten a month.')
  await browser.patch(`${CONVERSATIONS}/settings`, { agents_say_ai: false })
  const honest = await talking('auto', await newAgent({ says_it_is_ai: true }))
  await honest.hears('What does it cost, the prices?')
  expect((await lastOut(honest.id))!.text).toContain('I am Ava, an AI assistant of the team.')
})

test('a model that is away leaves it to the rules; a job that runs again says nothing twice', async () => {
  const { id, lead } = await talking('auto')
  inbox.ports.writer.faults.push(new Error('the model is away'))
  await inbox.hears(lead.email, 'What does it cost, the prices?')
  await inbox.pass(AGENT_WAIT_MS)
  const [turn] = await turnsOf(id)
  expect(turn).toMatchObject({ outcome: 'answered', fell_back: 'The model did not answer.' })
  const data = { conversation_id: id, entry_id: turn.message_id }
  const job = {
    id: turn.id,
    kind: 'conversations.agent',
    team_id: inbox.ada.team_id,
    data,
    run_at: new Date(),
  }
  await inbox.app.database.query(
    `insert into jobs (id, kind, team_id, data, run_at, outgoing, created_at) values ($1, $2, $3, $4, $5, true, $5)`,
    [job.id, job.kind, job.team_id, JSON.stringify(job.data), new Date(clock.now()).toISOString()],
  )
  await inbox.pass(AGENT_WAIT_MS)
  expect(await turnsOf(id)).toHaveLength(1)
  const sent = (await inbox.thread(id)).filter(({ direction }) => direction === 'out')
  expect(sent).toHaveLength(1)
})

test('new conversations have the agent of their mailbox, else of the team; a person decides afterwards', async () => {
  const { browser } = inbox.ada
  const settings = (change: object) => browser.patch(`${CONVERSATIONS}/settings`, change)
  expect((await settings({ agent_mode: 'auto' })).body.errors).toEqual([
    { path: 'agent_mode', message: 'needs an agent: set agent_id' },
  ])
  const trashed = await newAgent()
  await browser.delete(`/api/voice/agents/${trashed.id}`)
  expect((await settings({ agent_id: trashed.id })).body.errors[0].path).toBe('agent_id')
  await settings({ agent_id: agent.id, agent_mode: 'draft' })
  const lead = await inbox.lead()
  await inbox.hears(lead.phone, 'What does it cost, the prices?')
  await inbox.pass(AGENT_WAIT_MS)
  const begun = await inbox.of(lead.id)
  expect(begun).toMatchObject({ channel: 'sms', agent_id: agent.id, agent_mode: 'draft' })
  expect(await draftOf(begun.id)).toMatchObject({ text: 'It costs ten a month.' })
  await browser.patch(`${CONVERSATIONS}/${begun.id}`, { agent_id: null, agent_mode: 'off' })
  await inbox.hears(lead.phone, 'And?')
  expect(await inbox.of(lead.id)).toMatchObject({ agent_id: null, agent_mode: 'off' })
  await settings({ agent_id: null, agent_mode: 'off' })
})

test('a chat is answered at once from what was said in it alone, and hands over with one honest line', async () => {
  const lead = await inbox.lead({ first_name: 'Victor', company: 'Secret Ltd' })
  await inbox.hears(lead.email, 'My secret plan: what does it cost?')
  const { browser, ctx } = inbox.ada
  const { id } = await inbox.of(lead.id)
  await browser.patch(`${CONVERSATIONS}/${id}`, { agent_id: agent.id, agent_mode: 'auto' })
  await inbox.pass(AGENT_WAIT_MS)
  const visitor = { address: `chat:${'a'.repeat(24)}`, lead_id: lead.id, name: null }
  const says = async (text: string, key: string) => {
    await takeChat(ctx, visitor, { text, key, file_ids: [] })
    await inbox.settled()
    await inbox.pass(AGENT_WAIT_MS)
  }
  await says('What does it cost, the prices?', '1')
  const task = inbox.ports.writer.conversed.at(-1)!
  expect(task.history).toEqual([{ by: 'them', text: 'What does it cost, the prices?' }])
  expect(JSON.stringify(task)).not.toMatch(/Secret|Victor/)
  const said = async () => (await inbox.thread(id)).filter(({ channel }) => channel === 'chat')
  expect((await said())[0]).toMatchObject({ direction: 'out', status: 'SENT', text: 'It costs ten a month.' })
  await says('Puis-je parler à un humain ?', '2')
  expect((await said())[0]).toMatchObject({
    author: { kind: 'agent' },
    text: expect.stringContaining('Je transmets votre demande'),
  })
  const after = await read(id)
  expect(after).toMatchObject({ state: 'OPEN', agent_mode: 'off' })
  // Nobody has answered yet: closed and opened again, it still waits.
  const waits = await inbox.app.database.query(`select unanswered_since from conversations where id = $1`, [
    id,
  ])
  expect(waits[0]!.unanswered_since).not.toBeNull()
})

test.for([
  ['I want to talk to a real person', true],
  ['can I speak with someone?', true],
  ['Ich möchte mit einem Menschen sprechen', true],
  ['Je voudrais parler à une personne', true],
  ['Quiero hablar con una persona', true],
  ['I talk to many people about prices of agents', false],
  ['Der Mensch von gestern war nett', false],
] as const)('%s: asks for a person: %s', ([text, wanted]) => {
  expect(asksForPerson(text)).toBe(wanted)
})

test('knows the language of a short text', () => {
  expect(
    ['What is the price?', 'Was ist der Preis?', 'Combien est le prix ?', '¿Cuánto es el precio?'].map(
      languageOf,
    ),
  ).toEqual(['en', 'de', 'fr', 'es'])
})
