import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { DEFAULT_TEXT } from '#domains/agents/values.ts'
import { LEASE_MS } from '#platform/jobs/limits.ts'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import { startProgram } from '#test/command-line.ts'
import { eventually } from '#test/eventually.ts'
import { startHttp } from '#test/http-server.ts'
import { hold, waitingForLocks } from '#test/locks.ts'
import { setChatAgent, takeChat } from './chatting.ts'
import { AGENT_WAIT_MS } from './values.ts'

const WORKER = new URL('../workflows/worker.child.ts', import.meta.url).pathname
const DAY_MS = 86_400_000
const ANSWER = 'You are booked, see you then.'
const PATIENCE_MS = 60_000

const folder = await mkdtemp(join(tmpdir(), 'rapport-agent-'))
let app: TestApp
let ada: Person
let model: Awaited<ReturnType<typeof startHttp>>
let agent_id = ''
let visitors = 0

beforeAll(async () => {
  // Asks for two tools, and answers once it has their results.
  model = await startHttp(({ body }) => {
    const { messages } = JSON.parse(body) as { messages: { role: string }[] }
    const isTold = messages.some(({ role }) => role === 'tool')
    return { body: { model: 'booker-1', choices: [{ message: isTold ? answer : wish() }] } }
  })
  app = await startApp({ role: 'api' })
  ada = await app.person()
  const made = await ada.browser.post('/api/voice/agents', {
    name: 'Ava',
    instructions: 'Book meetings.',
    tools: ['schedule_meeting', 'update_field'],
    text: DEFAULT_TEXT,
  })
  expect(made.status, made.text).toBe(201)
  agent_id = made.body.id
})
afterAll(async () => {
  await app.close()
  await model.close()
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
})
beforeEach(() => void (model.heard.length = 0))

const answer = { content: JSON.stringify({ text: ANSWER, used: [], confidence: 1, topic: null }) }

function wish() {
  const wanted = [
    ['update_field', { field: 'title', value: 'Head of lifts' }],
    ['schedule_meeting', { startsAt: bookable() }],
  ] as const
  const tool_calls = wanted.map(([name, given], at) => ({
    id: `t${at}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(given) },
  }))
  return { content: null, tool_calls }
}

/** Ten o'clock of a working day that is not too near; each visitor has one of their own. */
function bookable(): string {
  const at = new Date(Date.now() + (2 + visitors * 7) * DAY_MS)
  while ([0, 6].includes(at.getUTCDay())) at.setTime(at.getTime() + DAY_MS)
  return `${at.toISOString().slice(0, 10)}T10:00:00Z`
}

/** A lead who asks in a web chat whose agent answers on its own. */
async function asked(): Promise<{ lead_id: string; conversation_id: string }> {
  const n = ++visitors
  const lead = await ada.browser.post('/api/crm/leads', {
    first_name: 'Dana',
    email: `dana${n}@lifts.example`,
    timezone: 'UTC',
    owner_id: ada.user_id,
  })
  const lead_id = lead.body.id as string
  const visitor = { address: `chat:${String(n).padStart(24, '0')}`, lead_id, name: null }
  const { conversation_id } = await takeChat(ada.ctx, visitor, {
    text: 'I am head of lifts. Book me in, please.',
    key: 'the-question',
    file_ids: [],
  })
  await setChatAgent(ada.ctx, visitor, { agent_id, agent_mode: 'auto' })
  return { lead_id, conversation_id: conversation_id! }
}

/** A worker in a process of its own, which knows that model. Ahead by a lease, it takes up what a dead one had in hand. */
async function startWorker(aheadMs: number): Promise<ChildProcess> {
  const env = { OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: model.url }
  const words = [app.database.loginUrl, folder, String(aheadMs), JSON.stringify(env)]
  const child = await startProgram(WORKER, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** The process is gone, and so is what it had begun in the database. */
async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
  await app.database.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
  )
  await eventually(async () => expect(await waitingForLocks(app.database)).toBe(0), PATIENCE_MS)
}

const turns = (id: string) =>
  app.database.query(`select outcome from conversation_agent_turns where conversation_id = $1`, [id])
const agentJobs = () => app.database.query(`select id from jobs where kind = 'conversations.agent'`)

/** What the visitor has got and what the tools have done, after another worker has taken over. */
async function expectOnce({ lead_id, conversation_id }: Awaited<ReturnType<typeof asked>>): Promise<void> {
  const next = await startWorker(AGENT_WAIT_MS + LEASE_MS)
  await eventually(async () => expect(await agentJobs()).toEqual([]), PATIENCE_MS)
  next.kill('SIGKILL')
  expect(await turns(conversation_id)).toEqual([{ outcome: 'answered' }])
  const { data } = (await ada.browser.get(`/api/conversations/${conversation_id}/messages`)).body
  const said = data.filter(({ direction }: { direction: string }) => direction === 'out')
  expect(said).toMatchObject([
    { text: expect.stringContaining(ANSWER), author: { kind: 'agent', id: agent_id } },
  ])
  const meetings = await app.database.query('select id from meetings where lead_id = $1', [lead_id])
  expect(meetings).toHaveLength(1)
  const changes = await app.database.query(
    `select data -> 'after' ->> 'title' as title from events where type = 'lead.changed' and subject_id = $1 and data -> 'after' ? 'title'`,
    [lead_id],
  )
  expect(changes).toEqual([{ title: 'Head of lifts' }])
  const sent = await app.database.query(
    `select id from events where type = 'conversation.sent' and subject_id = $1`,
    [conversation_id],
  )
  expect(sent).toHaveLength(1)
}

test('a worker killed between the answer of the model and the commit: the visitor gets one answer, and each tool did its work once', async () => {
  const chat = await asked()
  const held = await hold(
    app.database,
    `select from conversations where id = '${chat.conversation_id}' for update`,
  )
  const worker = await startWorker(AGENT_WAIT_MS)
  await eventually(async () => {
    expect(model.heard).toHaveLength(2)
    expect(await waitingForLocks(app.database)).toBe(1)
  }, PATIENCE_MS)
  await kill(worker)
  await held.letGo()
  expect(await turns(chat.conversation_id)).toEqual([])
  await expectOnce(chat)
  // The next one had to ask the model again.
  expect(model.heard).toHaveLength(4)
})

test('a worker killed after the commit and before its job is completed: nothing is said or done again', async () => {
  const chat = await asked()
  await app.database.query(`
    create function wait_at_the_end() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared(46);
      return old;
    end $$;
    create trigger wait_at_the_end before delete on jobs for each row
      when (old.kind = 'conversations.agent') execute function wait_at_the_end()`)
  const held = await hold(app.database, 'select pg_advisory_xact_lock(46)')
  const worker = await startWorker(AGENT_WAIT_MS)
  await eventually(async () => {
    expect(await turns(chat.conversation_id)).toEqual([{ outcome: 'answered' }])
    expect(await waitingForLocks(app.database)).toBe(1)
  }, PATIENCE_MS)
  await kill(worker)
  await held.letGo()
  expect(await agentJobs()).toHaveLength(1)
  await expectOnce(chat)
  expect(model.heard).toHaveLength(2)
})
