import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startApp, type TestApp } from '#test/app.ts'
import { failuresOf } from '#test/attempts.ts'
import { client, type Client } from '#test/client.ts'
import { createDatabase, type TestDatabase } from '#test/database.ts'
import { isRepeatable, readOperations, type Operation } from '#test/operations.ts'
import { fillTeam, type Records } from '#test/records.ts'
import { sampleOf, type Schema } from '#test/samples.ts'
import { settle } from '#test/settle.ts'
import { full } from '#test/tier.ts'
import { readCatalog, type Catalog } from './catalog.ts'
import { describeFinding, exceptions, judgeFindings } from './exceptions.ts'
import { findAll, ROWS_READ_MAX } from './findings.ts'
import { pretendGrown } from './pretend-grown.ts'
import { merged, recordStatements, type SentStatement } from './recorder.ts'

// What every operation of the API sends, and the jobs that follow, as PostgreSQL would plan it for a million rows a table.
vi.setConfig({ hookTimeout: 240_000 })

const ROWS = 1_000_000
const STATEMENTS_MIN = 900
/** A connection before PostgreSQL 18 cannot be told the statistics of a table. */
const STATISTICS_SINCE = 180_000

let app: TestApp
let records: Records
let grown: TestDatabase
let owner: pg.Client
let catalog: Catalog
let isOld = false
const sent: SentStatement[] = []

beforeAll(async () => {
  app = await startApp()
  const stop = recordStatements(statement => sent.push(statement))
  const operations = await readOperations(app.url)
  records = await fillTeam(app, operations, await app.person())
  await sendEverything(operations)
  stop()
  // Another database: nothing changes what is planned meanwhile.
  grown = await createDatabase()
  owner = new pg.Client({ connectionString: grown.url })
  await owner.connect()
  const { rows } = await owner.query(`select current_setting('server_version_num')::int as version`)
  isOld = rows[0].version < STATISTICS_SINCE
  await owner.query('begin')
  if (!isOld) await pretendGrown(owner, { rows: ROWS, team: records.person.team_id })
  catalog = await readCatalog(owner)
})
afterAll(async () => {
  await owner?.end()
  await grown?.drop()
  await app?.close()
})

const planned = (statements: readonly SentStatement[]) =>
  findAll(owner, statements, catalog, records.person.team_id)

/** A statement of a team, without a row of samples it is planned for any values only. */
const statement = (text: string, ...samples: string[][]): SentStatement => ({
  text,
  team: records.person.team_id,
  fresh: false,
  samples,
})

describe('a statement', () => {
  test('that reads a team or a table as a whole is found', async ({ skip }) => {
    skip(isOld, 'needs PostgreSQL 18')
    for (const [text, what] of [
      [
        'select title from tasks where team_id = $1 order by description limit 10',
        'reads about 500,000 rows',
      ],
      ['select id from jobs where last_error = $1', 'reads every row'],
      ['select id from leads where team_id = $1 and title = $2', 'reads about'],
      ['select id from calls where team_id = $1 and status = $2 limit 10', 'walks calls'],
      ['select count(*) from events where team_id = $1 and lead_id = $2', 'reads every month'],
      ['select no_such_column from leads', 'could not be planned'],
    ] as const) {
      const findings = await planned([statement(text)])
      expect(findings.map(({ what }) => what).join(), text).toContain(what)
      expect(judgeFindings(findings).unknown, text).toEqual(findings)
    }
  })

  test('that an index and a limit keep small is not', async ({ skip }) => {
    skip(isOld, 'needs PostgreSQL 18')
    const small = [
      'select * from leads where team_id = $1 and id = $2',
      'select * from leads where team_id = $1 and deleted_at is null order by created_at desc, id desc limit 100',
      'select * from events where team_id = $1 and id = $2',
      'select * from events where team_id = $1 order by id desc limit 50',
      'select * from tasks where team_id = $1 and lead_id = any($2)',
      'select * from forms where team_id = $1',
    ]
    expect(await planned(small.map(text => statement(text)))).toEqual([])
  })

  test(`that is planned for its values may walk ${ROWS_READ_MAX} rows`, async ({ skip }) => {
    skip(isOld, 'needs PostgreSQL 18')
    const text = 'select id from calls where team_id = $1 and status = $2 order by started_at limit $3'
    const forValues = (limit: number) => ({
      ...statement(text, [records.person.team_id, 'ENDED', String(limit)]),
      fresh: true,
    })
    expect(await planned([forValues(100)])).toEqual([])
    expect(await planned([forValues(ROWS_READ_MAX)])).toHaveLength(1)
  })
})

describe('what the product sends', () => {
  test('reads no more the more there is, but for what is listed with a reason', async ({ skip }) => {
    skip(isOld, 'needs PostgreSQL 18')
    // Other values seldom lead to another plan.
    const samplesMax = full ? Infinity : 2
    const statements = merged(sent).map(one => ({ ...one, samples: one.samples.slice(0, samplesMax) }))
    expect(statements.length).toBeGreaterThan(STATEMENTS_MIN)
    const { unknown, unused } = judgeFindings(await planned(statements))
    expect(unknown, unknown.map(describeFinding).join('\n')).toEqual([])
    expect(
      unused.filter(({ isRare }) => !isRare),
      'exceptions that no longer apply',
    ).toEqual([])
  })

  test('makes PostgreSQL check no foreign key without an index', async ({ skip }) => {
    skip(isOld, 'needs PostgreSQL 18')
    const { rows } = await owner.query<{ text: string }>(FOREIGN_KEYS)
    expect(rows.length).toBeGreaterThan(30)
    const { unknown } = judgeFindings(await planned(rows.map(({ text }) => statement(text))))
    expect(unknown, unknown.map(describeFinding).join('\n')).toEqual([])
  })

  test('has exceptions with names of their own', () => {
    expect(new Set(exceptions.map(({ name }) => name)).size).toBe(exceptions.length)
  })
})

/** What is asked when a row that others refer to is deleted. */
const FOREIGN_KEYS = `
  select format('select 1 from only %s where %s', conrelid::regclass, (
    select string_agg(format('%I = $%s', attname, n), ' and ' order by n)
    from unnest(conkey) with ordinality as keys (key, n) join pg_attribute on attrelid = conrelid and attnum = key)) as text
  from pg_constraint where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace order by 1`

/** Each operation once, each filter and each sort of a list, and the scheduled jobs. */
async function sendEverything(operations: readonly Operation[]): Promise<void> {
  const { browser } = records.person
  const cron = client(app.url, { authorization: `Bearer ${app.runtime.settings.cronSecret}` })
  const isStream = ({ success }: Operation) => success.media === 'text/event-stream'
  const readable = operations.filter(
    operation => operation.method === 'GET' && typeof operation.access === 'object' && !isStream(operation),
  )
  await failuresOf(readable, operation => readInEveryWay(operation, browser))
  const changing = operations.filter(operation => operation.method !== 'GET' && isRepeatable(operation))
  await failuresOf(
    changing.filter(({ name, access }) => typeof access === 'object' && !ENDS_THE_WALK.has(name)),
    operation => records.withRecord(operation, () => send(operation, browser)),
    { atOnce: 1 },
  )
  const { data } = (await browser.get('/api/cron')).body as { data: { route: string }[] }
  for (const { route } of data) await cron.post(route)
  await settle(app)
}

const ENDS_THE_WALK = new Set(['POST /api/auth/signout', 'DELETE /api/auth/sessions'])

async function send(operation: Operation, browser: Client) {
  const { path, body } = records.request(operation)
  return browser.raw(
    operation.method,
    path,
    body === undefined || operation.upload ? (body as Blob | undefined) : JSON.stringify(body),
    operation.upload ? {} : { 'content-type': 'application/json' },
  )
}

/** Lists are the only ones with parameters: each on its own, each order, and each order with a filter. */
async function readInEveryWay(operation: Operation, browser: Client): Promise<void> {
  const { path } = records.request(operation)
  const first = await browser.get(`${path}${operation.query.limit ? '?limit=1' : ''}`)
  const next = (first.body as { next_cursor?: string } | undefined)?.next_cursor
  const queries = Object.entries(operation.query).flatMap(([name, schema]) =>
    valuesFor(operation, name, schema, next).map(value => `${name}=${encodeURIComponent(value)}`),
  )
  const filter = queries.find(query => !/^(limit|cursor|sort|q|id|trashed|from)=/.test(query))
  const sorts = queries.filter(query => query.startsWith('sort='))
  for (const query of [...queries, ...(filter ? sorts.map(sort => `${sort}&${filter}`) : [])])
    await browser.get(`${path}?${query}`)
}

function valuesFor(operation: Operation, name: string, schema: Schema, next: string | undefined): string[] {
  if (name === 'cursor') return next ? [next] : []
  const one = schema.items ?? schema
  if (name === 'sort') return (one.enum ?? []).map(String)
  return [String(sampleOf(one, field => records.idFor(operation, field), name))]
}
