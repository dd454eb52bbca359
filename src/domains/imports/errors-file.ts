import type { Context } from '#platform/context.ts'
import { csvLine } from '#platform/csv.ts'
import { known } from './service.ts'
import * as store from './store.ts'

const PAGE_ROWS = 1_000
const HEADING = 'errors'

/**
 * The rows that were not imported, as in the file, each with its errors at the end: once corrected, it can be
 * imported like any other file.
 */
export async function errorsFile(ctx: Context, id: string): Promise<AsyncIterable<string>> {
  const { columns } = known(await store.find(ctx, id))
  return linesOf(ctx, id, columns)
}

async function* linesOf(ctx: Context, id: string, columns: string[]): AsyncGenerator<string> {
  // A file of errors that was imported again gets its new errors in the place of the old ones.
  const kept = columns.at(-1) === HEADING ? columns.length - 1 : columns.length
  yield csvLine([...columns.slice(0, kept), HEADING])
  for (let last = 0; ;) {
    const rows = await store.listFaulty(ctx, id, last, PAGE_ROWS)
    yield rows
      .map(({ cells, errors }) =>
        csvLine([...cells.slice(0, kept), errorsText(errors, columns), ...cells.slice(columns.length)]),
      )
      .join('')
    if (rows.length < PAGE_ROWS) return
    last = rows.at(-1)!.row
  }
}

function errorsText(errors: store.FaultyRow['errors'], columns: string[]): string {
  return errors
    .map(({ column, message }) =>
      column === null ? message : `${columns[column] || `Column ${column + 1}`} ${message}`,
    )
    .join('; ')
}
