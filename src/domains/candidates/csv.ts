import type { Readable } from 'node:stream'
import type { Context } from '#platform/context.ts'
import { readCsv } from '#platform/csv-read.ts'
import { Problem } from '#platform/problem.ts'
import { bounded, drain, tooLarge } from '#platform/upload.ts'
import { fieldOfHeading } from '#domains/imports/headings.ts'
import { addCandidates } from './add-candidates.ts'
import { readAddress } from './address.ts'
import type { Added } from './contract.ts'
import { CSV_BYTES_MAX } from './values.ts'

export const CSV_ROWS_MAX = 10_000
export const CSV_COLUMNS_MAX = 500
/** So many rows say which column has the addresses. */
const ROWS_LOOKED_AT = 100

type Upload = { body: Readable; bytesTold: number }

/** Reads the whole file before adding anything: a bad file adds nothing. */
export async function uploadCandidates(ctx: Context, { body, bytesTold }: Upload): Promise<Added> {
  try {
    if (bytesTold > CSV_BYTES_MAX) throw tooLarge(CSV_BYTES_MAX)
    return await addCandidates(ctx, addressesIn(await rowsOf(ctx, body), isAddress), 'csv')
  } finally {
    drain(body)
  }

  function isAddress(cell: string): boolean {
    return !('wrong' in readAddress(cell, ctx.runtime.settings.outboundAllowHosts))
  }
}

async function rowsOf(ctx: Context, body: Readable): Promise<string[][]> {
  const rows: string[][] = []
  for await (const { cells } of readCsv(ctx.team_id, bounded(body, CSV_BYTES_MAX))) {
    if (cells.length > CSV_COLUMNS_MAX)
      throw bad(
        'too_many_columns',
        `A row has ${cells.length} columns; at most ${CSV_COLUMNS_MAX} are allowed.`,
      )
    // One more for the line of headings.
    if (rows.push(cells) > CSV_ROWS_MAX + 1)
      throw bad('too_many_rows', `The file has more than ${CSV_ROWS_MAX} rows. Split it.`)
  }
  if (rows.length === 0) throw bad('empty_file', 'The file is empty. It needs a column of domains or URLs.')
  return rows
}

/** One for each row: its site, and where that is missing its mail. Rows that have neither are left out. */
function addressesIn(rows: string[][], isAddress: (cell: string) => boolean): string[] {
  const [first, ...rest] = rows as [string[], ...string[][]]
  const fields = first.map(fieldOfHeading)
  const named = ['website', 'email'].map(field => fields.indexOf(field)).filter(column => column >= 0)
  const columns = named.length > 0 ? named : [likeliestColumn(rows, isAddress)]
  // A plain list has no headings: its first line is one of the addresses.
  const isHeaded = named.length > 0 || !columns.some(column => isAddress(first[column] ?? ''))
  return (isHeaded ? rest : rows).flatMap(cells => {
    const filled = columns.map(column => cells[column]?.trim() ?? '').filter(Boolean)
    return filled.find(isAddress) ?? filled[0] ?? []
  })
}

function likeliestColumn(rows: string[][], isAddress: (cell: string) => boolean): number {
  const looked = rows.slice(0, ROWS_LOOKED_AT)
  const counts = Array.from(
    { length: Math.max(...looked.map(cells => cells.length)) },
    (_, column) => looked.filter(cells => isAddress(cells[column] ?? '')).length,
  )
  // A file may have more columns than a call has room for arguments.
  const most = counts.reduce((most, count) => Math.max(most, count), 0)
  if (most === 0)
    throw bad('no_addresses', 'No column contains domains, URLs or email addresses. Name it “Website”.')
  return counts.indexOf(most)
}

function bad(code: string, message: string): Problem {
  return new Problem('invalid', message, { code })
}
