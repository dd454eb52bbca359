import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { raw } from '#platform/database/tables.ts'
import { isAnyOf, ordering, type Listing } from '#platform/listing.ts'
import { encodeCursor } from '#platform/cursor.ts'
import { LIST_LIMIT_DEFAULT } from '#platform/contract.ts'
import type { CallInList, ListCalls } from './contract.ts'
import { liveStates } from './values.ts'

export type CallRow = CallInList & { provider_call_id: string | null; source_key: string | null }

export const callColumns = [
  'id',
  'kind',
  'direction',
  'status',
  'lead_id',
  'agent_id',
  'agent_version',
  'user_id',
  'from',
  'to',
  'scheduled_at',
  'started_at',
  'connected_at',
  'ended_at',
  'duration_sec',
  'outcome',
  'summary',
  'notes',
  'recording_url',
  'follow_up',
  'end_reason',
  'attempt',
  'provider',
  'provider_call_id',
  'source_key',
  'created_at',
  'updated_at',
] as const satisfies (keyof CallRow)[]

const selected = sql.join(callColumns.map(column => sql.ref(column)))

/** Whether it is new: one that has its id, its provider's id or its source key already keeps its row. */
export async function insertCall(ctx: Context, row: CallRow): Promise<boolean> {
  const values = callColumns.map(column => valueOf(column, row[column]))
  const inserted = await ctx.run(
    raw(
      sql`insert into calls (team_id, ${selected}) values (${ctx.team_id}, ${sql.join(values)}) on conflict do nothing`,
    ),
  )
  return inserted > 0
}

export function updateCall(ctx: Context, id: string, fields: Partial<CallRow>): void {
  const assignments = Object.entries(fields).map(
    ([column, value]) => sql`${sql.ref(column)} = ${valueOf(column, value)}`,
  )
  ctx.later(raw(sql`update calls set ${sql.join(assignments)} where team_id = ${ctx.team_id} and id = ${id}`))
}

export async function findCall(ctx: Context, id: string): Promise<CallRow | undefined> {
  return ctx.first(
    raw<CallRow>(sql`select ${selected} from calls where team_id = ${ctx.team_id} and id = ${id}`),
  )
}

export async function lockCall(ctx: Context, id: string): Promise<CallRow | undefined> {
  return ctx.first(
    raw<CallRow>(
      sql`select ${selected} from calls where team_id = ${ctx.team_id} and id = ${id} for no key update`,
    ),
  )
}

export async function findByProvider(ctx: Context, provider_call_id: string): Promise<CallRow | undefined> {
  return ctx.first(
    raw<CallRow>(sql`select ${selected} from calls
      where team_id = ${ctx.team_id} and provider_call_id = ${provider_call_id}`),
  )
}

export async function findBySource(ctx: Context, source_key: string): Promise<CallRow | undefined> {
  return ctx.first(
    raw<CallRow>(
      sql`select ${selected} from calls where team_id = ${ctx.team_id} and source_key = ${source_key}`,
    ),
  )
}

/** The one that says how it stands with the lead: of those that were dialled the last. */
export async function findNewestOfLead(ctx: Context, lead_id: string): Promise<CallRow | undefined> {
  return ctx.first(
    raw<CallRow>(sql`select ${selected} from calls where team_id = ${ctx.team_id} and lead_id = ${lead_id}
      and status <> 'SCHEDULED' and not (status = 'CANCELLED' and connected_at is null)
      order by started_at desc, id desc limit 1`),
  )
}

/** The newest that goes on with the lead now. */
export async function findLiveOfLead(ctx: Context, lead_id: string): Promise<CallRow | undefined> {
  return ctx.first(
    raw<CallRow>(sql`select ${selected} from calls where team_id = ${ctx.team_id} and lead_id = ${lead_id}
      and status in ('DIALING', 'CONNECTED') order by started_at desc, id desc limit 1`),
  )
}

/** The last few that are over, newest first. */
export async function findPastOfLead(ctx: Context, lead_id: string, limit: number): Promise<CallRow[]> {
  return ctx.all(
    raw<CallRow>(sql`select ${selected} from calls where team_id = ${ctx.team_id} and lead_id = ${lead_id}
      and ended_at is not null order by started_at desc, id desc limit ${limit}`),
  )
}

/** Of whose end nothing was heard. */
export async function findForgotten(ctx: Context, before: string, limit: number): Promise<string[]> {
  const rows = await ctx.all(
    raw<{ id: string }>(sql`select id from calls where team_id = ${ctx.team_id}
      and status in ('DIALING', 'CONNECTED') and started_at < ${before} order by started_at limit ${limit}`),
  )
  return rows.map(({ id }) => id)
}

const listing: Listing<'started_at'> = {
  table: 'calls',
  columns: callColumns,
  sorts: { started_at: { column: 'started_at', type: 'timestamptz' } },
  defaultSort: '-started_at',
}

export async function listCalls(ctx: Context, query: ListCalls) {
  const { limit = LIST_LIMIT_DEFAULT } = query
  const { key, direction, after } = ordering(listing, query)
  const conditions = sql.join([sql`team_id = ${ctx.team_id}`, ...filtersOf(query)], sql` and `)
  const rows = await ctx.all(
    raw<CallRow>(sql`select ${selected} from calls where ${conditions} ${after}
      order by ${key} ${direction}, id ${direction} limit ${limit + 1}`),
  )
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  return { data, next_cursor: rows.length > limit && last ? encodeCursor([last.started_at, last.id]) : null }
}

function filtersOf({ live, status, kind, direction, lead_id, agent_id, from_time, until_time }: ListCalls) {
  return [
    ...(live ? isAnyOf('status', liveStates) : []),
    ...(live === false ? [sql`not status = any(${liveStates}::text[])`] : []),
    ...isAnyOf('status', status),
    ...isAnyOf('kind', kind),
    ...isAnyOf('direction', direction),
    ...isAnyOf('agent_id', agent_id),
    ...(lead_id === undefined ? [] : [sql`lead_id = ${lead_id}`]),
    ...(from_time === undefined ? [] : [sql`started_at >= ${from_time}`]),
    ...(until_time === undefined ? [] : [sql`started_at < ${until_time}`]),
  ]
}

/** Waits until nobody else is about to write down the same thing, and holds them up until the transaction ends. */
export async function lockWord(ctx: Context, word: string): Promise<void> {
  await ctx.run(raw(sql`select pg_advisory_xact_lock(hashtextextended(${`${ctx.team_id} ${word}`}, 22))`))
}

function valueOf(column: string, value: unknown): unknown {
  return column === 'follow_up' && value !== null ? JSON.stringify(value) : value
}
