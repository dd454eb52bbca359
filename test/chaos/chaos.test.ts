import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import pg from 'pg'
import { LEASE_MS } from '#platform/jobs/limits.ts'
import { newId } from '#platform/ids.ts'
import { eventually } from '#test/eventually.ts'
import { inOrder } from '#test/in-order.ts'
import { bundleFolder } from '../run/bundle.ts'
import { check, fingerprintOf, type Findings, type Fingerprint, type Query } from './checker.ts'
import { openLaboratory, teamOf, type Laboratory, type Result } from './laboratory.ts'
import { findingsTable } from './report.ts'
import type { FaultKind, PlannedFault } from './schedule.ts'

inOrder()
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

const STORIES = 10
let laboratory: Laboratory
let result: Result
/** The team that must not notice, and its rows by table when everything is over. */
let otherTeam: string
let untouched: Fingerprint

beforeAll(async () => {
  laboratory = await openLaboratory({
    seed: 11,
    api: 2,
    workers: 2,
    writers: 4,
    pauseMs: 20,
    stories: STORIES,
    smallDisk: false,
    programs: () => bundleFolder(inject('postgresUrl')),
  })
})
afterAll(() => laboratory?.close({ keep: false }))

test('what is acknowledged while processes, backends and the database die is there once', async () => {
  const { cluster, faults, ledger, workload } = laboratory
  const has = (holds: () => boolean) => eventually(() => expect(holds()).toBe(true), 60_000)
  await has(() => ledger.leads.length >= 2)
  // One worker sleeps with jobs in its hands, and the clock of the other says that its leases are over.
  await faults.begin(fault('freeze_worker', { target: 0, lasts_ms: 60_000 }))
  await faults.begin(fault('shift_clock', { target: 0.9, shift_ms: LEASE_MS + 1_000, lasts_ms: 60_000 }))
  await faults.begin(fault('kill_api', { target: 0 }))
  await has(() => ledger.leads.length >= 5)
  await faults.begin(fault('kill_backend', { target: 0.5 }))
  await faults.begin(fault('disturb_wire', { wire: 'smtp', manner: 'reset' }))
  await has(() => ledger.leads.length >= 9)
  await faults.begin(fault('kill_database', {}))
  await faults.begin(fault('kill_worker', { target: 0.9 }))
  await has(() => workload.told() === STORIES)
  result = await laboratory.conclude()
  expect(faults.outcomes.filter(({ done }) => done === undefined)).toEqual([])
  expect(result.bad, findingsTable(result.findings)).toBe(false)
  expect(result.findings.compared).toMatchObject({ leads: STORIES, runs: STORIES, purchases: 2 })
  expect(cluster.members.some(member => member.isFrozen())).toBe(false)
  otherTeam = await teamOf(cluster, 'eve@chaos.example.test')
  untouched = await fingerprintOf(cluster.query, otherTeam)
})

test.for<[string, keyof Findings, RegExp, string | ((query: Query, id: string) => Promise<void>)]>([
  ['a lead that is gone', 'lost', /lead .* is gone/, `delete from leads where id = $1`],
  ['a change that is gone', 'lost', /was acknowledged with/, `update leads set title = 'old' where id = $1`],
  [
    'a lead that is there twice',
    'doubled',
    /2 leads are called/,
    (query, id) => copyRow(query, 'leads', 'id = $1', id),
  ],
  [
    'a task that is there twice',
    'doubled',
    /was created 2 times/,
    (query, id) => copyRow(query, 'tasks', 'lead_id = $1', id),
  ],
  [
    'an event that is gone',
    'lost',
    /event .* is gone/,
    `delete from inbound_events where body like '%' || $1 || '%'`,
  ],
  [
    'an event without its record',
    'lost',
    /event .* was never recorded/,
    `delete from events where type = 'webhook:call_ended' and $1 <> ''`,
  ],
  [
    'a buried job',
    'stuck',
    /is dead/,
    `insert into jobs (id, kind, run_at, state) values ('${newId()}', 'planted', now(), 'dead' || left($1, 0))`,
  ],
  [
    'a run that does not end',
    'stuck',
    /run .* is RUNNING/,
    `update workflow_runs set status = 'RUNNING' where lead_id = $1`,
  ],
  [
    'a webhook that is not delivered',
    'stuck',
    /is PENDING/,
    `update webhook_deliveries set status = 'PENDING' where $1 <> ''`,
  ],
  [
    'a purchase that is gone',
    'lost',
    /purchase .* is gone/,
    async query => {
      await query(`delete from deployments`)
      await query(`delete from settlements`)
    },
  ],
  [
    'an agent that was not handed over',
    'lost',
    /handed over no agent/,
    `delete from deployments where $1 <> ''`,
  ],
  [
    'an agent that was handed over twice',
    'doubled',
    /handed over 2 agents/,
    async query => {
      await query(`alter table deployments drop constraint deployments_settlement_id_key`)
      await copyRow(query, 'deployments', 'id <> $1', '')
    },
  ],
  [
    'a purchase whose invoice is not paid',
    'wrong',
    /has an invoice OPEN/,
    `update invoices set status = 'OPEN' where $1 <> ''`,
  ],
  [
    'a letter that is gone',
    'lost',
    /has no letter/,
    `delete from messages where source_kind = 'person' and $1 <> ''`,
  ],
  [
    'an answer that is gone',
    'lost',
    /has lost its answer/,
    `delete from conversation_entries where $1 <> ''`,
  ],
  [
    'a conversation that is gone',
    'lost',
    /conversation .* is gone/,
    `delete from conversations where $1 <> ''`,
  ],
  ['a count that is off', 'wrong', /is off by/, `update lead_counts set n = n + 1 where $1 <> ''`],
  [
    'credits that do not add up',
    'wrong',
    /add up to/,
    `update credit_accounts set purchased = purchased + 1 where $1 <> ''`,
  ],
])('the checker finds %s', async ([, part, words, plant]) => {
  const { id } = laboratory.ledger.leads[0]!
  const found = await findingsAfter(query =>
    typeof plant === 'string' ? query(plant, [id]) : plant(query, id),
  )
  expect(found[part]).toContainEqual(expect.stringMatching(words))
})

test.for<[string, keyof Findings, RegExp, () => () => void]>([
  ['an email that arrived twice', 'doubled', /arrived 2 times/, () => repeat(laboratory.ledger.mails)],
  ['a text that arrived twice', 'doubled', /arrived 2 times/, () => repeat(laboratory.ledger.texts)],
  [
    'an email that did not arrive',
    'lost',
    /is SENT and did not arrive/,
    () => forget(laboratory.ledger.mails),
  ],
  ['a webhook that did not arrive', 'lost', /did not arrive/, () => forget(laboratory.ledger.deliveries)],
])('the checker finds %s', async ([, part, words, plant]) => {
  const takeBack = plant()
  const found = await findingsAfter(async () => {})
  takeBack()
  expect(found[part]).toContainEqual(expect.stringMatching(words))
})

test('the checker finds a row of another team', async () => {
  let after = untouched
  const found = await findingsAfter(
    async query => {
      await query(`update leads set title = 'planted' where last_name = 'Quiet 1'`)
      after = await fingerprintOf(query, otherTeam)
    },
    { after: () => after },
  )
  expect(found.wrong).toContainEqual(expect.stringMatching(/another team changed in leads/))
})

test('the checker finds a message that is UNKNOWN without a fault', async () => {
  const found = await findingsAfter(
    query => query(`update messages set status = 'UNKNOWN', reason = 'planted', trouble_at = now()`),
    { outcomes: [] },
  )
  expect(found.wrong).toContainEqual(expect.stringMatching(/no fault explains it/))
})

test('the checker finds a second email to a lead whose address bounced', async () => {
  const { enrolments, mails } = laboratory.ledger
  const bounced = enrolments.find(({ sequence }) => sequence === 'bounced')!
  // The disturbed wire may have swallowed the first email, so two are planted.
  const planted = ['<planted 1>', '<planted 2>'].map(message_id => ({ message_id, to: bounced.email }))
  mails.push(...planted)
  const found = await findingsAfter(async () => {})
  mails.splice(-planted.length)
  expect(found.wrong).toContainEqual(expect.stringMatching(/bounced and got [23] emails/))
})

/** What the checker says after something was planted, which is then undone. */
async function findingsAfter(
  plant: (query: Query) => Promise<unknown>,
  { outcomes = laboratory.faults.outcomes, after = () => untouched } = {},
): Promise<Findings> {
  const { cluster, ledger } = laboratory
  const client = new pg.Client({ connectionString: cluster.nodes[0]!.url })
  await client.connect()
  const query: Query = async (text, values = []) => (await client.query(text, values)).rows
  try {
    await query('begin')
    // Keys between tables are no part of what is planted.
    await query(`set local session_replication_role = 'replica'`)
    await plant(query)
    const other = { before: untouched, after: after() }
    return await check({ query, ledger, outcomes, other, correctedCounts: false })
  } finally {
    await client.query('rollback')
    await client.end()
  }
}

/** Writes one of the rows once more, under another ID. */
async function copyRow(query: Query, table: string, where: string, id: string): Promise<void> {
  const columns = await query<{ names: string }>(
    `select string_agg(quote_ident(attname), ', ') as names from pg_attribute where attrelid = $1::regclass
       and attnum > 0 and attgenerated = '' and not attisdropped and attname <> 'id'`,
    [table],
  )
  const { names } = columns[0]!
  await query(
    `insert into ${table} (id, ${names}) select '${newId()}', ${names} from ${table} where ${where} limit 1`,
    [id],
  )
}

function repeat(list: unknown[]): () => void {
  list.push(list[0])
  return () => void list.pop()
}

function forget(list: unknown[]): () => void {
  const all = list.splice(0)
  return () => void list.push(...all)
}

function fault(kind: FaultKind, more: Partial<PlannedFault>): PlannedFault {
  return { n: 0, at_ms: 0, kind, target: 0, lasts_ms: 0, shift_ms: 0, wire: 'api', manner: 'reset', ...more }
}
