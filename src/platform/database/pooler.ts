import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { quote } from './catalogue.ts'
import { connectTo } from './hosts.ts'
import { APPLICATION_ROLE, applicationSettings, type Pooler } from './pool.ts'

/** Any number that other programs on the same server are unlikely to use. */
const SETTINGS_LOCK = 7_266_792

/**
 * A pooler refuses settings at the start of a connection, and forgets those made on one. So the login itself has them: each
 * connection that the pooler opens begins with the application's role. Answers the URL through the pooler.
 */
export async function openPooler(
  loginUrl: string,
  poolerUrl: string,
): Promise<{ url: string; pooler: Pooler }> {
  await keepSettings(loginUrl)
  const url = throughPooler(loginUrl, poolerUrl)
  const client = await connectTo(url)
  try {
    await refuseOtherSettings(client)
    return { url, pooler: { named: await preparesNamed(client) } }
  } finally {
    await client.end()
  }
}

type Kept = { login: string; database: string; known: string[]; kept: string[] | null }

/** The login may change its own settings; where they are the same already, nothing is written. */
async function keepSettings(loginUrl: string): Promise<void> {
  const client = await connectTo(loginUrl)
  try {
    await client.query('set role none')
    await client.query('begin')
    // Processes that start at once write them one after the other.
    await client.query('select pg_advisory_xact_lock($1)', [SETTINGS_LOCK])
    const { rows } = await client.query<Kept>(
      `select session_user::text as login, current_database()::text as database,
         array(select name from pg_settings where name = any($1)) as known, (
         select setconfig from pg_db_role_setting join pg_roles on pg_roles.oid = setrole
         join pg_database on pg_database.oid = setdatabase
         where rolname = session_user and datname = current_database()) as kept`,
      [Object.keys(loginSettings)],
    )
    const { login, database, known, kept } = rows[0]!
    for (const [name, value] of Object.entries(loginSettings)) {
      // A setting of an extension that is not there may only be made by a superuser, and has no use.
      if (name.includes('.') && !known.includes(name)) continue
      if (kept?.some(setting => setting.toLowerCase() === `${name}=${value}`.toLowerCase())) continue
      const role = `alter role ${quote(login)} in database ${quote(database)}`
      await client.query(`${role} set ${name} = ${pg.escapeLiteral(value)}`)
    }
    await client.query('commit')
  } finally {
    await client.end()
  }
}

const loginSettings: Record<string, string> = { ...applicationSettings, role: APPLICATION_ROLE }

/** Connections that were open before the login had its settings do not have them. */
async function refuseOtherSettings(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string; timezone: string }>(
    `select current_user as name, current_setting('timezone') as timezone`,
  )
  const { name, timezone } = rows[0]!
  if (name !== APPLICATION_ROLE || timezone !== 'UTC')
    throw new Error('it has connections from before the login got its settings: run RECONNECT in its console')
}

/** A pooler that keeps named statements gives them names of its own on the server. */
async function preparesNamed(client: pg.Client): Promise<boolean> {
  const name = `rapport_${randomBytes(8).toString('hex')}`
  await client.query('begin')
  await client.query({ name, text: 'select 1' })
  const { rowCount } = await client.query('select from pg_prepared_statements where name = $1', [name])
  if (rowCount === 1) await client.query(`deallocate ${quote(name)}`)
  await client.query('commit')
  return rowCount === 0
}

/** The pooler's host and database, with the name and password of the login. */
export function throughPooler(loginUrl: string, poolerUrl: string): string {
  const { user, password } = new pg.Client({ connectionString: loginUrl })
  const words = new URLSearchParams({ user: user ?? '', password: password ?? '' })
  return `${poolerUrl}${poolerUrl.includes('?') ? '&' : '?'}${words}`
}
