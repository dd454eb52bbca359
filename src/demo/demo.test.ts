import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Compile } from 'typebox/compile'
import { FakeClock, isoAt } from '#platform/clock.ts'
import { Lead } from '#domains/leads/contract.ts'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import { countingRuntime } from '#test/counting.ts'
import { further } from '#test/tier.ts'
import { loadDemo, OPERATOR_EMAIL, removeDemo } from './demo.ts'

const clock = new FakeClock('2026-11-18T13:00:00.000Z')
let app: TestApp
let stranger: Person
/** The first start waits for it. Seconds depend on the machine and on who else is at work there; these do not. */
const TRIPS_MAX = 4_000
const STATEMENTS_MAX = 5_500

beforeAll(async () => {
  app = await startApp({ role: 'api', clock })
  stranger = await app.person('stranger@example.test')
})
afterAll(() => app.close())

const rows = <Row extends Record<string, unknown>>(text: string, values?: unknown[]) =>
  app.database.query<Row>(text, values)
const count = async (text: string, values?: unknown[]) =>
  (await rows<{ n: number }>(`select count(*)::int as n from ${text}`, values))[0]!.n
const refused = ({ code }: { code?: string }) => {
  if (code !== '42501') throw new Error(code)
  return [{ rows: [{ n: 0 }] }]
}
const now = () => isoAt(clock.now())

/** Everything of everybody but the demo team, table by table. */
async function otherRows(): Promise<unknown> {
  const tables = await rows<{ name: string }>(
    `select table_name as name from information_schema.columns where column_name = 'team_id' and table_schema = 'public'`,
  )
  const others = `team_id not in (select id from teams where demo)`
  return Promise.all(tables.map(({ name }) => rows(`select * from ${name} where ${others} order by 1, 2`)))
}

// It is loaded once, looked at, and removed.
describe('the demo', { shuffle: false }, () => {
  test('the demo loads in few trips to the database, once, and only with values that the contract allows', async () => {
    const { counted, runtime } = countingRuntime(app.runtime)
    expect(await loadDemo(runtime)).toBe(true)
    expect(counted.trips).toBeLessThan(TRIPS_MAX)
    expect(counted.statements).toBeLessThan(STATEMENTS_MAX)
    const before = await count('events')
    expect(await loadDemo(app.runtime)).toBe(false)
    expect(await count('events')).toBe(before)
    const check = Compile(Lead)
    const leads = await rows('select * from leads')
    expect(leads.length).toBeGreaterThan(190)
    for (const { team_id: _, search_text: __, ...lead } of leads) {
      const shown = Object.fromEntries(Object.entries(lead).filter(([key]) => !key.endsWith('_key')))
      expect(check.Errors(shown)).toEqual([])
    }
  })

  test('who logs in as the product and names no team sees nothing of anybody, in any table', async () => {
    const tables = (
      await rows<{ name: string }>(
        `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
      )
    ).map(({ name }) => name)
    const filled: string[] = []
    const seen: [string, number][] = []
    for (const name of tables) {
      if ((await count(name)) === 0) continue
      filled.push(name)
      const text = `select count(*) as n from ${name}`
      const [shown] = await app.runtime.pool.flush([{ text, values: [] }]).catch(refused)
      const n = Number(shown!.rows[0]!.n)
      if (n > 0) seen.push([name, n])
    }
    expect(filled.length).toBeGreaterThan(35)
    // It says where people may stand, and nothing of anybody.
    expect(seen.map(([name]) => name)).toEqual(['personal_tables'])
  })

  test('the leads form a funnel, and their history is months long, in order and never ahead of the clock', async () => {
    const stages = await rows<{ stage: string; n: number }>(
      'select pipeline_stage as stage, count(*)::int as n from leads where deleted_at is null group by 1',
    )
    const at = Object.fromEntries(stages.map(({ stage, n }) => [stage, n]))
    expect(Object.keys(at).toSorted()).toEqual([
      'Contacted',
      'Engage_AI',
      'Engage_Human',
      'Lost',
      'New',
      'Qualified',
      'Won',
    ])
    expect(at.Contacted).toBeGreaterThan(at.Qualified!)
    expect(at.Qualified).toBeGreaterThan(at.Won!)
    expect(await count('leads where deleted_at is not null')).toBeGreaterThan(0)
    const events = await rows<{ lead_id: string; at: string; type: string }>(
      'select lead_id, at, type from events where lead_id is not null order by lead_id, id',
    )
    expect(Math.min(...events.map(event => Date.parse(event.at)))).toBeLessThan(clock.now() - 80 * 86_400_000)
    expect(Math.max(...events.map(event => Date.parse(event.at)))).toBeLessThanOrEqual(clock.now())
    for (const [index, event] of events.entries()) {
      const previous = events[index - 1]
      if (previous?.lead_id === event.lead_id)
        expect(Date.parse(event.at)).toBeGreaterThanOrEqual(Date.parse(previous.at))
      else expect(event.type).toBe('lead.created')
    }
  })

  test('deals stand in every stage, some won ones have a project, and there is something to do today', async () => {
    const stages = await rows<{ stage: string }>('select distinct stage from opportunities order by 1')
    expect(stages).toHaveLength(6)
    expect(await count('leads join accounts on accounts.id = account_id')).toBeGreaterThan(30)
    expect(
      await count(
        `projects join opportunities on opportunities.id = opportunity_id and stage = 'closed_won'`,
      ),
    ).toBeGreaterThan(2)
    await expectSomethingToDo()
  })

  async function expectSomethingToDo(): Promise<void> {
    const late = `tasks where project_id is null and due_at < $1 and status = 'TODO'`
    expect(await count(late, [now()])).toBeGreaterThan(2)
    expect(await count('tasks where due_at > $1', [now()])).toBeGreaterThan(10)
    const meetings = 'select status, starts_at > $1 as ahead from meetings order by starts_at'
    expect(await rows(meetings, [now()])).toEqual([
      { status: 'HELD', ahead: false },
      { status: 'BOOKED', ahead: true },
      { status: 'BOOKED', ahead: true },
    ])
  }

  test('the notes are many, whole sentences with every blank filled in, and by the team’s people', async () => {
    const notes = await rows<{ text: string; actor_kind: string }>(
      `select data->>'text' as text, actor_kind from events where type = 'lead.noted'`,
    )
    expect(new Set(notes.map(note => note.text.slice(0, 12))).size).toBeGreaterThan(40)
    expect(notes.filter(note => /[{}]|undefined|null/.test(note.text))).toEqual([])
    expect(notes.every(note => note.actor_kind === 'person')).toBe(true)
  })

  test('a form on the site has brought leads, one of them doubtful', async () => {
    const came = await rows<{ status: string; with_lead: boolean }>(
      'select status, lead_id is not null as with_lead from submissions order by created_at',
    )
    expect(came).toEqual([
      { status: 'RECEIVED', with_lead: true },
      { status: 'RECEIVED', with_lead: true },
      { status: 'QUARANTINED', with_lead: false },
      { status: 'RECEIVED', with_lead: true },
    ])
    expect(await count('submissions where jsonb_array_length(notes) > 0')).toBe(0)
  })

  test('a sequence is ready and a workflow listens, and nobody is written to', async () => {
    expect(await rows('select name, status, jsonb_array_length(steps) as steps from sequences')).toEqual([
      { name: 'First contact', status: 'ACTIVE', steps: 5 },
    ])
    expect(await rows('select name, status, version from workflows')).toEqual([
      { name: 'Call follow-up', status: 'ACTIVE', version: 1 },
    ])
    expect(await count('enrolments')).toBe(0)
    expect(await count('messages')).toBe(0)
    expect(await count('jobs where outgoing')).toBe(0)
  })

  test('deals are billed and an agent is for sale, and neither a customer nor a bank is told', async () => {
    const invoices = await rows(
      'select number, status, due_at < $1 as overdue from invoices order by created_at, id',
      [now()],
    )
    expect(invoices).toEqual([
      { number: 'INV-0001', status: 'OPEN', overdue: true },
      { number: 'INV-0002', status: 'OPEN', overdue: false },
      { number: null, status: 'DRAFT', overdue: null },
    ])
    expect(await count('invoices join opportunities on opportunities.id = opportunity_id')).toBe(3)
    expect(await count('agent_listings')).toBe(1)
    expect(await count('mails')).toBe(0)
    expect(await count('jobs where outgoing')).toBe(0)
  })

  test('agents have talked on the phone and the team meets people, and nobody is called, invited or reminded', async () => {
    const calls = await rows(
      'select kind, direction, status, duration_sec > 0 as spoken, follow_up->>$1 as intent from calls order by started_at',
      ['intent'],
    )
    expect(calls).toEqual([
      { kind: 'agent', direction: 'outbound', status: 'ENDED', spoken: true, intent: 'task' },
      { kind: 'agent', direction: 'outbound', status: 'NO_ANSWER', spoken: false, intent: 'none' },
      { kind: 'manual', direction: 'outbound', status: 'ENDED', spoken: true, intent: 'none' },
      { kind: 'agent', direction: 'inbound', status: 'ENDED', spoken: true, intent: 'task' },
    ])
    expect(await count('call_lines')).toBeGreaterThan(8)
    expect(await count('attended_calls')).toBe(0)
    expect(await count('mails')).toBe(0)
    expect(await count(`jobs where outgoing or kind like 'meetings.%'`)).toBe(0)
  })

  test('leads have written, some of it is dealt with, and nobody is answered', async () => {
    const conversations = await rows<{ state: string; lead_id: string | null; assignee_id: string | null }>(
      'select state, lead_id, assignee_id from conversations where merged_into is null',
    )
    const states = conversations.map(({ state }) => state)
    expect(new Set(states)).toEqual(new Set(['OPEN', 'SNOOZED', 'CLOSED']))
    expect(conversations.filter(({ lead_id }) => lead_id === null)).toHaveLength(1)
    expect(conversations.filter(({ lead_id, assignee_id }) => lead_id && !assignee_id)).toHaveLength(1)
    expect(await count('saved_replies')).toBe(3)
    expect(await count('conversation_replies')).toBe(0)
    const late = await rows('select last_message_at from conversations where last_message_at > $1', [now()])
    expect(late).toEqual([])
  })

  test('companies are known by what their sites say, one is a lead by now, and neither a host nor a credit is touched', async () => {
    const known = await rows(
      `select domain, status, facts_count > 0 as has_facts, score, next_crawl_at, lead_id is not null as converted
     from candidates order by score desc`,
    )
    expect(known).toHaveLength(5)
    for (const each of known)
      expect(each).toMatchObject({ status: 'CRAWLED', has_facts: true, next_crawl_at: null })
    expect(known.filter(({ converted }) => converted)).toMatchObject([{ domain: 'tidewell.example' }])
    expect(known.map(({ score }) => score)).toEqual(
      known.map(({ score }) => score as number).toSorted((a, b) => b - a),
    )
    expect(known[0]!.score).toBeGreaterThan(80)
    const [lead] = await rows<{ id: string; account_id: string }>(
      `select id, account_id from leads where source = 'Candidate'`,
    )
    expect(lead!.account_id).not.toBeNull()
    const told = await rows<{ type: string }>('select type from events where lead_id = $1 order by id', [
      lead!.id,
    ])
    expect(told.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['candidate.converted', 'candidate.facts_changed']),
    )
    expect(await count('credit_entries')).toBe(0)
    expect(await count(`jobs where outgoing or kind like 'candidates.%'`)).toBe(0)
  })

  test('whoever had the installation before keeps it, and may look at the demo', async () => {
    const [operator] = await rows<{ email: string }>(
      `select email from users join memberships on user_id = users.id where role = 'SUPER_ADMIN' order by memberships.created_at`,
    )
    expect(operator!.email).toBe('stranger@example.test')
    const roles = await rows<{ email: string; role: string }>(
      'select email, role from memberships join users on users.id = user_id join teams on teams.id = team_id where demo',
    )
    expect(roles).toContainEqual({ email: 'stranger@example.test', role: 'SUPER_ADMIN' })
    expect(roles).toContainEqual({ email: OPERATOR_EMAIL, role: 'ADMIN' })
    expect(roles).toHaveLength(6)
  })

  test('removing it takes the team and its people, and leaves every other row as it was', async () => {
    await (await stranger.key()).post('/api/crm/leads', { first_name: 'Kept' })
    const before = await otherRows()
    expect(await removeDemo(app.runtime)).toBe(true)
    expect(await otherRows()).toEqual(before)
    expect(await rows('select email from users')).toEqual([{ email: 'stranger@example.test' }])
    expect(await count('leads')).toBe(1)
    expect(await count('form_addresses')).toBe(0)
    expect(await count('invoice_addresses')).toBe(0)
    expect(await count('agent_listings')).toBe(0)
    expect(await removeDemo(app.runtime)).toBe(false)
  })

  const moments = [
    ['early on a Monday', '2026-11-23T04:10:00.000Z'],
    ['on a Saturday', '2026-11-21T12:00:00.000Z'],
    ['late on the last day of a year', '2026-12-31T23:30:00.000Z'],
  ] as const
  further.for(moments)('loaded %s, it leaves something to do as well', async ([, at]) => {
    clock.set(at)
    await loadDemo(app.runtime)
    await expectSomethingToDo()
    await removeDemo(app.runtime)
  })

  test('the application role cannot erase a team', async () => {
    const may = `select has_function_privilege('rapport_app', 'erase_team(text)', 'execute') as may`
    expect(await rows(may)).toEqual([{ may: false }])
  })
})
