import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import { openPool, type Pool } from './pool.ts'

let app: TestApp
let pool: Pool
let ada: Person
let eve: Person

beforeAll(async () => {
  app = await startApp({ role: 'api' })
  pool = openPool({ url: app.database.url, size: 2, onError: () => {} })
  ada = await app.person()
  eve = await app.person()
  const key = await ada.key()
  await key.post('/api/crm/leads', { first_name: 'Grace' }, { 'idempotency-key': 'once' })
  await key.patch('/api/crm/lead-settings', { pipeline_stages: ['New', 'Won'] })
  await ada.browser.post('/api/crm/views', { kind: 'leads', name: 'Mine', query: '', shared: false })
})
afterAll(async () => {
  await pool.close()
  await app.close()
})

type Table = { name: string; enabled: boolean; forced: boolean; owner: string; policies: number }

/** Every table with a team, as the catalogue knows it: those of later domains as well. */
async function teamTables(): Promise<Table[]> {
  return app.database.query<Table>(`
    select relname as name, relrowsecurity as enabled, relforcerowsecurity as forced, relowner::regrole::text as owner,
      (select count(*)::int from pg_policy where polrelid = pg_class.oid) as policies
    from pg_class join pg_attribute on attrelid = pg_class.oid and attname = 'team_id'
    where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace order by relname`)
}

/** Local by nature: looked up before the team is known, or worked off for all teams. Nothing else may join them unseen. */
const LOCAL = [
  'agent_listings',
  'agent_numbers',
  'api_keys',
  'attended_calls',
  'booking_addresses',
  'call_addresses',
  'call_commands',
  'changes',
  'form_addresses',
  'invitations',
  'invoice_addresses',
  'jobs',
  'memberships',
  'oauth_clients',
  'oauth_grants',
  'sessions',
  'settlements',
]

const as = async (team: string | undefined, text: string, values: unknown[] = []) =>
  (
    await pool.flush([
      ...(team ? [{ text: `set local app.team = '${team}'`, values: [] }] : []),
      { text, values },
    ])
  ).at(-1)!

test('every table with a team is bound by row security, its owner included', async () => {
  const tables = await teamTables()
  const bound = tables.filter(table => table.policies > 0)
  expect(bound.length).toBeGreaterThanOrEqual(5)
  for (const table of bound) expect(table).toMatchObject({ enabled: true, forced: true })
  expect(tables.filter(table => table.policies === 0).map(table => table.name)).toEqual(LOCAL)
})

test('with no team set, no tenant table shows a row, takes one, or changes one', async () => {
  for (const { name } of (await teamTables()).filter(table => table.policies > 0)) {
    expect([name, (await as(undefined, `select * from ${name}`)).rows]).toEqual([name, []])
    const before = await app.database.query(`select * from ${name}`)
    for (const text of [`update ${name} set team_id = team_id`, `delete from ${name}`]) {
      const touched = await as(undefined, text).then(result => result.rowCount, refusedOrThrow)
      expect([name, text, touched]).toEqual([name, text, 0])
    }
    expect(await app.database.query(`select * from ${name}`)).toEqual(before)
  }
})

test('a team sees its own rows and no other', async () => {
  let seen = 0
  for (const { name } of (await teamTables()).filter(table => table.policies > 0)) {
    const ours = (await as(ada.team_id, `select team_id from ${name}`)).rows
    expect(ours.every(row => row.team_id === ada.team_id)).toBe(true)
    expect((await as(eve.team_id, `select from ${name} where team_id = $1`, [ada.team_id])).rowCount).toBe(0)
    seen += ours.length
  }
  expect(seen).toBeGreaterThan(3)
})

test('a team cannot write a row for another, nor move one to it', async () => {
  const [lead] = (await as(ada.team_id, 'select * from leads limit 1')).rows
  const move = as(ada.team_id, 'update leads set team_id = $1 where id = $2', [eve.team_id, lead!.id])
  await expect(move).rejects.toMatchObject({ code: '42501' })
  const write = as(ada.team_id, `insert into lead_settings values ($1, '[]', '[]', now())`, [eve.team_id])
  await expect(write).rejects.toMatchObject({ code: '42501' })
})

test('the application role is no owner and no superuser, and cannot pass row security', async () => {
  const [role] = await app.database.query(
    `select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolcanlogin from pg_roles where rolname = 'rapport_app'`,
  )
  expect(role).toEqual({
    rolsuper: false,
    rolbypassrls: false,
    rolcreaterole: false,
    rolcreatedb: false,
    rolcanlogin: false,
  })
  expect((await teamTables()).filter(table => table.owner === 'rapport_app')).toEqual([])
  const member = await app.database.query(
    `select roleid::regrole::text as of from pg_auth_members where member = 'rapport_app'::regrole`,
  )
  expect(member).toEqual([])
  for (const text of [
    'alter table leads disable row level security',
    'drop policy team on leads',
    'drop table leads',
    'create table mine (a int)',
  ]) {
    await expect(as(ada.team_id, text)).rejects.toMatchObject({ code: '42501' })
  }
})

test('nobody rewrites what happened', async () => {
  for (const text of ['update events set type = $1', 'delete from events where type <> $1']) {
    await expect(as(ada.team_id, text, ['x'])).rejects.toMatchObject({ code: '42501' })
  }
})

/** A privilege that was never given is as good as no row. */
function refusedOrThrow(error: { code?: string }): number {
  if (error.code === '42501') return 0
  throw error
}
