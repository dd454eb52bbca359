import type { Readable } from 'node:stream'
import type { Context } from '#platform/context.ts'
import { isEmail, TEXT_LENGTH_MAX } from '#platform/contract.ts'
import { readCsv, type CsvRow } from '#platform/csv-read.ts'
import { record } from '#platform/events.ts'
import { readPhone } from '#platform/phone.ts'
import { Problem } from '#platform/problem.ts'
import { bounded, drain } from '#platform/upload.ts'
import { suppressionsImported, type SuppressionImport } from './contract.ts'
import { newSuppression, type Entry } from './service.ts'
import * as store from './store.ts'
import { SUPPRESSION_IMPORT_ROWS_MAX } from './values.ts'

/** So many rows are added in one transaction: a slow line holds neither memory nor a connection. */
const BLOCK_ROWS = 1_000
const FILE_BYTES_MAX = 50 * 1024 * 1024
const FAULTS_TOLD_MAX = 100

/** Which column says what; `either` holds addresses and numbers mixed, as a file that was exported here does. */
type Columns = { email?: number; phone?: number; either?: number; note?: number }

const headings: Record<keyof Columns, readonly string[]> = {
  email: ['email', 'e-mail', 'email address', 'e-mail address'],
  phone: ['phone', 'phone number', 'mobile'],
  either: ['address'],
  note: ['note', 'notes'],
}

/**
 * Adds what a CSV file lists, block by block as it comes in. Rows that cannot be read are told, and keep no other from
 * being added. Should the file break off in the middle, what came before stays: nobody on a list like this is to be
 * written to because of a fault further down, and sending it again does no harm.
 */
export async function importSuppressions(ctx: Context, body: Readable): Promise<SuppressionImport> {
  const told: SuppressionImport = { added: 0, known: 0, faults: [], faulty: 0 }
  try {
    const rows = readCsv(ctx.team_id, bounded(body, FILE_BYTES_MAX))
    await addRows(ctx, rows, told)
  } catch (error) {
    drain(body)
    if (told.added > 0) await tell(ctx, told)
    throw error
  }
  await tell(ctx, told)
  return told
}

async function addRows(ctx: Context, rows: AsyncGenerator<CsvRow>, told: SuppressionImport): Promise<void> {
  const first = await rows.next()
  if (first.done) throw bad('empty_file', 'The file is empty. Its first line must be the column headers.')
  const { columns, isData } = columnsOf(first.value.cells)
  let block: Entry[] = []
  let taken = 0
  const take = ({ row, cells }: CsvRow) => {
    if (++taken > SUPPRESSION_IMPORT_ROWS_MAX)
      throw bad('too_many_rows', `The file has more than ${SUPPRESSION_IMPORT_ROWS_MAX} rows. Split it.`)
    const { entries, wrong } = readRow(cells, columns)
    block.push(...entries)
    if (!wrong) return
    told.faulty++
    if (told.faults.length < FAULTS_TOLD_MAX) told.faults.push({ row, message: wrong })
  }
  if (isData) take(first.value)
  for await (const row of rows) {
    take(row)
    if (block.length < BLOCK_ROWS) continue
    await addBlock(ctx, block, told)
    block = []
  }
  if (taken === 0) throw bad('no_rows', 'The file has a header but no rows.')
  await addBlock(ctx, block, told)
}

/** In one order, so that two who add the same addresses at once never wait for each other in a circle. */
async function addBlock(ctx: Context, block: readonly Entry[], told: SuppressionImport): Promise<void> {
  if (block.length === 0) return
  const rows = block.map(entry => newSuppression(ctx, entry))
  rows.sort((a, b) => (a.channel + a.address < b.channel + b.address ? -1 : 1))
  const { length } = await ctx.transaction(ctx => store.add(ctx, rows))
  told.added += length
  told.known += block.length - length
}

async function tell(ctx: Context, { added, known, faulty }: SuppressionImport): Promise<void> {
  await ctx.transaction(async ctx => {
    record(ctx, suppressionsImported, { kind: 'suppression', id: ctx.team_id }, { added, known, faulty })
  })
}

/** By the headings; a file without any whose first cell is an address or a number is a plain list. */
function columnsOf(row: readonly string[]): { columns: Columns; isData: boolean } {
  const names = row.map(cell => cell.trim().toLowerCase())
  const columns: Columns = {}
  for (const [kind, known] of Object.entries(headings) as [keyof Columns, readonly string[]][]) {
    const at = names.findIndex(name => known.includes(name))
    if (at >= 0) columns[kind] = at
  }
  if ('email' in columns || 'phone' in columns || 'either' in columns) return { columns, isData: false }
  if ('value' in readEither(row[0]!.trim())) return { columns: { either: 0 }, isData: true }
  throw bad(
    'no_address_column',
    'The file has no email or phone column. Its first line must be the column headers.',
  )
}

type Reading = { value: Pick<Entry, 'channel' | 'address'> } | { wrong: string }

function readRow(cells: readonly string[], columns: Columns): { entries: Entry[]; wrong?: string } {
  const cellOf = (at: number | undefined) => (at === undefined ? '' : (cells[at] ?? '').trim())
  const readings = (['email', 'phone', 'either'] as const).flatMap(kind => {
    const cell = cellOf(columns[kind])
    return cell ? [readers[kind](cell)] : []
  })
  const note = noteOf(cellOf(columns.note))
  const entries = readings.flatMap(reading =>
    'value' in reading ? [{ ...reading.value, reason: 'imported' as const, source: 'A file', note }] : [],
  )
  const wrong = readings.flatMap(reading => ('wrong' in reading ? [reading.wrong] : []))
  if (readings.length === 0) wrong.push('has no email address or phone number')
  return { entries, ...(wrong.length > 0 && { wrong: wrong.join('; ') }) }
}

const readers = { email: readAddress, phone: readNumber, either: readEither }

function readAddress(cell: string): Reading {
  const address = cell.replace(/^mailto:/i, '')
  if (isEmail(address)) return { value: { channel: 'email', address } }
  return { wrong: `${shortened(cell)} is not a valid email address` }
}

function readNumber(cell: string): Reading {
  const reading = readPhone(cell)
  if ('value' in reading) return { value: { channel: 'phone', address: reading.value } }
  return { wrong: `${shortened(cell)} ${reading.wrong}` }
}

function readEither(cell: string): Reading {
  return cell.includes('@') ? readAddress(cell) : readNumber(cell)
}

function noteOf(cell: string): string | null {
  return (
    cell
      .replace(/\p{Cc}+/gu, ' ')
      .slice(0, TEXT_LENGTH_MAX)
      .toWellFormed() || null
  )
}

const CELL_TOLD_LENGTH_MAX = 60

function shortened(cell: string): string {
  const line = cell.replace(/\p{Cc}+/gu, ' ').toWellFormed()
  return line.length > CELL_TOLD_LENGTH_MAX ? `${line.slice(0, CELL_TOLD_LENGTH_MAX)}…` : line
}

function bad(code: string, message: string): Problem {
  return new Problem('invalid', message, { code })
}
