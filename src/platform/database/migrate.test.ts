import { execFile } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { inject, onTestFinished, test, expect } from 'vitest'
import pg from 'pg'
import { databaseUrl } from '#test/postgres.ts'
import { migrate, readMigrations } from './migrate.ts'

const MIGRATIONS = fileURLToPath(new URL('../../../migrations/', import.meta.url))
const MODULE = new URL('./migrate.ts', import.meta.url).href

/** How one is applied does not depend on how many there are. */
const FEW = 3

/** An empty database, and a copy of the first migrations that a test may change. */
async function open(files = FEW) {
  const server = inject('postgresUrl')
  const name = `migrate_${process.pid}_${++count}`
  const folder = await mkdtemp(join(tmpdir(), 'rapport-migrate-'))
  const names = (await readdir(MIGRATIONS)).toSorted().slice(0, files)
  for (const name of names) await cp(join(MIGRATIONS, name), join(folder, name))
  await admin(server, `create database ${name}`)
  const url = databaseUrl(server, name)
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  onTestFinished(async () => {
    await client.end()
    await admin(server, `drop database ${name} with (force)`)
    await rm(folder, { recursive: true, force: true })
  })
  const query = async (text: string) => (await client.query(text)).rows as Record<string, unknown>[]
  return { url, folder, query, add: (file: string, text: string) => writeFile(join(folder, file), text) }
}

let count = 0

async function admin(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(text)
  await client.end()
}

test('an empty database is brought to the newest schema, and a second start has nothing to do', async () => {
  const { url, folder, query, add } = await open(Infinity)
  const all = await readMigrations(folder)
  const names = all.map(migration => migration.name)
  const late = all.filter(({ name }) => name >= WITH_DUE_DATES)
  await Promise.all(late.map(({ name }) => rm(join(folder, name))))
  const early = await migrate(url, folder)
  await writeOldWorkflows(query)
  for (const { name, sql } of late) await add(name, sql)
  expect([...early, ...(await migrate(url, folder))]).toEqual(names)
  expect(await migrate(url, folder)).toEqual([])
  expect(await query('select name from schema_migrations order by name')).toEqual(
    names.map(name => ({ name })),
  )
  await expectTheirMeaning(query)
  expect(
    await query('select relname from pg_class where relrowsecurity and not relforcerowsecurity'),
    'row security holds for the owner of the tables too',
  ).toEqual([])
})

test('two processes that start at once run each migration once', async () => {
  const { url, folder, query } = await open()
  const script = `import { migrate } from '${MODULE}'
    const applied = await migrate(process.argv[1], process.argv[2])
    console.log(JSON.stringify(applied))`
  const start = () =>
    promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script, url, folder])
  const outputs = await Promise.all([start(), start(), migrate(url, folder)])
  const applied = outputs.flatMap(output =>
    Array.isArray(output) ? output : (JSON.parse(output.stdout) as string[]),
  )
  const names = (await readMigrations(folder)).map(migration => migration.name)
  expect(applied.toSorted()).toEqual(names)
  expect(await query('select count(*)::int from schema_migrations')).toEqual([{ count: names.length }])
})

test('a new file runs once, and only it', async () => {
  const { url, folder, query, add } = await open()
  await migrate(url, folder)
  await add('9001_more.sql', 'create table more (a integer); insert into more values (1);')
  expect(await migrate(url, folder)).toEqual(['9001_more.sql'])
  expect(await migrate(url, folder)).toEqual([])
  expect(await query('select * from more')).toEqual([{ a: 1 }])
})

test('a file that was changed after it ran is refused', async () => {
  const { url, folder, query, add } = await open()
  await migrate(url, folder)
  const text = await readFile(join(folder, '0001_platform.sql'), 'utf8')
  await add('0001_platform.sql', `${text}\n-- A word more.\n`)
  await add('9001_more.sql', 'create table more (a integer)')
  await expect(migrate(url, folder)).rejects.toThrow('Migration 0001_platform.sql was changed after it ran')
  expect(await query(`select to_regclass('more') as more`)).toEqual([{ more: null }])
})

test('a database that is newer than the program is refused', async () => {
  const { url, folder, add } = await open()
  await add('9001_newer.sql', 'create table newer (a integer)')
  await migrate(url, folder)
  await rm(join(folder, '9001_newer.sql'))
  await expect(migrate(url, folder)).rejects.toThrow(
    'The database is newer than this version of Rapport: it has 9001_newer.sql',
  )
})

test('a file that fails leaves nothing of itself, keeps what came before, and can be mended', async () => {
  const { url, folder, query, add } = await open()
  await add('9001_good.sql', 'create table good (a integer)')
  await add('9002_bad.sql', 'create table bad (a integer); select nonsense')
  await expect(migrate(url, folder)).rejects.toThrow('Migration 9002_bad.sql failed')
  expect(await query(`select to_regclass('good')::text as good, to_regclass('bad') as bad`)).toEqual([
    { good: 'good', bad: null },
  ])
  await add('9002_bad.sql', 'create table bad (a integer)')
  expect(await migrate(url, folder)).toEqual(['9002_bad.sql'])
})

test('the program as it is refuses nothing of its own', async () => {
  const migrations = await readMigrations(MIGRATIONS)
  expect(migrations.map(migration => migration.name)).toEqual(
    migrations.map(migration => migration.name).toSorted(),
  )
  for (const { name } of migrations) expect(name).toMatch(/^\d{4}_[a-z_]+\.sql$/)
})

/** Before it, the delay of a task or a call was its due date, and nobody knew who had made a workflow. */
const WITH_DUE_DATES = '0026'
const [team, person, key, byPerson, byKey] = ['a', 'b', 'c', 'd', 'e'].map(letter => letter.repeat(24))

type Query = (text: string) => Promise<Record<string, unknown>[]>

async function writeOldWorkflows(query: Query): Promise<void> {
  const json = (value: unknown) => `'${JSON.stringify(value)}'::jsonb`
  await query(`insert into teams (id, name, created_at, updated_at) values ('${team}', 'Team', now(), now());
    insert into users (id, name, email, created_at, updated_at) values ('${person}', 'Ada', 'ada@example.test', now(), now());
    insert into memberships (team_id, user_id, role, created_at) values ('${team}', '${person}', 'ADMIN', now());
    insert into api_keys (id, team_id, hash, prefix, name, scopes, user_id, created_at)
      values ('${key}', '${team}', 'h', 'p', 'Key', '{}', '${person}', now())`)
  for (const [id, trigger, kind, actor] of [
    [byPerson, 'lead.created', 'person', person],
    [byKey, 'webhook:form.submitted', 'key', key],
  ])
    await query(`insert into workflows (team_id, id, name, trigger, hears, filters, once_per_lead, nodes, status, version,
        draft, created_at, updated_at)
      values ('${team}', '${id}', 'Old', '${trigger}', '${trigger}', '[]', false, ${json(nodesWith('delay'))}, 'ACTIVE', 1,
        ${json({ name: 'Old', ...definitionWith('delay', trigger!) })}, now(), now());
      insert into workflow_versions values ('${team}', '${id}', 1, ${json(definitionWith('delay', trigger!))}, now(), 'Ada');
      insert into automation_listeners values ('${team}', '${trigger}');
      insert into events (team_id, id, type, subject_kind, subject_id, actor_kind, actor_id, data, at)
      values ('${team}', '${id}', 'workflow.created', 'workflow', '${id}', '${kind}', '${actor}', '{}', now())`)
}

async function expectTheirMeaning(query: Query): Promise<void> {
  const triggers = ['lead.created', 'form.submitted']
  expect(await query('select trigger, hears, nodes, draft, author_id from workflows order by id')).toEqual(
    triggers.map(trigger => ({
      trigger,
      hears: trigger,
      nodes: nodesWith('due'),
      draft: { name: 'Old', ...definitionWith('due', trigger) },
      author_id: person,
    })),
  )
  expect(await query('select definition from workflow_versions order by workflow_id')).toEqual(
    triggers.map(trigger => ({ definition: definitionWith('due', trigger) })),
  )
  expect(await query('select type from automation_listeners order by type')).toEqual(
    triggers.toSorted().map(type => ({ type })),
  )
}

function definitionWith(name: 'delay' | 'due', trigger: string) {
  return { trigger, filters: [], once_per_lead: false, nodes: nodesWith(name) }
}

function nodesWith(name: 'delay' | 'due') {
  const act = (action: string, more: object) => ({ type: 'action', action, ...more })
  const retry = act('schedule_call', { [name]: '1d', note: 'Again' })
  return [
    {
      type: 'condition',
      field: 'x',
      op: 'exists',
      then: [act('create_task', { [name]: '2d', catch: [retry] })],
      else: [{ type: 'split', paths: [{ name: 'A', nodes: [act('create_task', { [name]: '3d' })] }] }],
    },
    act('create_task', { title: 'At once' }),
    act('send_email', { delay: '1d', template: 'recap' }),
    { type: 'delay', delay: '1h' },
  ]
}

test('a table that becomes one by month keeps its rows where they are', async () => {
  const { url, folder, query, add } = await open(Infinity)
  const late = (await readMigrations(folder)).filter(({ name }) => name >= BY_MONTH)
  await Promise.all(late.map(({ name }) => rm(join(folder, name))))
  await migrate(url, folder)
  await query(`insert into teams select lpad('1', 24, '0'), 'Team', false, now(), now();
    insert into calls (team_id, id, kind, direction, status, started_at, created_at, updated_at)
      select id, first_id(now() - interval '400 days'), 'human', 'outbound', 'ENDED', now(), now(), now() from teams;
    insert into call_lines (team_id, call_id, id, ref, speaker, text, at)
      select team_id, id, id, 'first', 'caller', 'Hello', now() from calls`)
  const [before] = await query(`select pg_relation_filenode('call_lines') as file`)
  for (const { name, sql } of late) await add(name, sql)
  await migrate(url, folder)
  expect(await query(`select pg_relation_filenode('partitions.call_lines_early') as file`)).toEqual([before])
  expect(await query('select ref, text from call_lines')).toEqual([{ ref: 'first', text: 'Hello' }])
  const again = `insert into call_lines select team_id, call_id, id || '0', ref, speaker, text, null, now() from call_lines`
  await expect(query(again)).rejects.toThrow(/duplicate key/)
  await query('delete from calls')
  expect(await query('select from call_lines')).toEqual([])
})
const BY_MONTH = '0038'
