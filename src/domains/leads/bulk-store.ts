import { sql } from 'kysely'
import type { Actor, Context } from '#platform/context.ts'
import { tables } from '#platform/database/tables.ts'
import type { BulkJob, LeadChange, LeadFilters } from './contract.ts'

export type BulkRow = Omit<BulkJob, 'filter' | 'set' | 'trashed'> & {
  /** A filter of the filter language is in it as text, as in the query of a list. */
  filter: LeadFilters
  change: { set?: LeadChange; trashed?: boolean }
  last_id: string
  until: string
  actor: Actor
}

const db = tables<{ bulk_changes: BulkRow & { team_id: string } }>()

const columns = [
  'id',
  'filter',
  'change',
  'status',
  'total',
  'processed',
  'changed',
  'last_id',
  'until',
  'actor',
  'error',
  'created_at',
  'updated_at',
  'finished_at',
] as const satisfies (keyof BulkRow)[]

export function insert(ctx: Context, row: BulkRow): void {
  const { filter, change, actor } = row
  const json = {
    filter: JSON.stringify(filter) as never,
    change: JSON.stringify(change) as never,
    actor: JSON.stringify(actor) as never,
  }
  ctx.later(db.insertInto('bulk_changes').values({ team_id: ctx.team_id, ...row, ...json }))
}

export async function find(ctx: Context, id: string): Promise<BulkRow | undefined> {
  return ctx.first(one(ctx, id))
}

export async function lock(ctx: Context, id: string): Promise<BulkRow | undefined> {
  return ctx.first(one(ctx, id).forUpdate())
}

export function update(ctx: Context, row: BulkRow): void {
  const { status, processed, changed, last_id, error, updated_at, finished_at } = row
  ctx.later(
    db
      .updateTable('bulk_changes')
      .set({ status, processed, changed, last_id, error, updated_at, finished_at })
      .where('team_id', '=', ctx.team_id)
      .where('id', '=', row.id),
  )
}

type Which = { status: string[] | undefined; limit: number; before: [string, string] | undefined }

export async function list(ctx: Context, { status, limit, before }: Which): Promise<BulkRow[]> {
  let query = db
    .selectFrom('bulk_changes')
    .select(columns)
    .where('team_id', '=', ctx.team_id)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
  if (status) query = query.where('status', '=', sql<never>`any(${status}::text[])`)
  if (before) query = query.where(sql<boolean>`(created_at, id) < (${before[0]}::timestamptz, ${before[1]})`)
  return ctx.all(query)
}

export async function prune(ctx: Context, before: string): Promise<number> {
  return ctx.run(
    db.deleteFrom('bulk_changes').where('team_id', '=', ctx.team_id).where('finished_at', '<', before),
  )
}

function one(ctx: Context, id: string) {
  return db.selectFrom('bulk_changes').select(columns).where('team_id', '=', ctx.team_id).where('id', '=', id)
}
