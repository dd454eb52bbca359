import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest'
import { readConfig } from '#config'
import { loadDemo } from '../../src/demo/demo.ts'
import { openBase } from '../../src/process.ts'
import { startApp } from '#test/app.ts'
import { createDatabase, type TestDatabase } from '#test/database.ts'
import { eventually } from '#test/eventually.ts'
import { databaseUrl } from '#test/postgres.ts'
import { testPorts } from '#test/ports.ts'
import { further } from '#test/tier.ts'
import { systemContext } from '#platform/context.ts'
import { readArchive, writeArchive, type ArchiveHeader } from '#platform/database/archive.ts'
import { writeBackup } from '#platform/database/backup.ts'
import { migrate, readMigrations } from '#platform/database/migrate.ts'
import { openPool } from '#platform/database/pool.ts'
import { restoreBackup } from '#platform/database/restore.ts'
import { useDatabase } from '#platform/database/usage.ts'

const MIGRATIONS = new URL('../../migrations/', import.meta.url).pathname
const MADE_AT = '2026-03-02T09:00:00.000Z'
const folder = mkdtempSync(join(tmpdir(), 'rapport-backup-'))
const config = { ...readConfig({ DATA_DIR: folder }), logLevel: 'silent', databasePoolSize: 4 }
const cleanUps: (() => Promise<unknown>)[] = []
let names = 0

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const newFile = () => join(folder, `${++names}.gz`)

/** The demo, and a backup of it. */
let source: TestDatabase
const file = newFile()
/** Of a team with one member, by a version with few tables: to restore it takes a tenth of the time. */
const oldFile = newFile()

beforeAll(async () => {
  source = await createDatabase()
  const base = openBase({ config, databaseUrl: source.url, ports: testPorts() })
  await loadDemo(base.runtime)
  await base.close()
  await writeBackup(source.url, file, MADE_AT)
  const old = await empty()
  await migrate(old.url, migrationsWith({ until: '0004' }))
  await old.query(`insert into teams values ('${TEAM}', 'Of old', false, now(), now());
    insert into users values ('${TEAM}', 'ada@example.test', 'Ada', '', now(), now());
    insert into memberships values ('${TEAM}', '${TEAM}', 'VIEWER', now())`)
  await writeBackup(old.url, oldFile, MADE_AT)
})
afterAll(() => source?.drop())

/** A database with something in it that must not get lost. */
async function occupied(): Promise<TestDatabase> {
  const database = await createDatabase()
  cleanUps.push(() => database.drop())
  await database.query(INSERT_TEAM)
  return database
}

const TEAM = 'a'.repeat(24)
const INSERT_TEAM = `insert into teams values ('${TEAM}', 'Still here', false, now(), now())`
const TEAM_NAMES = 'select name from teams'

/** A database without tables, and a way to ask it as the server's superuser. */
async function empty(owner?: string) {
  const server = inject('postgresUrl')
  const name = `test_restore_${process.pid}_${++names}`
  await asked(server, `create database ${name} ${owner ? `owner ${owner}` : ''}`)
  cleanUps.push(() => asked(server, `drop database ${name} with (force)`))
  const url = databaseUrl(server, name)
  return { url, query: (text: string) => asked(url, text) }
}

async function asked(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows as Record<string, unknown>[]
  } finally {
    await client.end()
  }
}

async function restore(
  url: string,
  file: string,
  { force = false, migrations = MIGRATIONS } = {},
): Promise<ArchiveHeader> {
  const base = openBase({ config, databaseUrl: url, ports: testPorts() })
  const pool = openPool({ url, size: 1, role: 'owner', onError: () => {} })
  try {
    const ctx = systemContext({ ...base.runtime, pool })
    return await restoreBackup(ctx, { file, force, known: await readMigrations(migrations) })
  } finally {
    await pool.close()
    await base.close()
  }
}

/** The migrations folder with some left out and others added. */
function migrationsWith({ until = '9999', more = {} as Record<string, string> }): string {
  const copy = join(folder, `migrations-${++names}`)
  cpSync(MIGRATIONS, copy, {
    recursive: true,
    filter: path => !path.endsWith('.sql') || basename(path) < until,
  })
  for (const [name, text] of Object.entries(more)) writeFileSync(join(copy, name), text)
  return copy
}

/** Every row of a backup, by table. */
async function contents(file: string): Promise<Map<string, string[]>> {
  const tables = new Map<string, string[]>()
  await readArchive(file, undefined, async ({ name }, rows) => {
    const parts: Buffer[] = []
    for await (const part of rows) parts.push(part)
    tables.set(name, Buffer.concat(parts).toString().split('\n').filter(Boolean).toSorted())
  })
  return tables
}

/** The backup with its text changed, and sealed again as if it had been written so. */
async function rewritten(file: string, change: (text: string) => string): Promise<string> {
  const text = gunzipSync(readFileSync(file)).toString()
  const [first, ...lines] = change(text).split('\n')
  const header = JSON.parse(first!) as ArchiveHeader
  const changed = newFile()
  let at = 0
  await writeArchive(changed, header, async function* ({ rows }) {
    yield Buffer.from(
      lines
        .slice(at, (at += rows))
        .map(line => `${line}\n`)
        .join(''),
    )
  })
  return changed
}

test('what was restored backs up to the same rows, apart from the hold', async () => {
  const target = await empty()
  const header = await restore(target.url, file)
  expect(header.tables.reduce((sum, table) => sum + table.rows, 0)).toBeGreaterThan(1_000)
  const again = newFile()
  await writeBackup(target.url, again, MADE_AT)
  const [before, after] = [await contents(file), await contents(again)]
  expect(after.get('installation')).toEqual(['hold_outgoing\ton'])
  for (const [table, rows] of before)
    if (table !== 'installation') expect([table, after.get(table)]).toEqual([table, rows])
  expect(after.has('changes')).toBe(false)
  // What the database computes and what binds the application is back as well.
  expect(
    await target.query('select count(*)::int as n from leads where search_text is not null'),
  ).not.toEqual([{ n: 0 }])
  const shape = `select string_agg(d, ';' order by d) as shape from (
    select pg_get_indexdef(indexrelid) as d from pg_index where indrelid::regclass::text !~ '^pg_'
    union all select conname || pg_get_constraintdef(oid) from pg_constraint
    union all select relname || relrowsecurity || relforcerowsecurity from pg_class where relnamespace = 'public'::regnamespace) x`
  expect(await target.query(shape)).toEqual(await source.query(shape))
  expect(await migrate(target.url, MIGRATIONS)).toEqual([])
})

test('a backup amid writes is of one moment: no lead without its event, and nothing acknowledged is missing', async () => {
  const app = await startApp()
  cleanUps.push(() => app.close())
  const key = await (await app.person()).key()
  const writing = { on: true, acknowledged: 0 }
  const writer = async () => {
    while (writing.on) {
      expect((await key.post('/api/crm/leads', { first_name: 'Ada' })).status).toBe(201)
      writing.acknowledged++
    }
  }
  const writers = [writer(), writer(), writer()]
  await eventually(() => expect(writing.acknowledged).toBeGreaterThan(30))
  const before = writing.acknowledged
  const file = newFile()
  await writeBackup(app.database.url, file, MADE_AT)
  writing.on = false
  await Promise.all(writers)
  const tables = await contents(file)
  const created = tables.get('events')!.filter(line => line.includes('\tlead.created\t'))
  expect(tables.get('leads')!.length).toBeGreaterThanOrEqual(before)
  expect(created.length).toBe(tables.get('leads')!.length)
})

test('a damaged, cut, foreign or later file is refused before anything is touched', async () => {
  const whole = readFileSync(file)
  const text = gunzipSync(whole).toString()
  const bad = {
    'a flipped bit': Buffer.from(whole).fill(
      whole[whole.length >> 1]! ^ 4,
      whole.length >> 1,
      (whole.length >> 1) + 1,
    ),
    'the second half gone': whole.subarray(0, whole.length >> 1),
    'one letter of a note changed': gzipSync(text.replace('technicians', 'technicianz')),
    'a row less': gzipSync(text.replace(/\n[^\n]*lead\.noted[^\n]*/, '')),
    'something after the end': gzipSync(`${text}more\n`),
    'no backup': gzipSync('{"format":"other"}\n'),
    'not even packed': Buffer.from('hello'),
    'a later format': gzipSync(text.replace('"version":1', '"version":2')),
    empty: Buffer.alloc(0),
  }
  const target = await occupied()
  for (const [what, bytes] of Object.entries(bad)) {
    const damaged = newFile()
    writeFileSync(damaged, bytes)
    await expect(restore(target.url, damaged, { force: true }), what).rejects.toThrow(/damaged|format 2/)
  }
  expect(await target.query(TEAM_NAMES)).toEqual([{ name: 'Still here' }])
})

test('a restore that fails half-way leaves what was there', async () => {
  const target = await occupied()
  const viewer = /\n([0-9a-f]{24}\t)[0-9a-f]{24}(\tVIEWER\t)/
  const orphaned = await rewritten(oldFile, text => text.replace(viewer, `\n$1${'0'.repeat(24)}$2`))
  await expect(restore(target.url, orphaned, { force: true })).rejects.toThrow(/foreign key/)
  expect(await target.query(TEAM_NAMES)).toEqual([{ name: 'Still here' }])
  await restore(target.url, oldFile, { force: true })
  expect(await target.query(TEAM_NAMES)).toEqual([{ name: 'Of old' }])
})

test('a database with content is left alone without force; in use, or of another program, always', async () => {
  const target = await occupied()
  await expect(restore(target.url, file)).rejects.toThrow(/not empty.*--force/)
  const usage = await useDatabase(target.url)
  await expect(restore(target.url, file, { force: true })).rejects.toThrow(/is running on this database/)
  await usage.end()
  const foreign = await empty()
  await foreign.query('create table wp_posts (id int)')
  await expect(restore(foreign.url, file, { force: true })).rejects.toThrow(/another application.*wp_posts/)
})

further('a process that lost its connection still counts as using the database', async () => {
  const target = await occupied()
  const usage = await useDatabase(target.url)
  const marks = `select pid from pg_stat_activity
    where datname = current_database() and application_name = 'rapport (in use)'`
  const [first] = await target.query<{ pid: number }>(marks)
  await target.query('select pg_terminate_backend($1)', [first!.pid])
  await eventually(async () => {
    const marked = await target.query<{ pid: number }>(`${marks} and state = 'idle'`)
    expect(marked.map(({ pid }) => pid === first!.pid)).toEqual([false])
  })
  await expect(restore(target.url, file, { force: true })).rejects.toThrow(/is running on this database/)
  await usage.end()
})

test('an older backup is brought forward, one of a newer program is refused', async () => {
  const target = await empty()
  await restore(target.url, oldFile)
  expect((await migrate(target.url, MIGRATIONS))[0]).toBe('0004_views.sql')
  expect(await target.query(TEAM_NAMES)).toEqual([{ name: 'Of old' }])
  const newer = await empty()
  await expect(
    restore(newer.url, oldFile, { migrations: migrationsWith({ until: '0003' }) }),
  ).rejects.toThrow(/newer than this version of Rapport.*0003/)
})

further('keys in a circle, numbered rows and tables nobody has heard of come back too', async () => {
  const more = {
    '9000_circle.sql': `
      create table hens (id int generated always as identity primary key, egg_id int, name text);
      create table eggs (id int primary key, hen_id int not null references hens, weight int, heavy boolean generated always as (weight > 60) stored);
      alter table hens add foreign key (egg_id) references eggs;`,
  }
  const migrations = migrationsWith({ more })
  const farm = await createDatabase()
  cleanUps.push(() => farm.drop())
  expect(await migrate(farm.url, migrations)).toEqual(['9000_circle.sql'])
  await farm.query(`insert into hens (name) values ('Ada'), (E'tab\\tnew\\nline \\\\. end'), (null);
    insert into eggs values (1, 2, 70); update hens set egg_id = 1 where id = 2`)
  const file = newFile()
  await writeBackup(farm.url, file, MADE_AT)
  const target = await empty()
  await restore(target.url, file, { migrations })
  for (const table of ['hens', 'eggs']) {
    const all = `select * from ${table} order by id`
    expect(await target.query(all)).toEqual(await farm.query(all))
  }
  expect(await target.query(`insert into hens (name) values ('Next') returning id`)).toEqual([{ id: 4 }])
})

further('an owner whom row security binds loses nothing on the way, and can erase a team', async () => {
  const server = inject('postgresUrl')
  const login = `bound_${process.pid}`
  await asked(
    server,
    `create role ${login} login password 'secret'; grant rapport_app, rapport_search to ${login}`,
  )
  cleanUps.push(() => asked(server, `drop role ${login}`))
  const [bound, target] = [await empty(login), await empty(login)]
  const as = (url: string) => url.replace(/\/\/[^@]*@/, `//${login}:secret@`)
  await migrate(as(bound.url), MIGRATIONS)
  await bound.query(`${INSERT_TEAM}; insert into lead_settings values ('${TEAM}', '[]', '[]', now())`)
  expect(await asked(as(bound.url), 'select * from lead_settings')).toEqual([])
  const file = newFile()
  await writeBackup(as(bound.url), file, MADE_AT)
  await restore(as(target.url), file)
  expect(await target.query('select team_id from lead_settings')).toEqual([{ team_id: TEAM }])
  expect(await asked(as(target.url), 'select * from lead_settings')).toEqual([])
  expect(await asked(as(target.url), `select erase_team('${TEAM}')::int as erased`)).toEqual([{ erased: 2 }])
  expect(await target.query('select * from lead_settings')).toEqual([])
})

test('a file that exists is not written over, and a failed backup leaves none', async () => {
  const file = newFile()
  writeFileSync(`${file}.part`, 'of another backup')
  await expect(writeBackup(source.url, file, MADE_AT)).rejects.toThrow(/EEXIST/)
  expect(readFileSync(`${file}.part`, 'utf8')).toBe('of another backup')
  mkdirSync(join(folder, 'taken'))
  await expect(writeBackup(source.url, join(folder, 'taken'), MADE_AT)).rejects.toThrow()
  expect(() => readFileSync(join(folder, 'taken.part'))).toThrow(/ENOENT/)
})
