import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import { escapeLiteral, type ClientBase } from 'pg'
import { quote } from './catalogue.ts'
import { connectTo } from './hosts.ts'
import { APPLICATION_ROLE } from './pool.ts'

/** Any number that other programs on the same server are unlikely to use. */
const LOGIN_LOCK = 7_266_790
const PASSWORD_BYTES = 24
/** Roles are the server's: a name has at most 63 bytes, and one server may have several installations. */
const DATABASE_NAME_MAX = 50
const OURS = 'made by Rapport, which looks after its password'

/** What the product logs in with. `shared` says why it has to be the owner's own login after all. */
export type Login = { url: string; name: string; shared?: string }

/**
 * A login that owns nothing, is no superuser, and can become nothing but the application: whatever reaches the database
 * through the product, row security binds it. The owner makes it at the first start and keeps its password where only the
 * owner reads it. An owner that may not make roles works with its own login, and is told so.
 */
export async function openLogin(ownerUrl: string): Promise<Login> {
  const owner = await connectTo(ownerUrl)
  try {
    const name = await loginName(owner)
    try {
      const known = await findPassword(owner, name)
      const login = loginTo(ownerUrl, name, known ?? (await makeLogin(owner, name)))
      await checkLogin(login)
      return login
    } catch (error) {
      return { url: ownerUrl, name: await currentLogin(owner), shared: (error as Error).message }
    }
  } finally {
    await owner.end()
  }
}

/** Refuses a login that row security would not bind: an owner, a superuser, or a member of anything else. */
export async function checkLogin({ url }: Pick<Login, 'url'>): Promise<void> {
  const client = await connectTo(url)
  try {
    const { rows } = await client.query<{ name: string; fault: string | null }>(
      `select rolname as name, case
          when rolsuper or rolbypassrls then 'passes row security'
          when not pg_has_role($1, 'usage') then 'is no member of ' || $1
          when exists (select from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
            and pg_has_role(relowner, 'member')) then 'may act as the owner of the tables'
        end as fault
       from pg_roles where rolname = session_user`,
      [APPLICATION_ROLE],
    )
    const { name, fault } = rows[0]!
    if (fault) throw new Error(`${name} ${fault}`)
  } finally {
    await client.end()
  }
}

/** The login that is there, the one that the next start makes, or why it will not. For an operator who asks. */
export async function describeLogin(
  owner: ClientBase,
): Promise<{ name: string; made: boolean; fault?: string }> {
  const name = await loginName(owner)
  if (await findPassword(owner, name)) return { name, made: true }
  const { rows } = await owner.query<{ may: boolean }>(
    'select rolsuper or rolcreaterole as may from pg_roles where rolname = current_user',
  )
  return { name, made: false, ...(!rows[0]!.may && { fault: 'this login may not create roles' }) }
}

async function loginName(owner: ClientBase): Promise<string> {
  const { rows } = await owner.query<{ database: string }>('select current_database() as database')
  return `${rows[0]!.database.slice(0, DATABASE_NAME_MAX)}_login`
}

async function currentLogin(owner: ClientBase): Promise<string> {
  return (await owner.query<{ name: string }>('select session_user as name')).rows[0]!.name
}

/** None when the role is gone: a server that was moved brings its tables along and not its roles. */
async function findPassword(owner: ClientBase, name: string): Promise<string | undefined> {
  const { rows } = await owner.query<{ password: string }>(
    'select password from database_logins join pg_roles on rolname = name where name = $1',
    [name],
  )
  return rows[0]?.password
}

/** Processes that start at once make it once. */
async function makeLogin(owner: ClientBase, name: string): Promise<string> {
  await owner.query('begin')
  try {
    await owner.query('select pg_advisory_xact_lock($1)', [LOGIN_LOCK])
    const password = (await findPassword(owner, name)) ?? (await writeLogin(owner, name))
    await owner.query('commit')
    return password
  } catch (error) {
    await owner.query('rollback')
    throw error
  }
}

async function writeLogin(owner: ClientBase, name: string): Promise<string> {
  const password = randomBytes(PASSWORD_BYTES).toString('base64url')
  const secret = escapeLiteral(verifierOf(password))
  const { rows } = await owner.query<{ words: string | null }>(
    `select shobj_description(oid, 'pg_authid') as words from pg_roles where rolname = $1`,
    [name],
  )
  if (rows[0] && rows[0].words !== OURS) throw new Error(`the role ${name} was not created by Rapport`)
  if (rows[0]) await owner.query(`alter role ${quote(name)} password ${secret}`)
  else {
    await owner.query(
      `create role ${quote(name)} login nosuperuser nobypassrls nocreatedb nocreaterole password ${secret}`,
    )
    await owner.query(`comment on role ${quote(name)} is ${escapeLiteral(OURS)}`)
  }
  await owner.query(`grant ${APPLICATION_ROLE} to ${quote(name)}`)
  await owner.query(
    `insert into database_logins (name, password) values ($1, $2)
     on conflict (name) do update set password = excluded.password`,
    [name, password],
  )
  return password
}

/**
 * What PostgreSQL stores for a password (SCRAM-SHA-256), so that the password itself is in no server's log.
 */
function verifierOf(password: string): string {
  const salt = randomBytes(16)
  const iterations = 4096
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256')
  const key = (words: string) => createHmac('sha256', salted).update(words).digest()
  const stored = createHash('sha256').update(key('Client Key')).digest('base64')
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${key('Server Key').toString('base64')}`
}

/** The same server and database: the last parameters in the URL win, whatever its form. */
function loginTo(ownerUrl: string, name: string, password: string): Login {
  const words = new URLSearchParams({ user: name, password })
  return { name, url: `${ownerUrl}${ownerUrl.includes('?') ? '&' : '?'}${words}` }
}
