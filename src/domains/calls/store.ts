import { sql, type RawBuilder } from 'kysely'
import type { Context } from '#platform/context.ts'
import { atOnce } from '#platform/database/at-once.ts'
import { batchesOf, inserter } from '#platform/database/insert.ts'
import { freshlyPlanned, raw } from '#platform/database/tables.ts'
import { isId } from '#platform/ids.ts'
import { isAnyOf, ordering, type Listing } from '#platform/listing.ts'
import { encodeCursor } from '#platform/cursor.ts'
import { updateEach } from '#platform/database/update-each.ts'
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

const insertNew = inserter<Record<(typeof callColumns)[number] | 'team_id', unknown>>(
  'calls',
  ['team_id', ...callColumns],
  'on conflict do nothing returning id',
)

/** Whether it is new: one that has its id, its provider's id or its source key already keeps its row. */
export const insertCall = atOnce<CallRow, boolean>(async (ctx, rows) => {
  const { team_id } = ctx
  const given = rows.map(row => ({
    ...row,
    team_id,
    follow_up: row.follow_up && JSON.stringify(row.follow_up),
  }))
  const inserted = await Promise.all(batchesOf(given).map(batch => ctx.all<{ id: string }>(insertNew(batch))))
  const added = new Set(inserted.flat().map(({ id }) => id))
  return rows.map(({ id }) => added.has(id))
})

export const updateCall = atOnce<{ id: string; fields: Partial<CallRow> }, void>(async (ctx, changes) => {
  updateEach(ctx, 'calls', changes)
  return []
})

export async function findCall(ctx: Context, id: string): Promise<CallRow | undefined> {
  return ctx.first(
    raw<CallRow>(sql`select ${selected} from calls where team_id = ${ctx.team_id} and id = ${id}`),
  )
}

/** In the order of ids, so that two who move several of them cannot wait for each other in a circle. */
export const lockCall = atOnce<string, CallRow | undefined>(async (ctx, ids) => {
  const rows = await ctx.all(
    raw<CallRow>(sql`select ${selected} from calls where team_id = ${ctx.team_id} and id = any(${ids}::text[])
      order by id for no key update`),
  )
  const found = new Map(rows.map(row => [row.id, row]))
  return ids.map(id => found.get(id))
})

/** By our own name, or that which its provider has for it. */
export async function findNamed(
  ctx: Context,
  names: readonly string[],
): Promise<(name: string) => CallRow | undefined> {
  const [own, theirs] = await Promise.all([
    ctx.all(
      raw<CallRow>(
        sql`select ${selected} from calls where team_id = ${ctx.team_id} and id = any(${names.filter(isId)}::text[])`,
      ),
    ),
    ctx.all(
      raw<CallRow>(
        sql`select ${selected} from calls where team_id = ${ctx.team_id} and provider_call_id = any(${names}::text[])`,
      ),
    ),
  ])
  const found = new Map([
    ...theirs.map(row => [row.provider_call_id!, row] as const),
    ...own.map(row => [row.id, row] as const),
  ])
  return name => found.get(name)
}

export const findNamedCall = atOnce<string, CallRow | undefined>(async (ctx, names) => {
  const named = await findNamed(ctx, names)
  return names.map(named)
})

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

/** The calls that determine these leads' status: the latest dialled one of each. */
export async function findNewestOfLeads(
  ctx: Context,
  leads: readonly string[],
): Promise<Map<string, CallRow>> {
  return newestOf(
    ctx,
    leads,
    sql`status <> 'SCHEDULED' and not (status = 'CANCELLED' and connected_at is null)`,
  )
}

/** The newest active call with each of these leads. */
export async function findLiveOfLeads(ctx: Context, leads: readonly string[]): Promise<Map<string, CallRow>> {
  return newestOf(ctx, leads, sql`status in ('DIALING', 'CONNECTED')`)
}

async function newestOf(ctx: Context, leads: readonly string[], which: RawBuilder<unknown>) {
  const rows = await ctx.all(
    raw<CallRow>(sql`select newest.* from unnest(${leads}::text[]) as asked (id) cross join lateral (
        select ${selected} from calls where team_id = ${ctx.team_id} and lead_id = asked.id and ${which}
        order by started_at desc, id desc limit 1) as newest`),
  )
  return new Map(rows.map(row => [row.lead_id!, row]))
}

export async function findLiveOfLead(ctx: Context, lead_id: string): Promise<CallRow | undefined> {
  return (await findLiveOfLeads(ctx, [lead_id])).get(lead_id)
}

/** The last few that are over, newest first. */
export async function findPastOfLead(ctx: Context, lead_id: string, limit: number): Promise<CallRow[]> {
  return ctx.all(
    raw<CallRow>(sql`select ${selected} from calls where team_id = ${ctx.team_id} and lead_id = ${lead_id}
      and ended_at is not null order by started_at desc, id desc limit ${limit}`),
  )
}

/** Those of a lead that were dialled, the latest first. `before` is a place in that order. */
export async function findOfLead(
  ctx: Context,
  lead_id: string,
  { before, limit }: { before: { at: string; id: string } | undefined; limit: number },
): Promise<CallRow[]> {
  const older = before ? sql`and (started_at, id) < (${before.at}::timestamptz, ${before.id})` : sql``
  return ctx.all(
    raw<CallRow>(sql`select ${selected} from calls
      where team_id = ${ctx.team_id} and lead_id = ${lead_id} and status <> 'SCHEDULED' ${older}
      order by started_at desc, id desc limit ${limit}`),
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
    freshlyPlanned(
      raw<CallRow>(sql`select ${selected} from calls where ${conditions} ${after}
        order by ${key} ${direction}, id ${direction} limit ${limit + 1}`),
    ),
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

/** Waits until nobody else is about to write down the same things, and holds them up until the transaction ends. */
export async function lockWords(ctx: Context, words: readonly string[]): Promise<void> {
  const names = [...new Set(words)].toSorted().map(word => `${ctx.team_id} ${word}`)
  // Locked in order: two transactions that share some do not deadlock.
  await ctx.run(
    raw(
      sql`select pg_advisory_xact_lock(hashtextextended(name, 22)) from unnest(${names}::text[]) as names (name)`,
    ),
  )
}
