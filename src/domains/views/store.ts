import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { tables } from '#platform/database/tables.ts'
import type { View } from './contract.ts'

const db = tables<{ views: View & { team_id: string } }>()

const columns = [
  'id',
  'kind',
  'name',
  'query',
  'columns',
  'shared',
  'owner_id',
  'created_at',
  'updated_at',
] as const

type Which = { kind: View['kind'] | undefined; limit: number; after: [string, string] | undefined }

/** One's own, and those that are shared. */
export async function listViews(
  ctx: Context,
  user_id: string,
  { kind, limit, after }: Which,
): Promise<View[]> {
  let query = db
    .selectFrom('views')
    .select(columns)
    .where('team_id', '=', ctx.team_id)
    .where(eb => eb.or([eb('shared', '=', true), eb('owner_id', '=', user_id)]))
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
  if (kind) query = query.where('kind', '=', kind)
  if (after) query = query.where(sql<boolean>`(created_at, id) > (${after[0]}::timestamptz, ${after[1]})`)
  return ctx.all(query)
}

export async function findView(ctx: Context, id: string): Promise<View | undefined> {
  return ctx.first(
    db.selectFrom('views').select(columns).where('team_id', '=', ctx.team_id).where('id', '=', id),
  )
}

export async function lockView(ctx: Context, id: string): Promise<View | undefined> {
  return ctx.first(
    db
      .selectFrom('views')
      .select(columns)
      .where('team_id', '=', ctx.team_id)
      .where('id', '=', id)
      .forUpdate(),
  )
}

export function insertView(ctx: Context, view: View): void {
  ctx.later(db.insertInto('views').values({ team_id: ctx.team_id, ...forWriting(view) }))
}

export function updateView(ctx: Context, view: View): void {
  const { id, ...fields } = forWriting(view)
  ctx.later(db.updateTable('views').set(fields).where('team_id', '=', ctx.team_id).where('id', '=', id))
}

export function deleteView(ctx: Context, id: string): void {
  ctx.later(db.deleteFrom('views').where('team_id', '=', ctx.team_id).where('id', '=', id))
}

function forWriting(view: View): View {
  return { ...view, columns: view.columns && (JSON.stringify(view.columns) as unknown as View['columns']) }
}
