import type { Finding } from './findings.ts'

/** Statements that may read what grows, and why. One that no longer does has to leave this list. */
export type Exception = {
  name: string
  /** Of the text with single spaces: each of them has to apply to something. */
  statements: RegExp[]
  /** Of what was found about it; all of it where this is not given. */
  found?: RegExp
  reason: string
  /** Only `npm run plans` sends such a statement or has such a plan, and tells whether the entry still applies; the others are checked by the test. */
  isRare?: true
}

export const exceptions: Exception[] = [
  {
    name: 'where the blocks of a list begin',
    statements: [/^select key, id, n from \( select key, id, \(/],
    reason: 'Numbers 20,000 rows of an order from one end of an index; planned for its values each time.',
  },
  {
    name: 'how long a list is',
    statements: [/^select count\(\*\) as n from /],
    reason:
      'Counted through an index, which half a million rows take 50 ms. Leads have kept counts (decision 0028).',
  },
  {
    name: 'what few records pass a filter',
    statements: [/^with passing as materialized \(/],
    reason:
      'Only where fewer than one in fifty of the next 5,000 pass. An index of what records have in common finds them.',
  },
  {
    name: 'a span of the audit log',
    statements: [
      /^select \* from "events" where "team_id" = \$1 .*and "id" (>=|<) .*order by "id" desc limit/,
    ],
    reason:
      'One span of months, planned for its values each time; what is frequent is among the newest 2,000.',
  },
  {
    name: 'sums of opportunities',
    statements: [/coalesce\(sum\(amount\), 0\)::text as amount/],
    reason: 'The board and the forecast add up what passes their filters.',
  },
  {
    name: 'counts of leads by stage with a filter that no counts are kept for',
    statements: [/^select leads\.pipeline_stage as stage, count\(\*\) as count from/],
    reason: 'Source, account and age: the leads that pass are counted through an index.',
  },
  {
    name: 'counts of what waits or has failed',
    statements: [
      /^select currency, coalesce\(sum\(amount - paid/,
      /^select count\(\*\) as "?count"? from "?(invoice_payments|messages|jobs)\b/,
      /^select workflows\.id, workflows\.name, failed\.runs/,
      /count\(\*\) as late_now from conversations where team_id/,
    ],
    reason: 'Reads a partial index of what somebody still has to look at, which is little while they do.',
  },
  {
    name: 'candidates by status',
    statements: [/^select status, count\(\*\) as count from candidates/],
    reason: 'Counted through an index of a few bytes per candidate.',
  },
  {
    name: 'figures of a time span',
    statements: [
      /from (model_responses|calls|invoice_payments|conversation_answers) where team_id = .*at >= /,
      /from "events" where "team_id" = \$1 and "type" = 'email\.replied' and "id" >= /,
      /^select count\(\*\) as count from inbound_events .*received_at >= /,
    ],
    found: /^reads about/,
    reason: 'Adds up what happened in the time that is asked for, by an index of that time.',
  },
  {
    name: 'logs by what their entries have in common',
    statements: [
      /^select .* from messages where team_id = \$1 and .* order by id desc limit/,
      /^select .* from enrolments where team_id = \$1 and .* order by id desc limit/,
      /^select .* from inbound_events where team_id = \$1 and .* order by id desc limit/,
      /^select .* from "credit_entries" where "team_id" = \$1 and .* order by "place" desc limit/,
    ],
    found: /^(walks|reads every row)/,
    reason:
      'What is asked for most has an index. One of every filter would have to follow each change of state, and messages, calls and enrolments change theirs all the time.',
  },
  {
    name: 'the trace of a sequence by decision',
    statements: [/from enrolment_trace where team_id = \$1 and sequence_id = \$2/],
    reason: 'Nobody knows when a sequence was used last: each month is asked by the index of sequences.',
  },
  {
    name: 'enrolments that were held',
    statements: [/^select \* from enrolments where team_id = \$1 and id > \$2 and ended_at is null/],
    reason:
      'A job goes through all that are under way, a block at a time, when a sequence or its rules change.',
  },
  {
    name: 'jobs in hand beyond any lease',
    statements: [/^update jobs set run_at = \$1 where state = 'ready' and/],
    reason:
      'Once at the start of a worker, for clocks that were set back. Jobs are few unless there is a backlog.',
  },
  {
    name: 'the next job of the kinds that a process runs',
    statements: [/^select \(select id from jobs where state = 'ready'/],
    reason: 'Every process runs nearly all kinds, so that the first that is due is one of them.',
  },
  {
    name: 'counts and states of leads compared with the leads',
    statements: [
      /^select "pipeline_stage", "status", "call_status", "owner_id", sum\(n\)/,
      /^(update|delete from) lead_states as state/,
    ],
    reason:
      'The housekeeping finds out whether leads were written by SQL: a second for half a million, once an hour.',
  },
  {
    name: 'what is removed by age',
    statements: [
      /^delete from changes where xid < /,
      /^delete from inbound_events where team_id is null/,
      /^delete from "idempotency_keys" where "team_id" = \$1 and "created_at" < /,
      /^delete from "oauth_tokens" where "refresh_expires_at" < /,
      /^update "oauth_tokens" set "successor" = \$1/,
      /^delete from notifications where team_id = \$1 and id in/,
    ],
    reason: 'The housekeeping, once an hour; what stays is a day of requests or what was not read yet.',
  },
  {
    name: 'calls that never ended',
    statements: [/^select id from calls where team_id = \$1 and status in \('DIALING', 'CONNECTED'\)/],
    reason: 'Reads a partial index of the calls that are active or scheduled.',
  },
  {
    name: 'listings that nobody bought from',
    statements: [
      /^(select agent_id|delete) from agent_listings where team_id = \$1 and withdrawn_at is not null/,
    ],
    reason: 'The housekeeping compares the listings that a team withdrew with what was sold.',
  },
  {
    name: 'meetings of a calendar that was disconnected',
    statements: [/^update meetings set sync_state = 'NONE'/],
    reason: 'Once, when a member disconnects the calendar.',
  },
  {
    name: 'whether another lead shares an address, a number or a name',
    statements: [/^select coalesce\(bool_or\(lower\(email\)/],
    reason: 'Once before a person is erased. An index by full name would serve nothing else.',
  },
  {
    name: 'lists by amount, further on',
    statements: [
      /^select .* from "(opportunities|invoices)" where .*\(amount(_key)?", ?"?id"?\)|\("amount(_key)?", "id"\) [<>]/,
    ],
    found: /^walks .*ROW\(amount/,
    reason:
      'PostgreSQL compares numbers of any length only after it has checked the team, so a page reads again those before it. The first pages are what people look at.',
    isRare: true,
  },
  {
    name: 'leads in the transaction that changed them',
    statements: [
      /^with near as materialized \( select "leads"\.\* from "leads" where .* order by "updated_at"/,
    ],
    reason: 'The narrow table is behind until the commit. A list is hardly ever read there.',
    isRare: true,
  },
  {
    name: 'changes of everything that matches',
    statements: [
      /^select count\(\*\) as count from "(leads|lead_states)"/,
      /^select leads\.id from "(leads|lead_states)" .* order by leads\.id limit/,
    ],
    reason: 'A job goes through all leads that match, a block at a time, and counts them first.',
    isRare: true,
  },
  {
    name: 'jobs of some kinds, and in turn',
    statements: [/^with recursive waiting as/, /^update jobs set owner = \$1, .* kind = any\(/],
    found: /^walks jobs_due/,
    reason: 'A worker that is behind leaves out what it has just taken; the kinds it may run are nearly all.',
    isRare: true,
  },
  {
    name: 'leads by website or by a field of the team',
    statements: [
      /^select .* from leads where team_id = \$1 and deleted_at is null and (rtrim\(lower\(website\)|lower\(custom ->>)/,
    ],
    reason:
      'An import that matches by one of these reads the team once for each thousand rows. An index would cost every lead what an import seldom needs.',
    isRare: true,
  },
  {
    name: 'what an operator or a calendar still has to look at',
    statements: [
      /^with near as materialized \( select "invoices"\.\* .* from invoice_payments as p/,
      /^select count\(\*\) as count from inbound_events where team_id is null/,
      /^select id from meetings where .* sync_state in/,
      /^select .* from "settlements" where "network" = \$1 and "state" <> 'FINAL'/,
    ],
    reason: 'Reads a partial index of what is not settled, which is little.',
    isRare: true,
  },
  {
    name: 'a replay of what came in or went out in a time span',
    statements: [
      /^select count\(\*\) as count from webhook_deliveries .* created_at >= /,
      /^select \* from inbound_events where .* order by id limit .* for update/,
    ],
    reason: 'Somebody asks for it once, and it is done a block at a time.',
    isRare: true,
  },
  {
    name: 'meetings of a host around a time',
    statements: [
      /^select .* from meetings where team_id = \$1 and host_id = \$2 and \(status <> 'CANCELLED'/,
    ],
    reason: 'Planned with statistics that were made up: the index of a host has these in order.',
    isRare: true,
  },
  {
    name: 'the trash',
    statements: [/^select .* from "candidates" where team_id = \$1 and deleted_at is not null/],
    reason: 'It is emptied after thirty days.',
    isRare: true,
  },
  {
    name: 'where the live log is continued',
    statements: [
      /^select (1|xid::text as xid, event_id, changes\.team_id, scope, message) from changes where/,
    ],
    reason: 'The key begins with the team and the transaction; the log keeps an hour.',
    isRare: true,
  },
  {
    name: 'tasks that are due',
    statements: [/^select count\(\*\) filter \(where due_at < \$1/],
    reason: "The open tasks of one person, by the index of an assignee's tasks.",
    isRare: true,
  },
]

type Unused = { name: string; statement: string; isRare: boolean }

/** What the list does not allow, and what in it allows nothing. */
export function judgeFindings(findings: readonly Finding[]): { unknown: Finding[]; unused: Unused[] } {
  const used = new Set<RegExp>()
  const unknown = findings.filter(({ text, what }) => {
    const plain = text.replace(/\s+/g, ' ').trim()
    const allowing = exceptions
      .filter(({ found }) => !found || found.test(what))
      .flatMap(({ statements }) => statements.filter(statement => statement.test(plain)))
    for (const statement of allowing) used.add(statement)
    return allowing.length === 0
  })
  const unused = exceptions.flatMap(({ name, statements, isRare = false }) =>
    statements
      .filter(statement => !used.has(statement))
      .map(({ source }) => ({ name, statement: source, isRare })),
  )
  return { unknown, unused }
}

export function describeFinding({ text, table, what }: Finding): string {
  return `${table ? `${table}: ` : ''}${what}\n    ${text.replace(/\s+/g, ' ').trim()}`
}
