import { inject, onTestFinished, expect, test } from 'vitest'
import pg from 'pg'
import { createDatabase } from '#test/database.ts'
import { databaseUrl } from '#test/postgres.ts'
import { checkLogin, describeLogin, openLogin } from './login.ts'

/** A database of its own, and the role that belongs to it. */
async function open() {
  const database = await createDatabase()
  const [row] = await database.query<{ name: string }>('select current_database() as name')
  const login = `${row!.name}_login`
  onTestFinished(async () => {
    await database.drop()
    const client = new pg.Client({ connectionString: inject('postgresUrl') })
    await client.connect()
    await client.query(`drop role if exists ${login}, ${login}_owner`)
    await client.end()
  })
  return { database, login }
}

test('the first start makes a login that owns nothing, and every later one finds it', async () => {
  const { database, login } = await open()
  const first = await openLogin(database.url)
  expect(first).toMatchObject({ name: login })
  expect(first.shared).toBeUndefined()
  expect(await openLogin(database.url)).toEqual(first)
  const roles = await database.query(
    `select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication,
       array(select roleid::regrole::text from pg_auth_members where member = pg_roles.oid) as member_of
     from pg_roles where rolname = $1`,
    [login],
  )
  expect(roles).toEqual([
    {
      rolsuper: false,
      rolbypassrls: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolreplication: false,
      member_of: ['rapport_app'],
    },
  ])
})

test('processes that start at once share one', async () => {
  const { database } = await open()
  const logins = await Promise.all(Array.from({ length: 6 }, () => openLogin(database.url)))
  expect(new Set(logins.map(({ url }) => url)).size).toBe(1)
})

test('of the password the server is told only what it keeps of one', async () => {
  const { database, login } = await open()
  const { url } = await openLogin(database.url)
  const [role] = await database.query<{ kept: string }>(
    'select rolpassword as kept from pg_authid where rolname = $1',
    [login],
  )
  const password = new URLSearchParams(url.slice(url.indexOf('?'))).get('password')!
  expect(role!.kept).toMatch(/^SCRAM-SHA-256\$4096:/)
  expect(role!.kept).not.toContain(password)
})

test('a copy of the database has a login of its own, and a password that was lost is replaced', async () => {
  const { database, login } = await open()
  const first = await openLogin(database.url)
  await database.query('delete from database_logins where name = $1', [login])
  const second = await openLogin(database.url)
  expect(second.name).toBe(login)
  expect(second.url).not.toBe(first.url)
  await database.query(`drop role ${login}`)
  expect((await openLogin(database.url)).name).toBe(login)
})

test('a role that somebody else made is left alone', async () => {
  const { database, login } = await open()
  await database.query(`create role ${login} login`)
  const { shared, url } = await openLogin(database.url)
  expect(shared).toBe(`the role ${login} was not created by Rapport`)
  expect(url).toBe(database.url)
})

test('an owner that may not make roles works with its own login, and is told why', async () => {
  const { database, login } = await open()
  const owner = `${login}_owner`
  await database.query(`create role ${owner} login; grant rapport_app to ${owner};
    grant all on database_logins to ${owner}`)
  const url = databaseUrl(`${inject('postgresUrl')}&user=${owner}`, new URL(database.url).pathname.slice(1))
  expect(await openLogin(url)).toMatchObject({
    url,
    name: owner,
    shared: expect.stringMatching(/permission denied/) as string,
  })
})

test('a login that could leave row security behind is refused by name', async () => {
  const { database } = await open()
  await expect(checkLogin({ url: database.url })).rejects.toThrow(/^rapport_owner passes row security$/)
  await expect(checkLogin({ url: database.loginUrl })).resolves.toBeUndefined()
})

test('an operator who asks is told of the login, without making one', async () => {
  const { database, login } = await open()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  onTestFinished(() => client.end())
  expect(await describeLogin(client)).toEqual({ name: login, made: false })
  expect(await database.query('select from pg_roles where rolname = $1', [login])).toEqual([])
  await openLogin(database.url)
  expect(await describeLogin(client)).toEqual({ name: login, made: true })
})
