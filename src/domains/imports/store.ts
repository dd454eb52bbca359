import { sql } from 'kysely'
import type { Actor, Context } from '#platform/context.ts'
import type { CsvRow } from '#platform/csv-read.ts'
import { batchesOf, inserter } from '#platform/database/insert.ts'
import { raw, tables } from '#platform/database/tables.ts'
import type { Import, PreviewRow } from './contract.ts'

export type ImportRow = Import & {
  /** The part that comes next, counted from 0. */
  next_part: number
  actor: Actor
}

/** Some rows of the file, as they were read. */
export type Part = { n: number; rows: CsvRow[] }

export type FaultyRow = PreviewRow

type PartRow = { team_id: string; import_id: string; n: number; first_row: number; rows: string }
type ErrorRow = { team_id: string; import_id: string; row: number; cells: string; errors: unknown }

const db = tables<{
  imports: ImportRow & { team_id: string }
  import_parts: PartRow
  import_errors: ErrorRow
}>()

const insertErrors = inserter<ErrorRow>('import_errors', ['team_id', 'import_id', 'row', 'cells', 'errors'])

const columns = [
  'id',
  'file_name',
  'bytes',
  'status',
  'columns',
  'mapping',
  'duplicates',
  'duplicate_key',
  'automations',
  'defaults',
  'total',
  'processed',
  'created',
  'updated',
  'skipped',
  'failed',
  'next_part',
  'actor',
  'error',
  'started_at',
  'finished_at',
  'created_at',
  'updated_at',
] as const satisfies (keyof ImportRow)[]

export async function insert(ctx: Context, row: ImportRow): Promise<void> {
  await ctx.run(db.insertInto('imports').values({ team_id: ctx.team_id, ...row, ...asJson(row) }))
}

export function update(ctx: Context, { id, created_at: _, ...row }: ImportRow): void {
  ctx.later(
    db
      .updateTable('imports')
      .set({ ...row, ...asJson(row) })
      .where('team_id', '=', ctx.team_id)
      .where('id', '=', id),
  )
}

export async function find(ctx: Context, id: string): Promise<ImportRow | undefined> {
  return ctx.first(one(ctx, id))
}

export async function lock(ctx: Context, id: string): Promise<ImportRow | undefined> {
  return ctx.first(one(ctx, id).forUpdate())
}

/**
 * Serializes the imports of a team, so that each one finds the leads of the previous. Returns false while
 * another one has its turn; no connection waits for it.
 */
export async function takeTurn(ctx: Context): Promise<boolean> {
  const row = await ctx.first(
    raw<{ taken: boolean }>(
      sql`select pg_try_advisory_xact_lock(hashtextextended(${`imports/${ctx.team_id}`}, 0)) as taken`,
    ),
  )
  return row!.taken
}

export async function list(ctx: Context, limit: number, before: [string, string] | undefined) {
  let query = db
    .selectFrom('imports')
    .select(columns)
    .where('team_id', '=', ctx.team_id)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
  if (before) query = query.where(sql<boolean>`(created_at, id) < (${before[0]}::timestamptz, ${before[1]})`)
  return ctx.all(query)
}

/**
 * In this transaction the search index takes up what is new in larger pieces, which costs a sixth less. Searches are
 * slower meanwhile; the last part of an import, like every other write, merges what has come together.
 */
export function writeInBulk(ctx: Context): void {
  ctx.later(raw(sql`set local gin_pending_list_limit = '4MB'`))
}

/** With its parts and errors, which go by their foreign keys. */
export async function remove(ctx: Context, id: string): Promise<void> {
  await ctx.run(db.deleteFrom('imports').where('team_id', '=', ctx.team_id).where('id', '=', id))
}

export async function prune(ctx: Context, { begun, ended }: { begun: string; ended: string }) {
  return ctx.run(
    raw(sql`delete from imports where team_id = ${ctx.team_id} and (finished_at < ${ended}
      or (status = 'READY' and updated_at < ${ended}) or (status = 'UPLOADING' and created_at < ${begun}))`),
  )
}

export async function insertPart(ctx: Context, import_id: string, { n, rows }: Part) {
  const first_row = rows[0]!.row
  const row = { team_id: ctx.team_id, import_id, n, first_row, rows: JSON.stringify(withGaps(rows)) }
  await ctx.run(db.insertInto('import_parts').values(row))
}

export async function findPart(ctx: Context, import_id: string, n: number): Promise<Part | undefined> {
  const row = await ctx.first(
    db
      .selectFrom('import_parts')
      .select(['first_row', 'rows'])
      .where('team_id', '=', ctx.team_id)
      .where('import_id', '=', import_id)
      .where('n', '=', n),
  )
  return row && { n, rows: withoutGaps(row.first_row, JSON.parse(row.rows)) }
}

/** The cells of each row; a number represents that many empty rows of the file, which are not stored. */
type KeptRows = (string[] | number)[]

function withGaps(rows: readonly CsvRow[]): KeptRows {
  return rows.flatMap(({ row, cells }, at) => {
    const empty = at === 0 ? 0 : row - rows[at - 1]!.row - 1
    return empty > 0 ? [empty, cells] : [cells]
  })
}

function withoutGaps(first_row: number, kept: KeptRows): CsvRow[] {
  let row = first_row
  return kept.flatMap(each => {
    if (typeof each === 'object') return [{ row: row++, cells: each }]
    row += each
    return []
  })
}

export function insertFaulty(ctx: Context, import_id: string, rows: readonly FaultyRow[]): void {
  for (const batch of batchesOf(rows)) {
    ctx.later(
      insertErrors(
        batch.map(({ row, cells, errors }) => ({
          team_id: ctx.team_id,
          import_id,
          row,
          cells: JSON.stringify(cells),
          errors: JSON.stringify(errors),
        })),
      ),
    )
  }
}

export async function listFaulty(ctx: Context, import_id: string, after: number, limit: number) {
  const rows = await ctx.all(
    db
      .selectFrom('import_errors')
      .select(['row', 'cells', 'errors'])
      .where('team_id', '=', ctx.team_id)
      .where('import_id', '=', import_id)
      .where('row', '>', after)
      .orderBy('row')
      .limit(limit),
  )
  return rows.map(row => ({ ...row, cells: JSON.parse(row.cells) }) as FaultyRow)
}

function one(ctx: Context, id: string) {
  return db.selectFrom('imports').select(columns).where('team_id', '=', ctx.team_id).where('id', '=', id)
}

function asJson({ columns, mapping, defaults, actor }: Omit<ImportRow, 'id' | 'created_at'>) {
  const text = (value: unknown) => JSON.stringify(value) as never
  return {
    columns: text(columns),
    mapping: text(mapping),
    defaults: text(defaults),
    actor: text(actor),
  }
}
