import type { Readable } from 'node:stream'
import type { Context } from '#platform/context.ts'
import { readCsv, type CsvRow } from '#platform/csv-read.ts'
import { record } from '#platform/events.ts'
import { Problem } from '#platform/problem.ts'
import { bounded, drain, tooLarge } from '#platform/upload.ts'
import { nextVersion } from '#platform/version.ts'
import { getSettings } from '#domains/leads/service.ts'
import { importUploaded, type Import } from './contract.ts'
import { proposedKey, proposedMapping } from './mapping.ts'
import { shown } from './service.ts'
import * as store from './store.ts'
import { IMPORT_BYTES_MAX, IMPORT_COLUMNS_MAX, IMPORT_ROWS_MAX } from './values.ts'

/** So many rows are imported in one transaction; cancelling waits for no more than these. */
export const PART_ROWS_MAX = 1_000
const PART_CHARACTERS_MAX = 500_000
const HEADING_LENGTH_MAX = 200
const ROWS_LOOKED_AT = 100

export type Upload = { file_name?: string | undefined; body: Readable; bytesTold?: number | undefined }

/**
 * Reads the file as it arrives and stores its rows part by part, each in its own transaction: a slow upload
 * holds neither memory nor a connection. If the file is bad or the upload is interrupted, nothing is kept.
 */
export async function uploadImport(
  ctx: Context,
  { file_name, body, bytesTold = 0 }: Upload,
): Promise<Import> {
  const row = emptyImport(ctx, file_name ?? 'import.csv')
  try {
    if (bytesTold > IMPORT_BYTES_MAX) throw tooLarge(IMPORT_BYTES_MAX)
    const file = { bytes: 0 }
    const rows = readCsv(ctx.team_id, bounded(body, IMPORT_BYTES_MAX, file))
    const columns = await headerOf(rows)
    await store.insert(ctx, row)
    const { total, first } = await keepParts(ctx, row.id, rows, columns.length)
    return await finishUpload(ctx, { ...row, columns, total, bytes: file.bytes }, first)
  } catch (error) {
    await store.remove(ctx, row.id).catch(() => {
      // The database is away: what was kept is cleared by the sweep.
    })
    drain(body)
    throw error
  }
}

function emptyImport(ctx: Context, file_name: string): store.ImportRow {
  const at = ctx.now()
  return {
    id: ctx.newId(),
    file_name,
    bytes: 0,
    status: 'UPLOADING',
    columns: [],
    mapping: [],
    duplicates: 'skip',
    duplicate_key: 'email',
    automations: false,
    defaults: {},
    total: 0,
    processed: 0,
    created: 0,
    updated: 0,
    skipped: 0,
    failed: 0,
    next_part: 0,
    actor: ctx.actor,
    error: null,
    started_at: null,
    finished_at: null,
    created_at: at,
    updated_at: at,
  }
}

async function headerOf(rows: AsyncGenerator<CsvRow>): Promise<string[]> {
  const { done, value } = await rows.next()
  if (done) throw bad('empty_file', 'The file is empty. Its first line must be the column headers.')
  const { cells } = value
  if (cells.length > IMPORT_COLUMNS_MAX) {
    throw bad(
      'too_many_columns',
      `The file has ${cells.length} columns; at most ${IMPORT_COLUMNS_MAX} are allowed.`,
    )
  }
  return cells.map(headingOf)
}

function headingOf(cell: string): string {
  return cell
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, HEADING_LENGTH_MAX)
    .toWellFormed()
}

/** Writes the rows in parts; answers how many there were, and the first of them. */
async function keepParts(ctx: Context, id: string, rows: AsyncGenerator<CsvRow>, columns: number) {
  const first: string[][] = []
  let part: store.Part = { n: 0, rows: [] }
  let total = 0
  let characters = 0
  const keep = async () => {
    await store.insertPart(ctx, id, part)
    part = { n: part.n + 1, rows: [] }
    characters = 0
  }
  for await (const read of rows) {
    const { cells } = read
    while (cells.length < columns) cells.push('')
    if (first.length < ROWS_LOOKED_AT) first.push(cells)
    part.rows.push(read)
    if (++total > IMPORT_ROWS_MAX)
      throw bad('too_many_rows', `The file has more than ${IMPORT_ROWS_MAX} rows. Split it.`)
    for (const cell of cells) characters += cell.length
    if (part.rows.length === PART_ROWS_MAX || characters > PART_CHARACTERS_MAX) await keep()
  }
  if (total === 0) throw bad('no_rows', 'The file has a header but no rows.')
  if (part.rows.length > 0) await keep()
  return { total, first }
}

async function finishUpload(ctx: Context, row: store.ImportRow, first: string[][]): Promise<Import> {
  return ctx.transaction(async ctx => {
    const { custom_fields } = await getSettings(ctx)
    const mapping = proposedMapping(row.columns, first, custom_fields)
    const updated_at = nextVersion(row.updated_at, ctx.now())
    const ready = { ...row, ...proposedKey(mapping), mapping, status: 'READY' as const, updated_at }
    store.update(ctx, ready)
    const { file_name, total } = ready
    record(ctx, importUploaded, { kind: 'import', id: row.id }, { file_name, rows: total })
    return shown(ready)
  })
}

function bad(code: string, message: string): Problem {
  return new Problem('invalid', message, { code })
}
