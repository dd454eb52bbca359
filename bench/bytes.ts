/**
 * How many bytes a lead takes that is created over the API, and a workflow run that a webhook starts: for every table its heap,
 * TOAST and each index, and the WAL. Two figures for each: packed, that is the rows copied into an empty database in the order they
 * were written, all tables rewritten and all indexes built anew; and as the product leaves them, with the room of earlier versions
 * of rows. Rows are many, so that pages that are not full do not count. Run it with `npm run bench:bytes`; with
 * `-- --rows 2000` for a quick look, and `-- --all` for a line for everything.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { listTables, quote } from '#platform/database/catalogue.ts'
import { copyIn, copyOut } from '#platform/database/copy.ts'
import { migrate } from '#platform/database/migrate.ts'
import { newId } from '#platform/ids.ts'
import { signedHeaders, signingKey } from '#platform/signature.ts'
import { fillLeads } from './support/leads.ts'
import { onStage, type Target } from './support/stage.ts'

const MIGRATIONS = new URL('../migrations/', import.meta.url).pathname
const AT_ONCE = 16
/** Shown by name from this share of all bytes on. */
const SHOWN_FROM = 0.01
/** What the migrations write themselves. */
const NOT_COPIED = ['schema_migrations', 'database_logins', 'personal_tables', 'table_places']
/** Gone within a day: they say nothing of how a database grows. */
const TEMPORARY = ['changes', 'jobs', 'idempotency_keys', 'lead_count_changes']

/** Measured with this file on the tree before tables were kept by month (commit ebe4f8c), 20,000 rows. */
const ORIGIN = 'ebe4f8c'
const BASELINE: { lead: Baseline; run: Baseline } = {
  lead: { packed: 2583, left: 2780, wal: 5635 },
  run: { packed: 15318, left: 20154, wal: 40554 },
}
const LEAD_RATIO_MAX = 1.05
const RUN_RATIO_MAX = 0.65

const { values: flags } = parseArgs({
  options: { rows: { type: 'string', default: '20000' }, all: { type: 'boolean', default: false } },
})
const ROWS = Number(flags.rows)

const secret = `whsec_${Buffer.from('the secret of the benchmark').toString('base64')}`
const key = signingKey(secret)
const NODES = [
  { type: 'condition', field: 'durationSec', op: '>', value: 120 },
  { type: 'action', action: 'create_task', due: '2d', title: 'Follow up with {{fullName}}' },
  { type: 'action', action: 'update_field', field: 'pipeline_stage', value: '{{event.stage}}' },
]

/** Bytes by table and what they are of: heap, toast, or an index by name. */
type Sizes = Map<string, number>
type Measured = { packed: Sizes; left: Sizes; wal: number }
type Baseline = { packed: number; left: number; wal: number }

await onStage(async ({ databaseUrl, serve, judge }) => {
  const { key: apiKey } = await fillLeads(databaseUrl, 1)
  const db = await clientOf(databaseUrl)
  // How many images of whole pages are in the WAL depends on how often there is a checkpoint, not on the product.
  await db.query('alter system set full_page_writes = off')
  await db.query('select pg_reload_conf()')
  const api = await serve('webhook-product', { role: 'api', secret })
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  await addWorkflow(api, headers)
  await serve('webhook-product', { role: 'worker', secret })

  const empty = await measure(db, databaseUrl)
  const leadsWal = await walOf(db, () => atOnce(n => createLead(api, headers, n)))
  const afterLeads = await measure(db, databaseUrl)
  const { rows } = await db.query<{ id: string }>('select id from leads')
  const runsWal = await walOf(db, () => atOnce(n => sendCallEnded(api, rows[n % rows.length]!.id)))
  const afterRuns = await measure(db, databaseUrl)

  const lead = { ...between(empty, afterLeads), wal: leadsWal }
  const run = { ...between(afterLeads, afterRuns), wal: runsWal }
  show('a lead', lead, BASELINE.lead)
  show('a workflow run', run, BASELINE.run)
  await showData(db)
  for (const [what, now, before, most] of [
    ['a lead', lead, BASELINE.lead, LEAD_RATIO_MAX],
    ['a workflow run', run, BASELINE.run, RUN_RATIO_MAX],
  ] as const) {
    const ratio = bytesOf(now.packed) / before.packed
    judge(`bytes of ${what}, packed`, `${ratio.toFixed(2)}×`, ratio <= most, `at most ${most}×`)
  }
  await db.end()
})

async function createLead({ url }: Target, headers: Record<string, string>, n: number): Promise<void> {
  const body = JSON.stringify({
    first_name: 'Ada',
    last_name: `Lovelace ${n}`,
    email: `ada.lovelace${n}@initech.example`,
    phone: `+4930${String(10_000_000 + n)}`,
    company: 'Initech',
    title: 'Head of Sales',
    source: 'Website',
    utm: { source: 'newsletter', campaign: 'spring' },
  })
  await answered(fetch(`${url}/api/crm/leads`, { method: 'POST', headers, body }), 201)
}

async function sendCallEnded({ url }: Target, leadId: string): Promise<void> {
  const eventId = newId()
  const transcript = [
    { role: 'agent', text: 'Hello, this is Northwind. Is this a good moment to talk about your request?' },
    { role: 'caller', text: 'Yes. We are looking for a new supplier, and would like an offer by Friday.' },
    { role: 'agent', text: 'I will have it sent to you tomorrow. Thank you, and goodbye.' },
  ]
  const data = {
    callId: eventId,
    leadId,
    durationSec: 200,
    outcome: 'connected',
    stage: 'Qualified',
    transcript,
  }
  const body = JSON.stringify({ eventId, type: 'call_ended', data })
  const headers = { 'content-type': 'application/json', ...signedHeaders([key], eventId, Date.now(), body) }
  await answered(fetch(`${url}/api/voice/engage/webhook`, { method: 'POST', headers, body }), 200)
}

async function addWorkflow({ url }: Target, headers: Record<string, string>): Promise<void> {
  const body = JSON.stringify({
    name: 'Calls',
    trigger: 'webhook:call_ended',
    nodes: NODES,
    status: 'ACTIVE',
  })
  await answered(fetch(`${url}/api/crm/workflows`, { method: 'POST', headers, body }), 201)
}

async function answered(request: Promise<Response>, status: number): Promise<unknown> {
  const response = await request
  const text = await response.text()
  if (response.status !== status) throw new Error(`${response.url} answered ${response.status}: ${text}`)
  return JSON.parse(text)
}

async function atOnce(act: (n: number) => Promise<void>): Promise<void> {
  let next = 0
  const one = async () => {
    while (next < ROWS) await act(next++)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, one))
}

/** The WAL for each until every reaction was done, without images of whole pages. */
async function walOf(db: pg.Client, act: () => Promise<void>): Promise<number> {
  const at = async () => (await db.query('select pg_current_wal_lsn() as lsn')).rows[0].lsn as string
  const before = await at()
  await act()
  const busy = `select from jobs where state = 'ready' and run_at < now() + interval '1 hour' limit 1`
  while ((await db.query(busy)).rowCount! > 0) await pause(200)
  const wal = await db.query('select pg_wal_lsn_diff($1, $2) as bytes', [await at(), before])
  const dead = await db.query(`select kind, last_error from jobs where state = 'dead' limit 1`)
  if (dead.rowCount! > 0) throw new Error(`a job failed: ${JSON.stringify(dead.rows)}`)
  return Number(wal.rows[0].bytes) / ROWS
}

async function measure(db: pg.Client, url: string): Promise<{ packed: Sizes; left: Sizes }> {
  // Also moves what waits in the pending lists of GIN indexes to its place.
  await db.query('vacuum')
  return { packed: await packed(db, url), left: await sizesOf(db) }
}

/** What all rows take in a new database. */
async function packed(db: pg.Client, url: string): Promise<Sizes> {
  const name = `copy_${newId()}`
  await db.query(`create database ${name}`)
  const copyUrl = new URL(url)
  copyUrl.pathname = `/${name}`
  await migrate(copyUrl.href, MIGRATIONS)
  const target = await clientOf(copyUrl.href)
  await target.query('set session_replication_role = replica')
  for (const table of await listTables(db)) {
    if (NOT_COPIED.includes(table.name)) continue
    const list = table.columns.map(quote).join(', ')
    // In the order they were written.
    const order = table.columns.includes('id') ? 'order by id' : ''
    await copyIn(
      target,
      `${quote(table.name)} (${list})`,
      copyOut(db, `select ${list} from ${quote(table.name)} ${order}`),
    )
  }
  await target.query('vacuum full')
  const sizes = await sizesOf(target)
  await target.end()
  await db.query(`drop database ${name} with (force)`)
  return sizes
}

/** The parts of a table count as one. */
async function sizesOf(db: pg.Client): Promise<Sizes> {
  const { rows } = await db.query<{ name: string; bytes: string }>(`
    with tables as (
      select pg_class.oid, coalesce(inhparent::regclass::text, relname::text) as name, reltoastrelid
      from pg_class left join pg_inherits on inhrelid = pg_class.oid
      where relkind = 'r' and relnamespace in ('public'::regnamespace, to_regnamespace('partitions')))
    select name || ' heap' as name, sum(pg_relation_size(oid)) as bytes from tables group by 1
    union all
    select name || ' toast', sum(pg_total_relation_size(reltoastrelid)) from tables where reltoastrelid <> 0 group by 1
    union all
    select name || ' ' || coalesce(inhparent::regclass::text, indexrelid::regclass::text), sum(pg_relation_size(indexrelid))
      from tables join pg_index on indrelid = tables.oid left join pg_inherits on inhrelid = indexrelid group by 1`)
  return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]))
}

function between(before: Omit<Measured, 'wal'>, after: Omit<Measured, 'wal'>) {
  return { packed: difference(after.packed, before.packed), left: difference(after.left, before.left) }
}

/** For each lead or run. */
function difference(after: Sizes, before: Sizes): Sizes {
  return new Map([...after].map(([name, bytes]) => [name, (bytes - (before.get(name) ?? 0)) / ROWS]))
}

function show(what: string, { packed, left, wal }: Measured, before: Baseline): void {
  const all = bytesOf(packed)
  const against = (now: number, then: number) =>
    `${shown(now)} (${(now / then).toFixed(2)}× of ${shown(then)})`
  console.log(`\n${what}, bytes; in brackets, against ${ORIGIN}`)
  console.log(`  packed              ${against(all, before.packed)}`)
  console.log(`  as left             ${against(bytesOf(left), before.left)}`)
  console.log(`  WAL                 ${against(wal, before.wal)}`)
  console.log(`  for a day, as left  ${shown(total(left) - bytesOf(left))}`)
  console.log('   packed  as left')
  const line = (name: string, now: number, asLeft: number) =>
    console.log(`  ${shown(now).padStart(7)}  ${shown(asLeft).padStart(7)}  ${name}`)
  const parts = [...kept(packed)].toSorted(([, a], [, b]) => b - a)
  const byTable = Map.groupBy(parts, ([name]) => name.split(' ')[0]!)
  const sum = (own: [string, number][]) => own.reduce((sum, [, bytes]) => sum + bytes, 0)
  for (const [table, own] of [...byTable].toSorted(([, a], [, b]) => sum(b) - sum(a))) {
    if (!isShown(sum(own), all)) continue
    line(
      table,
      sum(own),
      own.reduce((sum, [name]) => sum + (left.get(name) ?? 0), 0),
    )
    for (const [name, bytes] of own)
      if (isShown(bytes, all)) line(`  ${name.slice(table.length + 1)}`, bytes, left.get(name) ?? 0)
  }
}

function isShown(bytes: number, all: number): boolean {
  return bytes >= all * (flags.all ? 0.0005 : SHOWN_FROM)
}

/** The content of rows of one kind, without their keys. */
async function showData(db: pg.Client): Promise<void> {
  const { rows } = await db.query<{ type: string; n: number; bytes: string }>(
    `select type, count(*)::int as n, sum(pg_column_size(data)) as bytes from events group by 1 order by 3 desc`,
  )
  console.log('\ndata of events, by type')
  for (const { type, n, bytes } of rows)
    if (n >= ROWS) console.log(`  ${shown(Number(bytes) / n).padStart(7)}  ${type}`)
}

function kept(sizes: Sizes): Sizes {
  return new Map([...sizes].filter(([name]) => !TEMPORARY.includes(name.split(' ')[0]!)))
}

function bytesOf(sizes: Sizes): number {
  return total(kept(sizes))
}

function total(sizes: Sizes): number {
  return [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0)
}

function shown(bytes: number): string {
  return Math.round(bytes).toLocaleString('en')
}

async function clientOf(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    options: '-c client_min_messages=warning -c app.team=*',
  })
  client.on('error', () => {})
  await client.connect()
  return client
}
