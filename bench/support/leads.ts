import { createHash } from 'node:crypto'
import pg from 'pg'
import { newId, newSecret } from '#platform/ids.ts'
import { allScopes } from '#platform/scopes.ts'

export const firstNames = [
  'Ada',
  'Grace',
  'Alan',
  'Edsger',
  'Barbara',
  'Donald',
  'Radia',
  'Ken',
  'Frances',
  'Linus',
  'Margaret',
  'Tim',
  'Hedy',
  'Claude',
  'Sophie',
  'Vint',
]
export const lastNames = [
  'Lovelace',
  'Hopper',
  'Turing',
  'Dijkstra',
  'Liskov',
  'Knuth',
  'Perlman',
  'Thompson',
  'Allen',
  'Torvalds',
  'Hamilton',
  'Lee',
  'Lamarr',
  'Shannon',
  'Wilson',
  'Cerf',
  'Okafor',
  'Nakamura',
  'Silva',
  'Novak',
]
const companies = [
  'Northwind',
  'Initech',
  'Globex',
  'Umbrella',
  'Hooli',
  'Stark',
  'Wayne',
  'Acme',
  'Soylent',
  'Vandelay',
  'Wonka',
  'Tyrell',
]

export type FilledTeam = { team_id: string; key: string }

/** A team with that many believable leads, written straight into the table, and an API key for it. */
export async function fillLeads(url: string, count: number): Promise<FilledTeam> {
  const [team] = await fillTeams(url, 1, count)
  return team!
}

/** So many of such teams. */
export async function fillTeams(url: string, teams: number, count: number): Promise<FilledTeam[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  const filled: FilledTeam[] = []
  for (let team = 0; team < teams; team++) filled.push(await fillTeam(client, count))
  await client.query(LEAD_COUNTS)
  await client.query(LEAD_STATES)
  await client.query('vacuum analyze leads')
  await client.query('vacuum analyze lead_states')
  await client.end()
  return filled
}

async function fillTeam(client: pg.Client, count: number): Promise<FilledTeam> {
  const team_id = newId()
  const key = `rpk_${newSecret()}`
  await client.query(`insert into teams values ($1, 'Bench', false, now(), now())`, [team_id])
  await client.query(
    `insert into api_keys (id, team_id, hash, prefix, name, scopes, service, last_used_at, created_at) values ($1, $2, $3, 'rpk_', 'Bench', $4, 'Bench', now(), now())`,
    [newId(), team_id, createHash('sha256').update(key).digest('hex'), allScopes],
  )
  await insertLeads(client, team_id, 1, count)
  return { team_id, key }
}

/** What the product writes with each lead. */
export const LEAD_COUNTS = `insert into lead_counts
  select team_id, pipeline_stage, status, call_status, coalesce(owner_id, ''), count(*) from leads
  where deleted_at is null group by 1, 2, 3, 4, 5`
export const LEAD_STATES = `insert into lead_states
  select team_id, id, pipeline_stage, status, call_status, created_at, updated_at, activity_key from leads
  where deleted_at is null`

async function insertLeads(client: pg.Client, team_id: string, from: number, to: number): Promise<void> {
  await client.query(
    `insert into leads (team_id, id, first_name, last_name, email, phone, company, title, status, call_status, pipeline_stage, source, utm, custom, created_at, updated_at)
     select $1, lpad(to_hex(1700000000 + i), 8, '0') || lpad(to_hex(i), 16, '0'), first, last,
       lower(first || '.' || last) || i || '@' || lower(company) || '.example', '+49301' || lpad(i::text, 7, '0'), company,
       (array['CTO', 'CEO', 'Head of Sales', 'Buyer'])[1 + i % 4], (array['NEW', 'WORKING', 'QUALIFIED'])[1 + i % 3], 'NONE',
       (array['New', 'Contacted', 'Engage_AI', 'Engage_Human', 'Qualified', 'Won', 'Lost'])[1 + (i % 1009) * (i % 1009) % 7], 'bench',
       '{"source": "bench"}', '{}', now() - i * interval '1 minute', now() - i * interval '1 minute'
     from (select i, ($3::text[])[1 + (i * 7) % ${firstNames.length}] as first, ($4::text[])[1 + (i * 13) % ${lastNames.length}] as last,
       ($5::text[])[1 + (i * 11) % ${companies.length}] || case when i % 3 = 0 then ' ' || i % 997 else '' end as company
       from generate_series($6::int, $2::int) as i) as made`.replaceAll(
      "lower(company) || '.example'",
      "replace(lower(company), ' ', '') || '.example'",
    ),
    [team_id, to, firstNames, lastNames, companies, from],
  )
}

/** As many more as there are missing, and what the product and the server do by themselves as they come. */
export async function addLeads(url: string, team_id: string, from: number, to: number): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  const whole = await withoutIndexes(client, ['leads'])
  await insertLeads(client, team_id, from + 1, to)
  await whole()
  await client.query('truncate lead_counts, lead_count_changes, lead_states')
  await client.query(LEAD_COUNTS)
  await client.query(LEAD_STATES)
  await client.query('vacuum analyze leads')
  await client.query('vacuum analyze lead_states')
  await client.end()
}

/** Rows are written first and indexed afterwards: what takes half an hour one by one takes minutes. */
export async function withoutIndexes(
  client: pg.Client,
  names: readonly string[],
): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index join pg_class on pg_class.oid = indrelid
     where relname = any($1) and not indisunique`,
    [names],
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  return async () => {
    await client.query(`set maintenance_work_mem = '1GB'`)
    for (const { definition } of rows) await client.query(definition.replace(' ON ONLY ', ' ON '))
  }
}

/** A few thousand more that came in a moment ago: the search index has not taken them up yet. */
export async function addFreshLeads(
  url: string,
  team_id: string,
  from: number,
  count: number,
): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  await insertLeads(client, team_id, from + 1, from + count)
  await client.end()
}

/** So many of every other kind of record; answers the id of one lead. */
export async function fillRecords(url: string, team_id: string, count: number): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  const id = `lpad(to_hex(1700000000 + i), 8, '0') || lpad(to_hex(i), 16, '0')`
  await client.query(
    `insert into accounts (team_id, id, name, domain, custom, created_at, updated_at)
     select $1, ${id}, ($3::text[])[1 + i % ${companies.length}] || ' ' || i, 'account' || i || '.example', '{}', now(), now()
     from generate_series(1, $2::int) as i`,
    [team_id, count, companies],
  )
  await client.query(
    `insert into opportunities (team_id, id, name, amount, currency, stage, created_at, updated_at)
     select $1, ${id}, 'Deal ' || i, i, 'EUR', 'proposal', now(), now() from generate_series(1, $2::int) as i`,
    [team_id, count],
  )
  await client.query(
    `insert into tasks (team_id, id, title, status, created_at, updated_at)
     select $1, ${id}, 'Call ' || ($3::text[])[1 + i % ${lastNames.length}] || ' ' || i, 'TODO', now(), now()
     from generate_series(1, $2::int) as i`,
    [team_id, count, lastNames],
  )
  for (const table of ['accounts', 'opportunities', 'tasks']) await client.query(`vacuum analyze ${table}`)
  const { rows } = await client.query<{ id: string }>('select id from leads where team_id = $1 limit 1', [
    team_id,
  ])
  await client.end()
  return rows[0]!.id
}
