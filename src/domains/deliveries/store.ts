import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { LIST_LIMIT_DEFAULT } from '#platform/contract.ts'
import { decodeInstantCursor, pageOf } from '#platform/cursor.ts'
import { raw, tables } from '#platform/database/tables.ts'
import { idFrom, notBefore } from '#platform/ids.ts'
import { isAnyOf } from '#platform/listing.ts'
import type { Attempt, Delivery, ListDeliveries } from './contract.ts'
import type { Health } from './schedule.ts'
import type { DeliveryStatus, EndpointStatus, ownerKinds } from './values.ts'

/** Sealed; the first signs, and the others with it until their time is over. */
export type SealedSecret = { sealed: string; until: string | null }

export type EndpointRow = Health & {
  team_id: string
  id: string
  owner_kind: (typeof ownerKinds)[number]
  owner_id: string
  /** Which of several addresses of one record it is. */
  part: string
  name: string
  url: string
  status: EndpointStatus
  secrets: SealedSecret[]
  disabled_at: string | null
  created_at: string
  updated_at: string
}

export type DeliveryRow = Delivery & {
  team_id: string
  body: string
  tries: number
  job_id: string | null
  in_hand: boolean
}

type AttemptRow = Attempt & { team_id: string; delivery_id: string }

/** False when somebody else has added it meanwhile. */
export async function insertEndpoint(ctx: Context, row: Omit<EndpointRow, 'team_id'>): Promise<boolean> {
  const added = await ctx.run(
    db
      .insertInto('webhook_endpoints')
      .values({ team_id: ctx.team_id, ...forWriting(row) })
      .onConflict(conflict => conflict.columns(['team_id', 'owner_kind', 'owner_id', 'part']).doNothing()),
  )
  return added > 0
}

export async function findEndpoint(ctx: Context, id: string): Promise<EndpointRow | undefined> {
  return ctx.first(endpoints(ctx).where('id', '=', id))
}

export async function findEndpointOf(
  ctx: Context,
  { kind, id, part = '' }: { kind: string; id: string; part?: string },
): Promise<EndpointRow | undefined> {
  return ctx.first(
    endpoints(ctx)
      .where('owner_kind', '=', kind as never)
      .where('owner_id', '=', id)
      .where('part', '=', part),
  )
}

/** Every address of a record. */
export async function findAllOf(ctx: Context, kind: string, id: string): Promise<EndpointRow[]> {
  return ctx.all(
    endpoints(ctx)
      .where('owner_kind', '=', kind as never)
      .where('owner_id', '=', id)
      .orderBy('id'),
  )
}

export async function findEndpointsOf(
  ctx: Context,
  kind: string,
  ids: readonly string[],
): Promise<EndpointRow[]> {
  return ctx.all(
    endpoints(ctx)
      .where('owner_kind', '=', kind as never)
      .where('owner_id', 'in', ids)
      .where('part', '=', ''),
  )
}

/** Everything about an address is decided one after the other. What happens meanwhile may still be noted for it. */
export async function lockEndpoint(ctx: Context, id: string): Promise<EndpointRow | undefined> {
  return ctx.first(endpoints(ctx).where('id', '=', id).forNoKeyUpdate())
}

export function updateEndpoint(ctx: Context, id: string, change: Partial<EndpointRow>): void {
  ctx.later(
    db
      .updateTable('webhook_endpoints')
      .set(forWriting(change))
      .where('team_id', '=', ctx.team_id)
      .where('id', '=', id),
  )
}

export async function listEndpoints(
  ctx: Context,
  { limit = LIST_LIMIT_DEFAULT, cursor }: { limit?: number; cursor?: string },
) {
  let query = endpoints(ctx)
    .orderBy('id', 'desc')
    .limit(limit + 1)
  if (cursor !== undefined) query = query.where('id', '<', decodeInstantCursor(cursor)[1])
  return pageOf(await ctx.all(query), limit)
}

/** Those with a secret beside the one that signs first. */
export async function haveRotated(ctx: Context): Promise<boolean> {
  return (await ctx.first(rotated(ctx).limit(1))) !== undefined
}

export async function lockRotated(ctx: Context): Promise<EndpointRow[]> {
  return ctx.all(rotated(ctx).forNoKeyUpdate())
}

/** Those that have more than one secret. */
function rotated(ctx: Context) {
  return endpoints(ctx)
    .where(sql<boolean>`jsonb_array_length(secrets) > 1`)
    .orderBy('id')
}

/** False when the event is already on its way there, or has been. */
export async function addDelivery(ctx: Context, row: Omit<DeliveryRow, 'team_id'>): Promise<boolean> {
  const added = await ctx.run(
    db
      .insertInto('webhook_deliveries')
      .values({ team_id: ctx.team_id, ...row })
      .onConflict(conflict => conflict.columns(['team_id', 'endpoint_id', 'event_id']).doNothing()),
  )
  return added > 0
}

export async function findDelivery(ctx: Context, id: string): Promise<DeliveryRow | undefined> {
  return ctx.first(deliveries(ctx).where('id', '=', id))
}

export async function findDeliveryOf(
  ctx: Context,
  endpoint_id: string,
  event_id: string,
): Promise<DeliveryRow | undefined> {
  return ctx.first(deliveries(ctx).where('endpoint_id', '=', endpoint_id).where('event_id', '=', event_id))
}

export async function lockDelivery(ctx: Context, id: string): Promise<DeliveryRow | undefined> {
  return ctx.first(deliveries(ctx).where('id', '=', id).forUpdate())
}

export function updateDelivery(ctx: Context, id: string, change: Partial<DeliveryRow>): void {
  ctx.later(
    db.updateTable('webhook_deliveries').set(change).where('team_id', '=', ctx.team_id).where('id', '=', id),
  )
}

/** Others than this one that have a place at the address. */
export async function countInHand(ctx: Context, endpoint_id: string, besides = ''): Promise<number> {
  const row = await ctx.first(
    raw<{ count: number }>(sql`select count(*) as count from webhook_deliveries
      where team_id = ${ctx.team_id} and endpoint_id = ${endpoint_id} and in_hand and id <> ${besides}`),
  )
  return row!.count
}

/** Those that wait for a place, in the order they came. */
export async function lockWaiting(ctx: Context, endpoint_id: string, limit: number): Promise<DeliveryRow[]> {
  return ctx.all(
    deliveries(ctx)
      .where('endpoint_id', '=', endpoint_id)
      // In the words of the partial index.
      .where(sql<boolean>`status = 'PENDING' and job_id is null`)
      .orderBy('id')
      .limit(limit)
      .forUpdate(),
  )
}

/** Everything that was still to go to an address. */
export async function failPending(ctx: Context, endpoint_id: string, reason: string): Promise<number> {
  return ctx.run(
    db
      .updateTable('webhook_deliveries')
      .set({ status: 'FAILED', next_at: null, job_id: null, in_hand: false, last_error: reason })
      .where('team_id', '=', ctx.team_id)
      .where('endpoint_id', '=', endpoint_id)
      .where('status', '=', 'PENDING'),
  )
}

type Filters = Pick<ListDeliveries, 'endpoint_id' | 'status' | 'from' | 'until'>

/** Newest first. Ids begin with the second they were made in, so that their order is that of time. */
export async function listDeliveries(
  ctx: Context,
  { limit = LIST_LIMIT_DEFAULT, cursor, ...filters }: ListDeliveries,
) {
  const after = cursor === undefined ? sql`` : sql`and id < ${decodeInstantCursor(cursor)[1]}`
  const rows = await ctx.all(
    raw<Delivery>(sql`select ${shown} from webhook_deliveries where ${matching(ctx, filters)} ${after}
      order by id desc limit ${limit + 1}`),
  )
  return pageOf(rows, limit)
}

/** What failed, and could go out again: to addresses that are in use. */
export async function countReplayable(ctx: Context, filters: Filters): Promise<number> {
  const row = await ctx.first(
    raw<{ count: number }>(
      sql`select count(*) as count from webhook_deliveries where ${replayable(ctx, filters)}`,
    ),
  )
  return row!.count
}

/** The next of them, in the order they came. */
export async function lockReplayable(ctx: Context, filters: Filters, after: string, limit: number) {
  return ctx.all(
    raw<DeliveryRow>(sql`select * from webhook_deliveries where ${replayable(ctx, filters)} and id > ${after}
      order by id limit ${limit} for update`),
  )
}

/** Each from its first try on, by the job that is named. */
export function beginAgain(ctx: Context, rows: readonly { id: string; job_id: string }[]): void {
  ctx.later(
    raw(sql`update webhook_deliveries set status = 'PENDING', tries = 0, next_at = ${ctx.now()}, job_id = begun.job_id,
        last_error = null, delivered_at = null
      from unnest(${rows.map(({ id }) => id)}::text[], ${rows.map(({ job_id }) => job_id)}::text[]) as begun (id, job_id)
      where team_id = ${ctx.team_id} and webhook_deliveries.id = begun.id`),
  )
}

export function insertAttempt(ctx: Context, delivery_id: string, attempt: Attempt): void {
  ctx.later(db.insertInto('webhook_attempts').values({ team_id: ctx.team_id, delivery_id, ...attempt }))
}

export async function listAttempts(ctx: Context, delivery_id: string, limit: number): Promise<Attempt[]> {
  return ctx.all(
    db
      .selectFrom('webhook_attempts')
      .select(['id', 'at', 'duration_ms', 'url', 'response_status', 'response_body', 'error'])
      .where('team_id', '=', ctx.team_id)
      .where('delivery_id', '=', delivery_id)
      .where('id', '>=', notBefore(delivery_id))
      .orderBy('id', 'desc')
      .limit(limit),
  )
}

const db = tables<{
  webhook_endpoints: EndpointRow
  webhook_deliveries: DeliveryRow
  webhook_attempts: AttemptRow
}>()

const shown = sql.raw(
  'id, endpoint_id, event_id, type, status, attempts, next_at, last_status, last_error, created_at, delivered_at',
)

function endpoints(ctx: Context) {
  return db.selectFrom('webhook_endpoints').selectAll().where('team_id', '=', ctx.team_id)
}

function deliveries(ctx: Context) {
  return db.selectFrom('webhook_deliveries').selectAll().where('team_id', '=', ctx.team_id)
}

function matching(ctx: Context, { endpoint_id, status, from, until }: Filters) {
  const conditions = [
    sql`team_id = ${ctx.team_id}`,
    ...isAnyOf('endpoint_id', endpoint_id),
    ...isAnyOf('status', status as DeliveryStatus[] | undefined),
    ...(from === undefined ? [] : [sql`created_at >= ${from} and id >= ${idFrom(from, 0)}`]),
    ...(until === undefined ? [] : [sql`created_at < ${until} and id < ${idFrom(until, 1)}`]),
  ]
  return sql.join(conditions, sql` and `)
}

function replayable(ctx: Context, filters: Filters) {
  return sql`${matching(ctx, { ...filters, status: ['FAILED'] })} and endpoint_id in (
    select id from webhook_endpoints where team_id = ${ctx.team_id} and status = 'ACTIVE')`
}

function forWriting<Part extends Partial<EndpointRow>>(row: Part): Part {
  return row.secrets ? { ...row, secrets: JSON.stringify(row.secrets) as unknown as SealedSecret[] } : row
}
