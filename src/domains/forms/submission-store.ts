import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { LIST_LIMIT_DEFAULT } from '#platform/contract.ts'
import { decodeInstantCursor, pageOf } from '#platform/cursor.ts'
import { raw, tables } from '#platform/database/tables.ts'
import type { ListSubmissions, Submission } from './contract.ts'

type Row = Omit<Submission, 'values'> & {
  team_id: string
  page_key: string | null
  field_values: Submission['values']
}

export type NewSubmission = Submission & { page_key: string | null }

export function insertSubmission(ctx: Context, { values, ...submission }: NewSubmission): void {
  const row = {
    ...submission,
    team_id: ctx.team_id,
    reasons: asJson(submission.reasons),
    notes: asJson(submission.notes),
    first_touch: submission.first_touch && asJson(submission.first_touch),
    last_touch: asJson(submission.last_touch),
    field_values: asJson(values),
  }
  ctx.later(db.insertInto('submissions').values(row))
}

export async function findSubmission(ctx: Context, id: string): Promise<Submission | undefined> {
  return ctx.first(all(ctx).where('id', '=', id))
}

/** In the order they came. */
export async function findSubmissions(ctx: Context, ids: readonly string[]): Promise<Submission[]> {
  if (ids.length === 0) return []
  return ctx.all(all(ctx).where('id', 'in', ids).orderBy('id'))
}

export async function lockSubmission(ctx: Context, id: string): Promise<Submission | undefined> {
  return ctx.first(all(ctx).where('id', '=', id).forUpdate())
}

/** What was sent from this very page before. */
export async function findByPage(ctx: Context, form_id: string, page_key: string) {
  return ctx.first(all(ctx).where('form_id', '=', form_id).where('page_key', '=', page_key))
}

type Release = Pick<Submission, 'status' | 'lead_id' | 'notes' | 'released_at'>

export function updateSubmission(ctx: Context, id: string, { notes, ...change }: Release): void {
  ctx.later(
    db
      .updateTable('submissions')
      .set({ ...change, notes: asJson(notes) })
      .where('team_id', '=', ctx.team_id)
      .where('id', '=', id),
  )
}

export function deleteSubmission(ctx: Context, id: string): void {
  ctx.later(db.deleteFrom('submissions').where('team_id', '=', ctx.team_id).where('id', '=', id))
}

export async function listSubmissions(ctx: Context, form_id: string, query: ListSubmissions) {
  const { limit = LIST_LIMIT_DEFAULT, cursor, sort = '-created_at', status, from, until } = query
  const direction = sort === 'created_at' ? 'asc' : 'desc'
  let rows = all(ctx)
    .where('form_id', '=', form_id)
    .orderBy('created_at', direction)
    .orderBy('id', direction)
    .limit(limit + 1)
  if (status) rows = rows.where('status', 'in', status)
  if (from) rows = rows.where('created_at', '>=', from)
  if (until) rows = rows.where('created_at', '<', until)
  if (cursor) {
    const [at, id] = decodeInstantCursor(cursor)
    const beyond = sql.raw(direction === 'asc' ? '>' : '<')
    rows = rows.where(sql<boolean>`(created_at, id) ${beyond} (${at}::timestamptz, ${id})`)
  }
  return pageOf(await ctx.all(rows), limit)
}

type Counts = { received: number; quarantined: number; last_at: string | null }

/** How many came in through each of these forms, and when the last one did. */
export async function countByForm(ctx: Context, forms: readonly string[]): Promise<Map<string, Counts>> {
  if (forms.length === 0) return new Map()
  const rows = await ctx.all(
    raw<Counts & { form_id: string }>(sql`select form_id,
        count(*) filter (where status = 'RECEIVED') as received,
        count(*) filter (where status = 'QUARANTINED') as quarantined,
        max(created_at) as last_at
      from submissions where team_id = ${ctx.team_id} and form_id = any(${forms}::text[]) group by form_id`),
  )
  return new Map(rows.map(({ form_id, ...counts }) => [form_id, counts]))
}

const db = tables<{ submissions: Row }>()

function all(ctx: Context) {
  return db
    .selectFrom('submissions')
    .select([
      'id',
      'form_id',
      'form_version',
      'lead_id',
      'status',
      'reasons',
      'notes',
      'field_values as values',
      'first_touch',
      'last_touch',
      'ip',
      'user_agent',
      'created_at',
      'released_at',
    ])
    .where('team_id', '=', ctx.team_id)
}

function asJson<Value>(value: Value): Value {
  return JSON.stringify(value) as Value
}
