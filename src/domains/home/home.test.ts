import { afterAll, beforeAll, expect, test } from 'vitest'
import { t } from '#platform/contract.ts'
import { defineEvent, record } from '#platform/events.ts'
import { newId } from '#platform/ids.ts'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import { colleagueOf } from '#test/colleague.ts'
import { inOrder } from '#test/in-order.ts'

inOrder()

let app: TestApp
let ada: Person
const HOUR_MS = 3_600_000

beforeAll(async () => {
  app = await startApp({ role: 'api' })
  ada = await app.person()
})
afterAll(() => app.close())

const home = async (who = ada, query = '') => (await who.browser.get(`/api/crm/home${query}`)).body
const at = (ms: number) => new Date(Date.now() + ms).toISOString()

test('a new team sees zeros and every stage, not an error', async () => {
  const body = await home()
  expect(body).toMatchObject({
    tasks: { overdue: 0, today: 0 },
    replies: { count: 0, latest: [] },
    failures: { jobs: 0, imports: 0, invitations: 0, messages: 0, payments: 0, workflows: [] },
    forecast: [],
  })
  expect(body.funnel).toHaveLength(7)
  expect(body.deals).toHaveLength(6)
})

test('tasks are counted for who asks, overdue and until the end of the day that is asked for', async () => {
  const task = (fields: object) =>
    ada.browser.post('/api/crm/tasks', { title: 'T', assignee_id: ada.user_id, ...fields })
  await task({ due_at: at(-HOUR_MS) })
  await task({ due_at: at(HOUR_MS) })
  await task({ due_at: at(5 * HOUR_MS) })
  await task({ due_at: at(HOUR_MS), status: 'DONE' })
  await task({ due_at: at(HOUR_MS), assignee_id: null })
  expect((await home(ada, `?until=${at(2 * HOUR_MS)}`)).tasks).toEqual({ overdue: 1, today: 1 })
  expect((await home()).tasks).toEqual({ overdue: 1, today: 2 })
})

test('answers of leads within a week are counted and named', async () => {
  const replied = defineEvent('email.replied', t.Object({}))
  const lead = (await ada.browser.post('/api/crm/leads', { first_name: 'Grace', last_name: 'Hopper' })).body
  await ada.ctx.transaction(async ctx => {
    record(ctx, replied, { kind: 'lead', id: lead.id, lead_id: lead.id }, {})
  })
  expect((await home()).replies).toMatchObject({
    count: 1,
    latest: [{ lead_id: lead.id, lead_name: 'Grace Hopper' }],
  })
})

test('what failed for good is shown to an ADMIN, and to nobody who could do nothing about it', async () => {
  await app.database.query(
    `insert into jobs (id, kind, team_id, run_at, attempts, state, last_error, failed_at)
     values ($1, 'test.broken', $2, now(), 10, 'dead', 'it broke', now())`,
    [newId(), ada.team_id],
  )
  await ada.browser.post('/api/team/invitations', { email: 'x@example.test', role: 'MEMBER' })
  await app.database.query(`update invitations set mail_status = 'FAILED' where team_id = $1`, [ada.team_id])
  expect((await home()).failures).toEqual({
    jobs: 1,
    imports: 0,
    invitations: 1,
    messages: 0,
    payments: 0,
    workflows: [],
  })
  const member = await colleagueOf(app, ada, 'MEMBER')
  expect((await home(member)).failures).toEqual({
    jobs: 0,
    imports: 0,
    invitations: 0,
    messages: 0,
    payments: 0,
    workflows: [],
  })
})

test('messages to leads that may not have been sent are counted for who can do something about them', async () => {
  const lead = (
    await ada.browser.post('/api/crm/leads', { first_name: 'Grace', email: 'grace@example.test' })
  ).body
  for (const status of ['FAILED', 'UNKNOWN', 'SENT']) {
    await app.database.query(
      `insert into messages (team_id, id, channel, lead_id, address, links, thread, status, source_kind, due_at, created_at, trouble_at)
       values ($1, $2, 'email', $3, 'grace@example.test', '[]', '[]', $4, 'person', now(), now(),
         case when $4 = 'SENT' then null else now() end)`,
      [ada.team_id, newId(), lead.id, status],
    )
  }
  expect((await home()).failures.messages).toBe(2)
  expect((await home(await colleagueOf(app, ada, 'VIEWER'))).failures.messages).toBe(0)
})

test('runs that failed within a week are counted by workflow, unless it is in the trash', async () => {
  const workflow = async (name: string) => {
    const nodes = [{ type: 'action', action: 'create_task', title: 'Call' }]
    return (await ada.browser.post('/api/crm/workflows', { name, trigger: 'lead.created', nodes })).body
  }
  const [calls, mails, gone] = [await workflow('Calls'), await workflow('Mails'), await workflow('Gone')]
  const run = (id: string, status: string) =>
    app.database.query(
      `insert into workflow_runs (team_id, id, workflow_id, version, status, event_key, event, state, chain, parts,
         created_at, updated_at)
       values ($1, $2, $3, 1, $4, $2, '{}', '{}', 0, 0, now(), now())`,
      [ada.team_id, newId(), id, status],
    )
  for (const each of [mails, calls, calls, gone]) await run(each.id, 'FAILED')
  await run(mails.id, 'DONE')
  await ada.browser.delete(`/api/crm/workflows/${gone.id}`)
  const failed = [
    { id: calls.id, name: 'Calls', runs: 2 },
    { id: mails.id, name: 'Mails', runs: 1 },
  ]
  expect((await home()).failures.workflows).toEqual(failed)
  expect((await home(await colleagueOf(app, ada, 'VIEWER'))).failures.workflows).toEqual(failed)
})
