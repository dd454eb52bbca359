import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import { TABLES_OF_NO_TEAM } from '#test/tables.ts'
import { checkLogin } from './login.ts'
import { openPool, type Pool } from './pool.ts'
import { tables } from './tables.ts'
import { INSTALLATION_SETTING } from './team-setting.ts'

let app: TestApp
let pool: Pool
let ada: Person
let eve: Person

beforeAll(async () => {
  app = await startApp({ role: 'api' })
  pool = openPool({ url: app.database.loginUrl, size: 2, onError: () => {} })
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

type Table = {
  name: string
  team: boolean
  enabled: boolean
  forced: boolean
  owner: string
  policies: number
}

/** Every table with a team, as the catalogue knows it: those of later domains as well. */
async function teamTables(): Promise<Table[]> {
  return (await allTables()).filter(table => table.team)
}

async function allTables(): Promise<Table[]> {
  return app.database.query<Table>(`
    select relname as name, exists (select from pg_attribute where attrelid = pg_class.oid and attname = 'team_id') as team, relrowsecurity as enabled, relforcerowsecurity as forced, relowner::regrole::text as owner,
      (select count(*)::int from pg_policy where polrelid = pg_class.oid) as policies
    from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace order by relname`)
}

const as = async (team: string | undefined, text: string, values: unknown[] = []) =>
  (
    await pool.flush([
      ...(team ? [{ text: `set local app.team = '${team}'`, values: [] }] : []),
      { text, values },
    ])
  ).at(-1)!

test('every table but those of the installation itself is bound by row security, its owner included', async () => {
  const all = await allTables()
  const bound = all.filter(table => table.policies > 0)
  for (const table of bound) expect(table).toMatchObject({ enabled: true, forced: true })
  expect(all.filter(table => table.policies === 0).map(table => table.name)).toEqual(TABLES_OF_NO_TEAM)
})

test('no condition of a policy stands between a search and its index', async () => {
  const conditions = await app.database.query(
    `select tablename, policyname from pg_policies
     where 'rapport_search' = any (roles) and (permissive <> 'PERMISSIVE' or qual <> 'true')`,
  )
  expect(conditions).toEqual([])
})

test('with no team set, no table shows a row, takes one, or changes one', async () => {
  for (const { name } of (await allTables()).filter(table => table.policies > 0)) {
    expect([name, (await as(undefined, `select * from ${name}`)).rows]).toEqual([name, []])
    const before = await app.database.query(`select * from ${name}`)
    const column = await firstColumn(name)
    for (const text of [`update ${name} set ${column} = ${column}`, `delete from ${name}`]) {
      const touched = await as(undefined, text).then(result => result.rowCount, refusedOrThrow)
      expect([name, text, touched]).toEqual([name, text, 0])
    }
    expect(await app.database.query(`select * from ${name}`)).toEqual(before)
  }
})

test("who works for the installation sees nothing of what is a team's alone", async () => {
  const [leads] = (
    await pool.flush([INSTALLATION_SETTING, { text: 'select * from leads', values: [] }])
  ).slice(1)
  expect(leads!.rows).toEqual([])
  const [teams] = (
    await pool.flush([INSTALLATION_SETTING, { text: 'select * from teams', values: [] }])
  ).slice(1)
  expect(teams!.rowCount).toBeGreaterThan(1)
})

test('a context of a team sees its own sessions, and all of them only when it says so', async () => {
  const sessions = tables<{ sessions: { team_id: string } }>().selectFrom('sessions').select('team_id')
  const teams = (rows: { team_id: string }[]) => new Set(rows.map(({ team_id }) => team_id))
  expect(teams(await ada.ctx.all(sessions))).toEqual(new Set([ada.team_id]))
  expect(teams(await ada.ctx.acrossTeams().all(sessions))).toEqual(new Set([ada.team_id, eve.team_id]))
  await ada.ctx.transaction(async ctx => {
    const [wide, own] = await Promise.all([ctx.acrossTeams().all(sessions), ctx.all(sessions)])
    expect([teams(wide).size, teams(own).size]).toEqual([2, 1])
    expect(teams(await ctx.all(sessions))).toEqual(new Set([ada.team_id]))
  })
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

test('the login of the product can become nobody else, and sees no more as itself', async () => {
  await expect(checkLogin({ url: app.database.loginUrl })).resolves.toBeUndefined()
  await expect(checkLogin({ url: app.database.url })).rejects.toThrow(/passes row security/)
  for (const text of ['set role none', 'reset role', 'set session authorization default']) {
    const [, leads] = await pool.flush([
      { text, values: [] },
      { text: 'select count(*) from leads', values: [] },
      { text: 'set role rapport_app', values: [] },
    ])
    expect([text, leads!.rows]).toEqual([text, [{ count: 0 }]])
  }
  const owner = (await app.database.query<{ name: string }>('select current_user as name'))[0]!.name
  await expect(as(ada.team_id, `set role ${owner}`)).rejects.toMatchObject({ code: '42501' })
  await expect(as(ada.team_id, 'select * from database_logins')).rejects.toMatchObject({ code: '42501' })
})

test('nobody rewrites what happened', async () => {
  for (const text of ['update events set type = $1', 'delete from events where type <> $1']) {
    await expect(as(ada.team_id, text, ['x'])).rejects.toMatchObject({ code: '42501' })
  }
})

async function firstColumn(table: string): Promise<string> {
  const rows = await app.database.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and attgenerated = '' order by attnum limit 1`,
    [table],
  )
  return rows[0]!.name
}

/** A privilege that was never given is as good as no row. */
function refusedOrThrow(error: { code?: string }): number {
  if (error.code === '42501') return 0
  throw error
}
