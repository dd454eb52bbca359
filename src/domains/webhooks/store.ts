import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { atOnce } from '#platform/database/at-once.ts'
import { batchesOf, inserter } from '#platform/database/insert.ts'
import { raw, tables } from '#platform/database/tables.ts'
import { decodeInstantCursor, encodeCursor } from '#platform/cursor.ts'
import { idFrom } from '#platform/ids.ts'
import { isAnyOf } from '#platform/listing.ts'
import { LIST_LIMIT_DEFAULT } from '#platform/contract.ts'
import type { SignedEndpoint } from '#platform/signature.ts'
import type { Effect, InboundEvent, ListInbox } from './contract.ts'
import type { InboundStatus } from './values.ts'

export type InboundRow = InboundEvent & {
  team_id: string | null
  body: string
  /** The event of ours that it became. */
  recorded_id: string | null
  /** The lead it is about, once determined. */
  lead_id: string | null
  /** What the team's automations made of it, and when. */
  automations: string | null
  automated_at: string | null
}

export type NewInbound = Pick<
  InboundRow,
  'id' | 'endpoint' | 'event_id' | 'type' | 'team_id' | 'body' | 'status' | 'received_at'
>

/** The new ones among them, by ID; an earlier event keeps its row. */
export async function insertNew(ctx: Context, rows: readonly NewInbound[]): Promise<Set<string>> {
  const column = <Key extends keyof NewInbound>(key: Key) => rows.map(row => row[key])
  const inserted = await ctx.all(
    raw<{
      id: string
    }>(sql`insert into inbound_events (id, endpoint, event_id, type, team_id, body, status, received_at)
      select * from unnest(${column('id')}::text[], ${column('endpoint')}::text[], ${column('event_id')}::text[],
        ${column('type')}::text[], ${column('team_id')}::text[], ${column('body')}::text[], ${column('status')}::text[],
        ${column('received_at')}::timestamptz[])
      on conflict (endpoint, event_id) do nothing returning id`),
  )
  return new Set(inserted.map(({ id }) => id))
}

export async function countRepeats(
  ctx: Context,
  repeats: readonly { endpoint: SignedEndpoint; event_id: string; times: number }[],
): Promise<void> {
  await ctx.run(
    // Locked in the order of IDs, like the workers do: two transactions that share some do not deadlock.
    raw(sql`with again as materialized (
        select inbound_events.id, told.times
        from unnest(${repeats.map(({ endpoint }) => endpoint)}::text[], ${repeats.map(({ event_id }) => event_id)}::text[],
          ${repeats.map(({ times }) => times)}::integer[]) as told (endpoint, event_id, times)
        join inbound_events on inbound_events.endpoint = told.endpoint and inbound_events.event_id = told.event_id
        order by inbound_events.id for no key update of inbound_events)
      update inbound_events set duplicates = duplicates + again.times, repeated_at = ${ctx.now()}
      from again where inbound_events.id = again.id`),
  )
}

/** Those that nobody has taken up yet, in the order they came. */
export async function findUnrecorded(ctx: Context, ids: readonly string[]): Promise<InboundRow[]> {
  return ctx.all(
    db
      .selectFrom('inbound_events')
      .selectAll()
      .where('id', '=', sql<string>`any(${ids}::text[])`)
      .where('recorded_id', 'is', null)
      .orderBy('id')
      .forUpdate(),
  )
}

/** Whose it has turned out to be; undefined while nobody has taken it up. */
export async function findRecordedTeam(
  ctx: Context,
  endpoint: SignedEndpoint,
  event_id: string,
): Promise<string | undefined> {
  const row = await ctx.first(
    raw<{ team_id: string }>(sql`select team_id from inbound_events
      where endpoint = ${endpoint} and event_id = ${event_id} and recorded_id is not null and status <> 'accepted'`),
  )
  return row?.team_id
}

export function setTeam(ctx: Context, ids: readonly string[], team_id: string): void {
  ctx.later(raw(sql`update inbound_events set team_id = ${team_id} where id = any(${ids}::text[])`))
}

/** The event that each became, and its current state. */
export function setRecorded(
  ctx: Context,
  rows: readonly { id: string; recorded_id: string; status: InboundStatus }[],
): void {
  for (const row of rows) noteProgress(ctx, row)
}

/**
 * Claims this reaction's part, and returns whether it was still open: concurrent attempts wait for the end of
 * this transaction and then find it done.
 */
export async function claimEffect(ctx: Context, inbound_id: string, reaction: string): Promise<boolean> {
  return claimAtOnce(ctx, { inbound_id, reaction })
}

type EffectRow = {
  team_id: string
  inbound_id: string
  reaction: string
  outcome: string
  note: string | null
  at: string
}
const claimEffects = inserter<EffectRow>(
  'inbound_effects',
  ['team_id', 'inbound_id', 'reaction', 'outcome', 'note', 'at'],
  `on conflict (team_id, inbound_id, reaction) do update set outcome = 'done', note = null, at = excluded.at
    where inbound_effects.outcome <> 'done' returning inbound_id, reaction`,
)

const claimAtOnce = atOnce<{ inbound_id: string; reaction: string }, boolean>(async (ctx, wanted) => {
  const { team_id } = ctx
  const at = ctx.now()
  // In the order of ids, so that two who share some do not wait for each other in a circle.
  const rows = wanted
    .toSorted((a, b) => (`${a.inbound_id} ${a.reaction}` < `${b.inbound_id} ${b.reaction}` ? -1 : 1))
    .map(row => ({ ...row, team_id, outcome: 'done', note: null, at }))
  const claimed: { inbound_id: string; reaction: string }[] = []
  for (const batch of batchesOf(rows)) claimed.push(...(await ctx.all(claimEffects(batch))))
  const won = new Set(claimed.map(({ inbound_id, reaction }) => `${inbound_id} ${reaction}`))
  return wanted.map(({ inbound_id, reaction }) => won.has(`${inbound_id} ${reaction}`))
})

/** It came to something else than it was taken to. */
export function noteEffect(
  ctx: Context,
  inbound_id: string,
  { reaction, ...effect }: Omit<Effect, 'at'>,
): void {
  ctx.later(
    db
      .updateTable('inbound_effects')
      .set(effect)
      .where('team_id', '=', ctx.team_id)
      .where('inbound_id', '=', inbound_id)
      .where('reaction', '=', reaction),
  )
}

/** A failure wants somebody's eye; else one part of the product that knew what to do with it is enough. */
export function settle(
  ctx: Context,
  id: string,
  outcome: Effect['outcome'],
  lead_id: string | null = null,
): void {
  noteProgress(ctx, { id, outcome, lead_id })
}

/** What a transaction has done with an event: it may record it, handle it and run workflows on it. */
type Progress = {
  id: string
  recorded_id?: string
  status?: InboundStatus
  outcome?: Effect['outcome'] | 'waiting'
  lead_id?: string | null
  automations?: string
}
const PROGRESS = {}

/** Written once, with the commit. */
function noteProgress(ctx: Context, progress: Progress): void {
  const { items, isNew } = ctx.transactionOrThrow().gather<Progress>(PROGRESS)
  if (isNew) ctx.beforeCommit(() => (items.length > 0 ? [writeProgress(ctx, items)] : []))
  items.push(progress)
}

function writeProgress(ctx: Context, items: readonly Progress[]) {
  const column = <Key extends keyof Progress>(key: Key) => items.map(item => item[key] ?? null)
  // Most have been processed by the time their workflows run: nothing about them changes.
  return raw(sql`update inbound_events set recorded_id = coalesce(came.recorded_id, inbound_events.recorded_id),
      lead_id = coalesce(came.lead_id, inbound_events.lead_id),
      automations = coalesce(came.automations, inbound_events.automations),
      automated_at = case when came.automations is null then inbound_events.automated_at else ${ctx.now()}::timestamptz end,
      status = case
        when inbound_events.status = 'failed' or came.failed then 'failed'
        when inbound_events.status = 'processed' or came.done then 'processed'
        when came.unmatched then 'unmatched'
        when came.waiting and coalesce(came.status, inbound_events.status) = 'accepted' then 'waiting'
        else coalesce(came.status, inbound_events.status) end
    from (select id, max(recorded_id) as recorded_id, max(status) as status, max(lead_id) as lead_id,
        max(automations) as automations,
        coalesce(bool_or(outcome = 'failed'), false) as failed, coalesce(bool_or(outcome = 'done'), false) as done,
        coalesce(bool_or(outcome = 'unmatched'), false) as unmatched, coalesce(bool_or(outcome = 'waiting'), false) as waiting
      from unnest(${column('id')}::text[], ${column('recorded_id')}::text[], ${column('status')}::text[],
        ${column('outcome')}::text[], ${column('lead_id')}::text[], ${column('automations')}::text[])
        as told (id, recorded_id, status, outcome, lead_id, automations)
      group by id) as came
    where team_id = ${ctx.team_id} and inbound_events.id = came.id
      and not (inbound_events.status = 'processed' and not came.failed and came.recorded_id is null and came.lead_id is null
        and came.automations is null)`)
}

/** The lead of each, as far as it has been determined, also in this transaction. */
export async function findLeads(ctx: Context, ids: readonly string[]): Promise<Map<string, string>> {
  const noted = ctx.tx?.gatheredBy<Progress>(PROGRESS) ?? []
  const leads = new Map(noted.flatMap(({ id, lead_id }) => (lead_id ? [[id, lead_id] as const] : [])))
  const others = ids.filter(id => !leads.has(id))
  if (others.length === 0) return leads
  const rows = await ctx.all(
    raw<{ id: string; lead_id: string }>(sql`select id, lead_id from inbound_events
      where team_id = ${ctx.team_id} and id = any(${others}::text[]) and lead_id is not null`),
  )
  return new Map([...leads, ...rows.map(({ id, lead_id }) => [id, lead_id] as const)])
}

/** What the team's automations made of events: part of their rows, since they are no reaction that is claimed. */
export function noteAutomated(ctx: Context, notes: readonly { inbound_id: string; note: string }[]): void {
  for (const { inbound_id, note } of notes)
    noteProgress(ctx, { id: inbound_id, outcome: 'done', automations: note })
}

/** Nobody has taken them up. */
export function leaveWaiting(ctx: Context, ids: readonly string[]): void {
  for (const id of ids) noteProgress(ctx, { id, outcome: 'waiting' })
}

export function noteReplay(ctx: Context, rows: readonly { id: string; status: InboundStatus }[]): void {
  ctx.later(
    raw(sql`update inbound_events set replays = replays + 1, status = again.status
      from unnest(${rows.map(({ id }) => id)}::text[], ${rows.map(({ status }) => status)}::text[]) as again (id, status)
      where inbound_events.team_id = ${ctx.team_id} and inbound_events.id = again.id`),
  )
}

/** Of this team: row security sees to it, and so does the query. */
export async function findInbound(ctx: Context, id: string): Promise<InboundRow | undefined> {
  return ctx.first(
    db.selectFrom('inbound_events').selectAll().where('team_id', '=', ctx.team_id).where('id', '=', id),
  )
}

export async function findBodies(
  ctx: Context,
  ids: readonly string[],
): Promise<Pick<InboundRow, 'id' | 'endpoint' | 'event_id' | 'body'>[]> {
  return ctx.all(
    db
      .selectFrom('inbound_events')
      .select(['id', 'endpoint', 'event_id', 'body'])
      .where('team_id', '=', ctx.team_id)
      .where('id', '=', sql<string>`any(${ids}::text[])`),
  )
}

type Filters = Omit<ListInbox, 'limit' | 'cursor'>

/** Newest first. Ids begin with the second they were made in, so that their order is that of time. */
export async function listInbound(
  ctx: Context,
  { limit = LIST_LIMIT_DEFAULT, cursor, ...filters }: ListInbox,
) {
  const after = cursor === undefined ? sql`` : sql`and id < ${decodeInstantCursor(cursor)[1]}`
  const rows = await ctx.all(
    raw<InboundEvent>(sql`select ${columns} from inbound_events where ${matching(ctx, filters)} ${after}
      order by id desc limit ${limit + 1}`),
  )
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  return { data, next_cursor: rows.length > limit && last ? encodeCursor([last.received_at, last.id]) : null }
}

export async function countMatching(ctx: Context, filters: Filters): Promise<number> {
  const row = await ctx.first(
    raw<{ count: number }>(sql`select count(*) as count from inbound_events where ${matching(ctx, filters)}`),
  )
  return row!.count
}

/** The next of those that match, in the order they came. */
export async function lockMatching(ctx: Context, filters: Filters, after: string, limit: number) {
  return ctx.all(
    raw<InboundRow>(sql`select * from inbound_events where ${matching(ctx, filters)} and id > ${after}
      order by id limit ${limit} for update`),
  )
}

export async function findEffects(
  ctx: Context,
  { id, automations, automated_at }: InboundRow,
): Promise<Effect[]> {
  const effects = await ctx.all(
    db
      .selectFrom('inbound_effects')
      .select(['reaction', 'outcome', 'note', 'at'])
      .where('team_id', '=', ctx.team_id)
      .where('inbound_id', '=', id)
      .orderBy('at')
      .orderBy('reaction'),
  )
  if (automations === null || automated_at === null) return effects
  // Before there were these columns, it was an effect like the others.
  const others = effects.filter(({ reaction }) => reaction !== AUTOMATIONS)
  return [...others, { reaction: AUTOMATIONS, outcome: 'done', note: automations, at: automated_at }]
}
const AUTOMATIONS = 'workflows'

/** Locked until the transaction ends. */
export async function lockInbound(ctx: Context, id: string): Promise<InboundRow | undefined> {
  return ctx.first(
    db
      .selectFrom('inbound_events')
      .selectAll()
      .where('team_id', '=', ctx.team_id)
      .where('id', '=', id)
      .forUpdate(),
  )
}

function matching(ctx: Context, { endpoint, type, status, event_id, from, until }: Filters) {
  const conditions = [
    sql`team_id = ${ctx.team_id}`,
    ...isAnyOf('endpoint', endpoint),
    ...isAnyOf('type', type),
    ...isAnyOf('status', status),
    ...(event_id === undefined ? [] : [sql`event_id = ${event_id}`]),
    ...(from === undefined ? [] : [sql`received_at >= ${from} and id >= ${idFrom(from, 0)}`]),
    ...(until === undefined ? [] : [sql`received_at < ${until} and id < ${idFrom(until, 1)}`]),
  ]
  return sql.join(conditions, sql` and `)
}

const columns = sql.raw('id, endpoint, event_id, type, status, duplicates, replays, received_at, repeated_at')

const db = tables<{
  inbound_events: InboundRow
  inbound_effects: Effect & { team_id: string; inbound_id: string }
}>()
