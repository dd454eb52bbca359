import { sql } from 'kysely'
import { systemContext, type Context } from '#platform/context.ts'
import { raw, tables } from '#platform/database/tables.ts'
import type { Erasure } from './contract.ts'

type ErasureRow = Erasure & { team_id: string; words: string | null }

const columns = [
  'id',
  'lead_id',
  'status',
  'counts',
  'requested_by',
  'created_at',
  'erased_at',
] as const satisfies (keyof Erasure)[]

/** False where the lead is being erased already. */
export async function insert(ctx: Context, erasure: Erasure, words: string): Promise<boolean> {
  const row = { team_id: ctx.team_id, ...erasure, words, counts: JSON.stringify(erasure.counts) as never }
  const added = await ctx.run(
    db
      .insertInto('erasures')
      .values(row)
      .onConflict(conflict => conflict.columns(['team_id', 'lead_id']).doNothing()),
  )
  return added > 0
}

export async function find(ctx: Context, id: string): Promise<Erasure | undefined> {
  return ctx.first(rows(ctx).where('id', '=', id))
}

export async function findOfLead(ctx: Context, lead_id: string): Promise<Erasure | undefined> {
  return ctx.first(rows(ctx).where('lead_id', '=', lead_id))
}

/** With what the person is known by, sealed: it is forgotten when the work is done. */
export async function findForWork(ctx: Context, id: string) {
  return ctx.first(rows(ctx).select('words').where('id', '=', id).where('status', '<>', 'DONE').forUpdate())
}

export async function list(ctx: Context, limit: number, before: string | undefined): Promise<Erasure[]> {
  const found = before ? rows(ctx).where('id', '<', before) : rows(ctx)
  return ctx.all(found.orderBy('id', 'desc').limit(limit))
}

type Progress = Partial<Pick<ErasureRow, 'status' | 'counts' | 'erased_at' | 'words'>>

export function update(ctx: Context, id: string, { counts, ...progress }: Progress): void {
  const set = { ...progress, ...(counts && { counts: JSON.stringify(counts) as never }) }
  ctx.later(db.updateTable('erasures').set(set).where('team_id', '=', ctx.team_id).where('id', '=', id))
}

/**
 * Every table that may contain a person; the lead's own comes first, so that nothing new is derived from it.
 */
export async function listTables(ctx: Context): Promise<string[]> {
  const found = await ctx.all(raw<{ name: string }>(sql`select name from tables_of_people() as found (name)`))
  return found.map(({ name }) => name)
}

export async function readIn(ctx: Context, table: string, lead_id: string, pattern: string) {
  const found = await ctx.all(
    raw<{ row: Record<string, unknown> }>(
      sql`select row from read_person_in(${table}, ${lead_id}, ${pattern}) as found (row)`,
    ),
  )
  return found.map(({ row }) => row)
}

/**
 * Looks through the whole table, which may take as long as it takes. On a cluster in a transaction of its own: a node refuses a
 * team's rows to one role when another has changed some in the same transaction. Erasing again does no harm.
 */
export async function eraseIn(
  ctx: Context,
  table: string,
  lead_id: string,
  pattern: string,
): Promise<number> {
  const own = ctx.runtime.sharded ? systemContext(ctx.runtime, ctx.team_id) : ctx
  return own.transaction(async ctx => {
    ctx.later(raw(sql`set local statement_timeout = 0`))
    const row = await ctx.first(
      raw<{ erased: number }>(sql`select erase_person_in(${table}, ${lead_id}, ${pattern}) as erased`),
    )
    return row!.erased
  })
}

function rows(ctx: Context) {
  return db.selectFrom('erasures').select(columns).where('team_id', '=', ctx.team_id)
}

const db = tables<{ erasures: ErasureRow }>()
