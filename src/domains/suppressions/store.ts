import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { batchesOf, inserter } from '#platform/database/insert.ts'
import { tables } from '#platform/database/tables.ts'
import type { ListSuppressions, Suppression } from './contract.ts'
import type { SuppressionChannel, SuppressionReason } from './values.ts'

export const suppressionColumns = [
  'id',
  'channel',
  'address',
  'reason',
  'source',
  'note',
  'created_at',
  'lifted_at',
] as const satisfies (keyof Suppression)[]

/** Adds those that are not in force yet, and answers them. */
export async function add(ctx: Context, rows: readonly Suppression[]): Promise<Suppression[]> {
  const { team_id } = ctx
  const batches = batchesOf(rows.map(row => ({ ...row, team_id })))
  return (await Promise.all(batches.map(batch => ctx.all<Suppression>(insertNew(batch))))).flat()
}

const insertNew = inserter<Suppression & { team_id: string }>(
  'suppressions',
  ['team_id', ...suppressionColumns],
  `on conflict (team_id, channel, address) where lifted_at is null do nothing returning ${suppressionColumns.join(', ')}`,
)

export async function findInForce(
  ctx: Context,
  channel: SuppressionChannel,
  addresses: readonly string[],
): Promise<Suppression[]> {
  return ctx.all(
    inForce(ctx)
      .where('channel', '=', channel)
      .where('address', '=', sql<string>`any(${addresses}::text[])`),
  )
}

export async function find(ctx: Context, id: string): Promise<Suppression | undefined> {
  return ctx.first(rowsOf(ctx).where('id', '=', id))
}

/** Undefined where it was lifted already. */
export async function liftOne(ctx: Context, id: string): Promise<Suppression | undefined> {
  return ctx.first(lifting(ctx).where('id', '=', id).returning(suppressionColumns))
}

export async function liftAddress(
  ctx: Context,
  channel: SuppressionChannel,
  address: string,
  reasons: readonly SuppressionReason[],
): Promise<Suppression | undefined> {
  return ctx.first(
    lifting(ctx)
      .where('channel', '=', channel)
      .where('address', '=', address)
      .where('reason', 'in', reasons)
      .returning(suppressionColumns),
  )
}

type Which = Omit<ListSuppressions, 'limit' | 'cursor'> & { limit: number; before: string | undefined }

/** Newest first: ids are in the order of time. */
export async function list(ctx: Context, which: Which): Promise<Suppression[]> {
  const { q, channel, reason, lifted, limit, before } = which
  let query = lifted ? rowsOf(ctx).where('lifted_at', 'is not', null) : inForce(ctx)
  if (q) query = query.where('address', 'like', `${q.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`)
  if (channel) query = query.where('channel', 'in', channel)
  if (reason) query = query.where('reason', 'in', reason)
  if (before) query = query.where('id', '<', before)
  return ctx.all(query.orderBy('id', 'desc').limit(limit))
}

function inForce(ctx: Context) {
  return rowsOf(ctx).where('lifted_at', 'is', null)
}

function rowsOf(ctx: Context) {
  return db.selectFrom('suppressions').select(suppressionColumns).where('team_id', '=', ctx.team_id)
}

function lifting(ctx: Context) {
  return db
    .updateTable('suppressions')
    .set({ lifted_at: ctx.now() })
    .where('team_id', '=', ctx.team_id)
    .where('lifted_at', 'is', null)
}

const db = tables<{ suppressions: Suppression & { team_id: string } }>()
