import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '#test/database.ts'
import { openPool, type Pool } from '#platform/database/pool.ts'
import { teamSetting } from '#platform/database/team-setting.ts'
import { newId } from '#platform/ids.ts'

const LEADS = 5_000

let database: TestDatabase
let pool: Pool
const team_id = newId()

beforeAll(async () => {
  database = await createDatabase()
  await database.query(`insert into teams values ($1, 'Large', false, now(), now())`, [team_id])
  await database.query(
    `insert into leads (team_id, id, first_name, status, call_status, pipeline_stage, utm, custom, created_at, updated_at)
     select $1, lpad(to_hex(n), 24, '0'), 'Lead ' || n, 'NEW', 'NONE', 'New', '{}', '{}', now(), now() from generate_series(1, $2::int) as n`,
    [team_id, LEADS],
  )
  await database.query('vacuum analyze leads')
  pool = openPool({ url: database.loginUrl, size: 1, onError: () => {} })
})
afterAll(async () => {
  await pool.close()
  await database.drop()
})

test.for(['created_at', 'last_name_key', 'company_key', 'email_key'])(
  'how long a list by %s is, and where its blocks begin, is read from its index alone',
  async key => {
    const text = `explain (format json) select ${key}, id from leads
      where team_id = '${team_id}' and deleted_at is null order by ${key}, id limit 1000`
    const unsorted = { text: 'set local enable_sort = off', values: [] }
    const results = await pool.flush([teamSetting(team_id), unsorted, { text, values: [] }])
    expect(JSON.stringify(results.at(-1)!.rows)).toContain('"Node Type":"Index Only Scan"')
  },
)
