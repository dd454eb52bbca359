import { createHash } from 'node:crypto'
import pg from 'pg'
import { newId, newSecret } from '#platform/ids.ts'
import { allScopes } from '#platform/scopes.ts'

const firstNames = [
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
const lastNames = [
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

/** A team with that many believable leads, written straight into the table, and an API key for it. */
export async function fillLeads(url: string, count: number): Promise<{ team_id: string; key: string }> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  const team_id = newId()
  const key = `rpk_${newSecret()}`
  await client.query(`insert into teams values ($1, 'Bench', false, now(), now())`, [team_id])
  await client.query(
    `insert into api_keys (id, team_id, hash, prefix, name, scopes, last_used_at, created_at) values ($1, $2, $3, 'rpk_', 'Bench', $4, now(), now())`,
    [newId(), team_id, createHash('sha256').update(key).digest('hex'), allScopes],
  )
  await client.query(
    `insert into leads (team_id, id, first_name, last_name, email, phone, company, title, status, call_status, pipeline_stage, source, utm, custom, created_at, updated_at)
     select $1, lpad(to_hex(1700000000 + i), 8, '0') || lpad(to_hex(i), 16, '0'), first, last,
       lower(first || '.' || last) || i || '@' || lower(company) || '.example', '+49301' || lpad(i::text, 7, '0'), company,
       (array['CTO', 'CEO', 'Head of Sales', 'Buyer'])[1 + i % 4], (array['NEW', 'WORKING', 'QUALIFIED'])[1 + i % 3], 'NONE',
       (array['New', 'Contacted', 'Engage_AI', 'Engage_Human', 'Qualified', 'Won', 'Lost'])[1 + (i % 1009) * (i % 1009) % 7], 'bench',
       '{"source": "bench"}', '{}', now() - i * interval '1 minute', now() - i * interval '1 minute'
     from (select i, ($3::text[])[1 + (i * 7) % ${firstNames.length}] as first, ($4::text[])[1 + (i * 13) % ${lastNames.length}] as last,
       ($5::text[])[1 + (i * 11) % ${companies.length}] || case when i % 3 = 0 then ' ' || i % 997 else '' end as company
       from generate_series(1, $2::int) as i) as made`.replaceAll(
      "lower(company) || '.example'",
      "replace(lower(company), ' ', '') || '.example'",
    ),
    [team_id, count, firstNames, lastNames, companies],
  )
  await client.query('vacuum analyze leads')
  await client.end()
  return { team_id, key }
}
