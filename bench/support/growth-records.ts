import type pg from 'pg'
import { withoutIndexes } from './leads.ts'

/** What one record of each kind there is for so many leads. */
const LEADS_FOR_ONE = {
  accounts: 5,
  opportunities: 5,
  invoices: 5,
  enrolments: 2,
  calls: 2,
  tasks: 1,
  messages: 1,
} as const

const MEMBERS = 40
/** How `grown_id` numbers kinds; leads are 1, events 2 and 3. */
const KINDS = {
  sequences: 7,
  members: 9,
  accounts: 10,
  opportunities: 11,
  invoices: 12,
  enrolments: 13,
  calls: 14,
  tasks: 15,
  messages: 16,
}

type When = { spanSeconds: number; now: number; teams: number; leads: number }

/** The other records of a team that has grown: of every so many leads one has an account, a deal, a call and so on. */
export async function growRecords(client: pg.Client, when: When): Promise<void> {
  const tables = Object.keys(LEADS_FOR_ONE) as (keyof typeof LEADS_FOR_ONE)[]
  // The rows refer to those that are there: looking each of them up would take longer than writing it.
  await client.query('set session_replication_role = replica')
  await client.query(sequences, [when.spanSeconds, when.now, when.teams])
  const whole = await withoutIndexes(client, tables)
  for (const table of tables) {
    const { spanSeconds, now, teams, leads } = when
    await client.query(INSERTS[table], [spanSeconds, now, teams, leads, LEADS_FOR_ONE[table]])
  }
  await whole()
  await client.query('set session_replication_role = origin')
}

const team = `grown_id($2::bigint - $1::bigint, 0, case when i % 2 = 0 then 0 else (i / 2) % $3::bigint end)`
const began = `$2::bigint - $1::bigint + $1::bigint * i / $4::bigint`
const member = (every: number) =>
  `grown_id($2::bigint - $1::bigint, ${KINDS.members}, i / ${every} % ${MEMBERS})`
/** Of every lead in so many, with `second`: when the record was made, some weeks after the lead. */
const each = `(
  select i, ${team} as team_id, grown_id(${began}, 1, i) as lead_id, least($2::bigint, ${began} + i * 6007 % 3000000) as second
  from generate_series(0, $4::bigint - 1) as i where (i / 2) % $5::bigint = 0 order by second) as made`
const idOf = (table: keyof typeof KINDS) => `grown_id(second, ${KINDS[table]}, i)`
const at = 'to_timestamp(second)'
const oneOf = (values: string[], every: number) =>
  `(array[${values.map(value => `'${value}'`).join(', ')}])[1 + i / ${every} % ${values.length}]`
/** One in a thousand: what somebody has yet to look at. */
const seldom = 'i % 1000 < 2'
/** Two months are what people have in hand. */
const isYoung = 'second > $2::bigint - 5000000'

const sequences = `
  insert into sequences (team_id, id, sequence_id, name, steps, status, settings, version, created_at, updated_at)
  select grown_id($2::bigint - $1::bigint, 0, i), grown_id($2::bigint - $1::bigint, ${KINDS.sequences}, i), 'first', 'First contact',
    '[{"type": "task", "delay_days": 1, "description": "Call"}]', 'ACTIVE',
    '{"window": {"days": [1, 2, 3, 4, 5], "from": "09:00", "until": "17:00"}, "timezone": "Europe/Berlin", "daily_cap": 50, "stop_rules": {"reply": true, "meeting_booked": true}}',
    1, to_timestamp($2::bigint - $1::bigint), to_timestamp($2::bigint - $1::bigint)
  from generate_series(0, $3::int - 1) as i`
const sequence = `grown_id($2::bigint - $1::bigint, ${KINDS.sequences}, case when i % 2 = 0 then 0 else (i / 2) % $3::bigint end)`

const INSERTS = {
  accounts: `
    insert into accounts (team_id, id, name, domain, industry, owner_id, custom, created_at, updated_at)
    select team_id, ${idOf('accounts')}, ${oneOf(['Northwind', 'Initech', 'Globex', 'Umbrella'], 10)} || ' ' || i, 'account' || i || '.example',
      ${oneOf(['Software', 'Energy', 'Retail', 'Health'], 30)}, ${member(10)}, '{}', ${at}, ${at} from ${each}`,
  opportunities: `
    insert into opportunities (team_id, id, name, lead_id, amount, currency, stage, close_date, owner_id, closed_at, created_at, updated_at)
    select team_id, ${idOf('opportunities')}, 'Deal ' || i, lead_id, 100 + i % 9000, case when i % 50 < 2 then 'USD' else 'EUR' end,
      case when ${seldom} then 'negotiation' when ${isYoung} then 'proposal' else ${oneOf(['closed_won', 'closed_lost', 'closed_lost'], 10)} end,
      ${at}::date + 60, ${member(10)}, case when not (${seldom} or ${isYoung}) then least(now(), ${at} + interval '60 days') end, ${at},
      least(now(), ${at} + interval '60 days') from ${each}`,
  invoices: `
    insert into invoices (team_id, id, number, status, lead_id, customer, lines, currency, subtotal, tax, amount, paid, due_at, issued_at,
      paid_at, sent_at, created_at, updated_at)
    select team_id, ${idOf('invoices')}, 'R-' || lpad(i::text, 9, '0'), status, lead_id,
      '{"name": "Grace Hopper", "email": "grace@example.test", "address": null, "tax_id": null}',
      '[{"description": "Work", "quantity": "1", "unit_price": "100", "tax_percent": "19"}]', 'EUR', 100, 19, 119,
      case when status = 'PAID' then 119 else 0 end, ${at} + interval '14 days', ${at},
      case when status = 'PAID' then ${at} + interval '9 days' end, ${at}, ${at}, ${at}
    from (select *, case when ${seldom} then 'OPEN' else 'PAID' end as status from ${each}) as made`,
  enrolments: `
    insert into enrolments (team_id, id, lead_id, sequence_id, version, status, step_index, round, stop_reason, enrolled_by, started_at,
      sent_at, ended_at, created_at, updated_at)
    select team_id, ${idOf('enrolments')}, lead_id, ${sequence}, 1, case when ${seldom} then 'PENDING' else 'CLOSED' end, 0, 0, null,
      ${member(4)}, ${at}, ${at}, case when not (${seldom}) then ${at} + interval '9 days' end, ${at}, ${at} from ${each}`,
  calls: `
    insert into calls (team_id, id, kind, direction, status, lead_id, user_id, "from", "to", started_at, connected_at, ended_at,
      duration_sec, outcome, created_at, updated_at)
    select team_id, ${idOf('calls')}, 'manual', case when i % 10 < 2 then 'inbound' else 'outbound' end,
      case when ${seldom} then 'FAILED' else 'ENDED' end, lead_id, ${member(4)}, '+4930123456', '+49301' || lpad(i::text, 7, '0'), ${at},
      ${at}, ${at} + interval '2 minutes', 120, 'Interested', ${at}, ${at} from ${each}`,
  tasks: `
    insert into tasks (team_id, id, title, lead_id, assignee_id, due_at, status, done_at, created_at, updated_at)
    select team_id, ${idOf('tasks')}, 'Call ' || ${oneOf(['Ada', 'Grace', 'Alan', 'Hedy'], 2)} || ' ' || i, lead_id, ${member(2)},
      ${at} + interval '3 days', status, case when status = 'DONE' then least(now(), ${at} + interval '2 days') end, ${at},
      least(now(), ${at} + interval '2 days')
    from (select *, case when ${seldom} then 'DOING' when ${isYoung} then 'TODO' else 'DONE' end as status
      from ${each}) as made`,
  messages: `
    insert into messages (team_id, id, channel, lead_id, address, subject, links, thread, status, source_kind, due_at, created_at, sent_at,
      delivered_at, opened_at, bounced_at, trouble_at)
    select team_id, ${idOf('messages')}, case when i % 20 < 2 then 'sms' else 'email' end, lead_id, 'lead' || i || '@example.test',
      'Hello', '[]', '[]', case when ${seldom} then 'FAILED' else 'SENT' end, 'person', ${at}, ${at}, ${at}, ${at},
      case when i % 3 = 0 then ${at} end, case when i % 500 < 2 then ${at} end, case when ${seldom} then ${at} end from ${each}`,
} satisfies Record<keyof typeof LEADS_FOR_ONE, string>
