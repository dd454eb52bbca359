import type { Finding } from './findings.ts'

/** Statements that may read what grows, and why. One that no longer does has to leave this list. */
export type Exception = {
  name: string
  /** Of the text with single spaces: each of them has to apply to something. */
  statements: RegExp[]
  /** Of what was found about it; all of it where this is not given. */
  found?: RegExp
  reason: string
  /** The short test does not send such a statement: only `npm run plans` can tell whether the entry still applies. */
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
    statements: [/^select \* from "events" where "team_id" = \$1 .*and "id" >= .*order by "id" desc limit/],
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
      /from (model_responses|calls|invoice_payments) where team_id = .*at >= /,
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
      /^select .* from calls where team_id = \$1 and .* order by "started_at" desc, id desc limit/,
      /^select .* from inbound_events where team_id = \$1 and .* order by id desc limit/,
      /^select .* from "credit_entries" where "team_id" = \$1 and .* order by "place" desc limit/,
    ],
    found: /^walks/,
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
    statements: [/^select coalesce\(\(select id from jobs where state = 'ready'/],
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
    statements: [/^select agent_id from agent_listings where team_id = \$1 and withdrawn_at is not null/],
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
