import { expect } from 'vitest'
import type { TestDatabase } from './database.ts'
import { eventually } from './eventually.ts'

/** What stands in each table: how many rows, and a digest of them. */
export type Rows = Record<string, string>

/**
 * Of the whole database, or of one team, also found by its people; in one question, since tests ask thousands of times.
 * The digest is of the bytes of each row and of the transaction that wrote it (`xmin`): even a row that was written with
 * the same content differs afterwards.
 */
export async function rowsOf(database: TestDatabase, team_id?: string): Promise<Rows> {
  const parts = (await tablesOf(database)).flatMap(({ name, has_team }) => {
    const condition = team_id === undefined ? 'true' : has_team ? 'team_id = $1' : conditions[name]
    return condition
      ? [
          `select '${name}' as name, count(*) || ' rows ' || coalesce(md5(string_agg(t.xmin::text || ' ' || t::text, ' ' order by t.ctid, t::text)), '')
             as rows from "${name}" t where ${condition}`,
        ]
      : []
  })
  const tables = await database.query<{ name: string; rows: string }>(
    parts.join(' union all '),
    team_id !== undefined ? [team_id] : [],
  )
  // A parallel plan brings them in any order; so do shards their rows, of which several have the same place.
  return Object.fromEntries(tables.map(({ name, rows }) => [name, rows]).toSorted())
}

/** Of the whole database, once the worker has no more to do: what it writes meanwhile is nobody's fault. */
export async function restingRowsOf(database: TestDatabase): Promise<Rows> {
  await eventually(async () =>
    expect(await database.query(`select kind from jobs where state = 'ready' and run_at <= now()`)).toEqual(
      [],
    ),
  )
  return rowsOf(database)
}

/** The rows themselves, as text: to look for something that must stand nowhere. */
export async function textOfRows(database: TestDatabase): Promise<string[]> {
  const parts = (await tablesOf(database)).map(({ name }) => `select t::text as row from "${name}" t`)
  return (await database.query<{ row: string }>(parts.join(' union all '))).map(({ row }) => row)
}

type Table = { name: string; has_team: boolean }
const known = new WeakMap<TestDatabase, Table[]>()

async function tablesOf(database: TestDatabase): Promise<Table[]> {
  let tables = known.get(database)
  if (!tables) {
    tables = await database.query<Table>(
      `select c.relname as name, exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'team_id') as has_team
       from pg_class c where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace order by 1`,
    )
    known.set(database, tables)
  }
  return tables
}

/** Tables without a team that hold what belongs to one. */
const conditions: Record<string, string> = {
  teams: 'id = $1',
  users: 'id in (select user_id from memberships where team_id = $1)',
}
