import type { TestDatabase } from './database.ts'

/** Every row of the database as text, by table; or only those of one team, also found by its people. */
export type Rows = Record<string, string[]>

/**
 * The bytes of each row and the transaction that wrote it (`xmin`): even a row that was written with the same content
 * differs afterwards.
 */
export async function rowsOf(database: TestDatabase, team_id?: string): Promise<Rows> {
  const tables = await database.query<{ name: string; has_team: boolean }>(
    `select c.relname as name, exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'team_id') as has_team
     from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by 1`,
  )
  const queries = tables.map(async ({ name, has_team }) => {
    const condition = team_id === undefined ? 'true' : has_team ? 'team_id = $1' : conditions[name]
    if (!condition) return undefined
    const rows = await database.query<{ row: string }>(
      `select t.xmin::text || ' ' || t::text as row from "${name}" t where ${condition} order by 1`,
      team_id !== undefined ? [team_id] : [],
    )
    return [name, rows.map(({ row }) => row)] as const
  })
  return Object.fromEntries((await Promise.all(queries)).filter(entry => entry !== undefined))
}

/** Tables without a team that hold what belongs to one. */
const conditions: Record<string, string> = {
  teams: 'id = $1',
  users: 'id in (select user_id from memberships where team_id = $1)',
}
