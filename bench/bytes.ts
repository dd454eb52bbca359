/**
 * How many bytes of disk a lead takes that is created over the API, and a workflow run that a webhook starts: in every table, with
 * heap, TOAST and each index, and in the WAL. First as the product leaves them, with the room of earlier versions of a row. Then
 * the same rows are copied into two empty databases, one with the schema of 0034 and one with that of now, so that both are
 * filled the same way. What the product no longer writes is missing from both. Run it with `npm run bench:bytes`; with
 * `-- --rows 5000` for other numbers.
 */
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
/** The last one before tables were kept by month. */
const BEFORE = '0034'
const AT_ONCE = 16
/** Shown by name from this share of all bytes on. */
const SHOWN_FROM = 0.02
/** What the migrations write themselves. */
const NOT_COPIED = ['schema_migrations', 'database_logins', 'personal_tables']
/** Gone within a day: they say nothing of how a database grows. */
const TEMPORARY = ['changes', 'jobs', 'idempotency_keys', 'lead_count_changes']

const { values: flags } = parseArgs({ options: { rows: { type: 'string', default: '3000' } } })
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

await onStage(async ({ databaseUrl, serve }) => {
  const { key: apiKey } = await fillLeads(databaseUrl, 1)
  const db = await clientOf(databaseUrl)
  const api = await serve('webhook-product', { role: 'api', secret })
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  await addWorkflow(api, headers)
  await serve('webhook-product', { role: 'worker', secret })

  const empty = await sizesOf(db)
  const leads = await measured(db, () => atOnce(n => createLead(api, headers, n)))
  const afterLeads = await sizesOf(db)
  const copiedLeads = await copiedInto(db, databaseUrl)
  const { rows } = await db.query<{ id: string }>('select id from leads')
  const runs = await measured(db, () => atOnce(n => sendCallEnded(api, rows[n % rows.length]!.id)))
  const copiedAll = await copiedInto(db, databaseUrl)

  show('a lead, as the product leaves it', difference(afterLeads, empty), leads.wal)
  show('a workflow run, as the product leaves it', difference(await sizesOf(db), afterLeads), runs.wal)
  compare('a lead', copiedLeads)
  compare('a workflow run', {
    before: difference(copiedAll.before, copiedLeads.before),
    now: difference(copiedAll.now, copiedLeads.now),
  })
  await showData(db)
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

/** The WAL that was written until every reaction was done. */
async function measured(db: pg.Client, act: () => Promise<void>): Promise<{ wal: number }> {
  const at = async () => (await db.query('select pg_current_wal_lsn() as lsn')).rows[0].lsn as string
  await db.query('checkpoint')
  const before = await at()
  await act()
  const busy = `select from jobs where state = 'ready' and run_at < now() + interval '1 hour' limit 1`
  while ((await db.query(busy)).rowCount! > 0) await pause(200)
  const wal = await db.query('select pg_wal_lsn_diff($1, $2) as bytes', [await at(), before])
  const dead = await db.query(`select kind, last_error from jobs where state = 'dead' limit 1`)
  if (dead.rowCount! > 0) throw new Error(`a job failed: ${JSON.stringify(dead.rows)}`)
  await db.query('vacuum')
  return { wal: Number(wal.rows[0].bytes) }
}

async function copiedInto(db: pg.Client, url: string) {
  const older = await mkdtemp(join(tmpdir(), 'rapport-migrations-'))
  try {
    for (const name of await readdir(MIGRATIONS))
      if (name.slice(0, 4) <= BEFORE) await cp(join(MIGRATIONS, name), join(older, name))
    return { before: await copied(db, url, older), now: await copied(db, url, MIGRATIONS) }
  } finally {
    await rm(older, { recursive: true })
  }
}

/** What all rows take in a new database with these migrations. */
async function copied(db: pg.Client, url: string, migrations: string): Promise<Sizes> {
  const name = `copy_${newId()}`
  await db.query(`create database ${name}`)
  const copyUrl = new URL(url)
  copyUrl.pathname = `/${name}`
  await migrate(copyUrl.href, migrations)
  const target = await clientOf(copyUrl.href)
  const empty = await sizesOf(target)
  await target.query('set session_replication_role = replica')
  const theirs = new Map((await listTables(target)).map(table => [table.name, table.columns]))
  for (const table of await listTables(db)) {
    const columns = theirs.get(table.name)?.filter(column => table.columns.includes(column))
    if (!columns || NOT_COPIED.includes(table.name)) continue
    const list = columns.map(quote).join(', ')
    // In the order they were written.
    const order = columns.includes('id') ? 'order by id' : ''
    await copyIn(
      target,
      `${quote(table.name)} (${list})`,
      copyOut(db, `select ${list} from ${quote(table.name)} ${order}`),
    )
  }
  await target.query('vacuum')
  const filled = difference(await sizesOf(target), empty)
  await target.end()
  await db.query(`drop database ${name} with (force)`)
  return filled
}

/** The parts of a table count as one. */
async function sizesOf(db: pg.Client): Promise<Sizes> {
  const { rows } = await db.query<{ name: string; bytes: string }>(`
    with tables as (
      select pg_class.oid, coalesce(inhparent::regclass::text, relname::text) as name, reltoastrelid
      from pg_class left join pg_inherits on inhrelid = pg_class.oid
      where relkind = 'r' and relnamespace in ('public'::regnamespace, to_regnamespace('partitions')))
    select name || ' heap' as name, sum(pg_table_size(oid) - coalesce(pg_total_relation_size(nullif(reltoastrelid, 0)), 0)) as bytes
      from tables group by 1
    union all
    select name || ' toast', sum(pg_total_relation_size(reltoastrelid)) from tables where reltoastrelid <> 0 group by 1
    union all
    select name || ' ' || coalesce(inhparent::regclass::text, indexrelid::regclass::text), sum(pg_relation_size(indexrelid))
      from tables join pg_index on indrelid = tables.oid left join pg_inherits on inhrelid = indexrelid group by 1`)
  return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]))
}

function difference(after: Sizes, before: Sizes): Sizes {
  return new Map([...after].map(([name, bytes]) => [name, bytes - (before.get(name) ?? 0)]))
}

function show(what: string, sizes: Sizes, wal: number): void {
  const all = total(sizes)
  const kept = total(keptOnly(sizes))
  console.log(`\n${what}: ${each(kept)} bytes, ${each(all - kept)} more for a day, and ${each(wal)} of WAL`)
  for (const [name, bytes] of [...sizes].toSorted(([, a], [, b]) => b - a))
    if (bytes >= all * SHOWN_FROM) console.log(`  ${each(bytes).padStart(7)}  ${name}`)
}

function compare(what: string, copied: { before: Sizes; now: Sizes }): void {
  const [before, now] = [keptOnly(copied.before), keptOnly(copied.now)]
  const ratio = total(now) / total(before)
  console.log(
    `\n${what}, the same rows: ${each(total(before))} bytes in the schema of ${BEFORE}, ${each(total(now))} now: ${ratio.toFixed(2)}×`,
  )
  const tables = new Set([...before.keys(), ...now.keys()].map(name => name.split(' ')[0]!))
  const of = (sizes: Sizes, table: string) =>
    total(new Map([...sizes].filter(([name]) => name.startsWith(`${table} `))))
  for (const table of tables) {
    const [was, is] = [of(before, table), of(now, table)]
    if (Math.max(was, is) >= total(before) * SHOWN_FROM)
      console.log(`  ${each(was).padStart(7)} → ${each(is).padStart(7)}  ${table}`)
  }
}

/** The content of rows of one kind, without their keys. */
async function showData(db: pg.Client): Promise<void> {
  const { rows } = await db.query<{ type: string; n: number; bytes: string }>(
    `select type, count(*)::int as n, sum(pg_column_size(data)) as bytes from events group by 1 order by 3 desc`,
  )
  console.log('\ndata of events, by type')
  for (const { type, n, bytes } of rows)
    if (n >= ROWS) console.log(`  ${String(Math.round(Number(bytes) / n)).padStart(7)}  ${type}`)
}

function keptOnly(sizes: Sizes): Sizes {
  return new Map([...sizes].filter(([name]) => !TEMPORARY.includes(name.split(' ')[0]!)))
}

function total(sizes: Sizes): number {
  return [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0)
}

function each(bytes: number): string {
  return Math.round(bytes / ROWS).toLocaleString('en')
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
