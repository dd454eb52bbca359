import pg from 'pg'
import { newId } from '#platform/ids.ts'
import { growRecords } from './growth-records.ts'
import { firstNames, lastNames, LEAD_COUNTS, LEAD_STATES, withoutIndexes } from './leads.ts'

export type Size = { teams: number; leads: number; events: number }
export type Grown = { team_id: string; user_id: string }

/** The oldest row is this old: long enough for every partition that an installation has after two years. */
const SPAN_SECONDS = 2 * 365 * 86_400
const MEMBERS = 40

/**
 * An installation that has grown: many teams, half of the leads in one of them, and what happened with them in two years.
 * Ids, times and events stand in the relation they have in life: a lead's events come after it.
 */
export async function growInstallation(url: string, { teams, leads, events }: Size): Promise<Grown> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  await client.query('set client_min_messages = warning')
  const now = Math.floor(Date.now() / 1000)
  await client.query(made)
  await client.query(
    `insert into teams select grown_id($2::bigint - $1::bigint, 0, i), 'Team ' || i, false, now(), now() from generate_series(0, $3::int - 1) as i`,
    [SPAN_SECONDS, now, teams],
  )
  const [{ team_id }] = (await client.query('select id as team_id from teams order by id limit 1')).rows
  const user_id = newId()
  await client.query(
    `insert into users (id, email, name, created_at, updated_at) values ($1, 'bench@example.test', 'Bench', now(), now())`,
    [user_id],
  )
  await client.query(`insert into memberships values ($1, $2, 'SUPER_ADMIN', now())`, [team_id, user_id])
  await client.query(monthByMonth)
  const whole = await withoutIndexes(client, ['leads', 'events'])
  await client.query(insertLeads, [SPAN_SECONDS, now, teams, leads, firstNames, lastNames])
  await client.query(insertEvents, [SPAN_SECONDS, now, teams, leads, events])
  await whole()
  await growRecords(client, { spanSeconds: SPAN_SECONDS, now, teams, leads })
  await client.query(LEAD_COUNTS)
  await client.query(LEAD_STATES)
  await client.query('vacuum analyze')
  await client.query('drop function grown_id')
  await client.end()
  return { team_id, user_id }
}

/** An id as the program makes them: the second, something of its kind, a number. */
const made = `create function grown_id(seconds bigint, kind int, n bigint) returns text language sql immutable
  return lpad(to_hex(seconds), 8, '0') || 'be' || lpad(to_hex(kind), 2, '0') || lpad(to_hex(n), 12, '0')`

/** Every second lead is the first team's; the others have equal shares. */
const teamOf = `grown_id($2::bigint - $1::bigint, 0, case when i % 2 = 0 then 0 else (i / 2) % $3::bigint end)`
const secondOf = (part: string, count: string) =>
  `($2::bigint - $1::bigint + ($1::bigint * (${part})) / (${count}))`

const insertLeads = `
  insert into leads (team_id, id, first_name, last_name, email, phone, company, title, owner_id, status, call_status, pipeline_stage, source,
    utm, custom, last_activity_at, created_at, updated_at)
  select ${teamOf}, grown_id(second, 1, i), first, last,
    lower(first || '.' || last) || i || '@' || replace(lower(company), ' ', '') || '.example', '+49301' || lpad(i::text, 7, '0'), company,
    (array['CTO', 'CEO', 'Head of Sales', 'Buyer'])[1 + i % 4],
    case when i % 5 = 0 then null else grown_id($2::bigint - $1::bigint, 9, i / 7 % ${MEMBERS}) end,
    (array['NEW', 'WORKING', 'NURTURING', 'QUALIFIED'])[1 + (i / 3) % 4], 'NONE',
    (array['New', 'Contacted', 'Engage_AI', 'Engage_Human', 'Qualified', 'Won', 'Lost'])[1 + (i % 1009) * (i % 1009) % 7],
    (array['website', 'import', 'form', 'call'])[1 + (i / 11) % 4],
    '{}', '{}', case when i % 3 = 0 then null else to_timestamp(least($2::bigint, second + i * 7919 % 5000000)) end,
    to_timestamp(second), to_timestamp(least($2::bigint, second + i * 104729 % 5000000))
  from (
    select i, ($5::text[])[1 + (i / 2 * 7) % ${firstNames.length}] as first, ($6::text[])[1 + (i / 2 * 13) % ${lastNames.length}] as last,
      (array['Northwind', 'Initech', 'Globex', 'Umbrella', 'Hooli', 'Acme', 'Soylent', 'Wonka'])[1 + (i / 2 * 11) % 8] ||
        case when i % 3 = 0 then '' else ' ' || i / 2 % 997 end as company,
      ${secondOf('i', '$4::bigint')} as second
    from generate_series(0, $4::bigint - 1) as i) as person`

/** The first event of each lead says that it was made, with all it was made of; the others follow in the weeks after. */
const insertEvents = `
  insert into events (team_id, id, type, subject_kind, subject_id, lead_id, actor_kind, actor_id, actor_name, request_id, ip, cause_id, data, at)
  select ${teamOf}, grown_id(second, 2, i + turn * $4::bigint), type,
    case when type like 'message.%' then 'message' when type like 'call.%' then 'call' else 'lead' end,
    case when type like 'lead.%' then lead_id else grown_id(second, 3, i + turn * $4::bigint) end, lead_id,
    case when turn = 0 then 'person' when turn = 1 then 'key' else 'automation' end,
    case when turn < 2 then grown_id($2::bigint - $1::bigint, 9, i / 7 % ${MEMBERS}) else grown_id($2::bigint - $1::bigint, 8, i % 60) end,
    case when turn < 2 then 'Ada Lovelace' else 'New leads' end,
    case when turn < 2 then md5(i::text)::uuid::text end, case when turn < 2 then '203.0.113.' || i % 250 end,
    case when turn > 1 then grown_id(began, 2, i) end,
    case when turn = 0 then jsonb_build_object('lead', jsonb_build_object('id', lead_id, 'first_name', 'Ada', 'last_name', 'Lovelace',
        'email', 'ada.lovelace' || i || '@northwind.example', 'phone', '+49301' || lpad(i::text, 7, '0'), 'company', 'Northwind ' || i % 997,
        'status', 'NEW', 'call_status', 'NONE', 'pipeline_stage', 'New', 'source', 'website', 'utm', '{}'::jsonb, 'custom', '{}'::jsonb,
        'created_at', to_timestamp(second), 'updated_at', to_timestamp(second)))
      else '{"before": {"status": "NEW"}, "after": {"status": "WORKING"}}'::jsonb end,
    to_timestamp(second)
  from (
    select i, turn, began, grown_id(began, 1, i) as lead_id, least($2::bigint, began + turn * (i * 7919 % 900000)) as second,
      (array['lead.created', 'lead.changed', 'message.sent', 'message.opened', 'call.completed', 'lead.noted'])[1 + turn % 6] as type
    from generate_series(0, $5::bigint / $4::bigint - 1) as turn,
      lateral (select i, ${secondOf('i', '$4::bigint')} as began from generate_series(0, $4::bigint - 1) as i) as lead) as happening
  order by second`

/** As if Rapport had been there from the first event on: a new installation has no months behind it. */
const monthByMonth = `do $do$
  declare
    part regclass;
  begin
    for part in select inhrelid from pg_inherits where inhparent = 'events'::regclass
    loop
      execute format('drop table %s', part);
    end loop;
    execute format('create table partitions.events_early partition of events for values from (minvalue) to (%L)',
      first_id(date_trunc('month', now() - interval '${SPAN_SECONDS} seconds')));
    create table partitions.events_other partition of events default;
    perform make_partitions(now() + interval '3 months');
  end
$do$`
