import pg from 'pg'
import type { TestDatabase } from './database.ts'

/** Somebody else's transaction that has run this statement and does not end until it is let go. */
export async function hold({ url }: TestDatabase, statement: string) {
  const holder = new pg.Client({ connectionString: url })
  await holder.connect()
  await holder.query('begin')
  await holder.query(statement)
  let isHeld = true
  async function letGo() {
    if (isHeld) await holder.end()
    isHeld = false
  }
  async function commit() {
    await holder.query('commit')
    await letGo()
  }
  return { letGo, commit, [Symbol.asyncDispose]: letGo }
}

/** How many wait for what somebody holds, on every node. */
export async function waitingForLocks({ query, onWorkers }: TestDatabase): Promise<number> {
  const asked = `select count(*)::int as count from pg_stat_activity
    where wait_event_type = 'Lock' and datname = current_database()`
  const rows = [await query<{ count: number }>(asked), ...(await onWorkers<{ count: number }>(asked))].flat()
  return rows.reduce((sum, { count }) => sum + count, 0)
}
