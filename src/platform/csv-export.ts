import { sql, type RawBuilder } from 'kysely'
import { Answer } from './answer.ts'
import type { Context } from './context.ts'
import { t } from './contract.ts'
import { CsvRows } from './csv-rows.ts'
import { csvLine, csvValue } from './csv.ts'
import { encodeCursor } from './cursor.ts'
import { freshlyPlanned, into, raw } from './database/tables.ts'
import { defineEvent, record } from './events.ts'
import { readingOf, UNFILTERED, type Listing, type Narrow, type Page } from './listing.ts'

const EXPORT_PAGE_ROWS = 1_000
/** A file that no spreadsheet opens helps nobody. */
export const EXPORT_ROWS_MAX = 1_000_000

type PageOf<Row> = { data: Row[]; next_cursor: string | null }
/** A field of the row, or a column that is read off it. */
type Column<Row> = (keyof Row & string) | { name: string; of: (row: Row) => unknown }

/**
 * A list as CSV, page by page: a long one neither fills the memory nor holds a transaction open. While a page is written, the
 * database already reads the next one.
 */
export async function* exportPages<Row extends object>(
  columns: readonly Column<Row>[],
  read: (page: { limit: number; cursor?: string }) => Promise<PageOf<Row>>,
): AsyncGenerator<string> {
  const values = columns.map(column => (typeof column === 'string' ? (row: Row) => row[column] : column.of))
  const readFrom = (cursor?: string) => {
    const page = read({ limit: EXPORT_PAGE_ROWS, ...(cursor && { cursor }) })
    // A client that stops reading the file does not need its result.
    page.catch(() => {})
    return page
  }
  yield csvLine(columns.map(column => (typeof column === 'string' ? column : column.name)))
  let next: Promise<PageOf<Row>> | undefined = readFrom()
  for (let count = 0; next && count < EXPORT_ROWS_MAX; count += EXPORT_PAGE_ROWS) {
    const { data, next_cursor }: PageOf<Row> = await next
    next = next_cursor === null ? undefined : readFrom(next_cursor)
    let text = ''
    for (const row of data) text += csvLine(values.map(valueOf => csvValue(valueOf(row))))
    yield text
  }
}

/** A column of the list's table, or one that is computed from them. */
type ListColumn = string | { name: string; value: RawBuilder<unknown> }

/** A whole list as CSV. Its rows go from the database into the file without becoming objects. */
export async function* exportList<Sort extends string>(
  ctx: Context,
  listing: Listing<Sort>,
  query: Page<Sort>,
  conditions: readonly RawBuilder<unknown>[],
  columns: readonly ListColumn[] = listing.columns,
  narrow: Narrow = UNFILTERED,
): AsyncGenerator<string | Uint8Array> {
  const values = columns.map(column =>
    typeof column === 'string' ? sql.ref(`${listing.table}.${column}`) : column.value,
  )
  const readFrom = (cursor?: string) => {
    const page = { ...query, ...(cursor && { cursor }) }
    const { from, where, key, id, after, order } = readingOf(ctx, listing, page, conditions, narrow)
    const rows = new CsvRows({ columns: columns.length, full: EXPORT_PAGE_ROWS })
    const read = ctx.all(
      into(
        rows,
        freshlyPlanned(
          raw(sql`select ${sql.join([...values, key, id])} from ${from}
            where ${where} ${after} ${order} limit ${EXPORT_PAGE_ROWS}`),
        ),
      ),
    )
    const written = read.then(() => rows)
    // A client that stops reading no longer asks for the page that is on its way.
    written.catch(() => {})
    return written
  }
  yield csvLine(columns.map(column => (typeof column === 'string' ? column : column.name)))
  let next: Promise<CsvRows> | undefined = readFrom()
  for (let count = 0; next && count < EXPORT_ROWS_MAX; count += EXPORT_PAGE_ROWS) {
    const { after, bytes }: CsvRows = await next
    next = after && readFrom(encodeCursor(after.map(String)))
    if (bytes.length > 0) yield bytes
  }
}

/**
 * What leaves the house by the thousand is written down: who took what, and what it was filtered by. Not for what: somebody's
 * name would stay in the log.
 */
export const exportMade = defineEvent(
  'export.made',
  t.Object({ what: t.String(), filters: t.Array(t.String()) }),
)

type Asked = { method: string; query?: Record<string, unknown> }

export async function csvAnswer(
  ctx: Context,
  name: string,
  { method, query = {} }: Asked,
  lines: AsyncIterable<string | Uint8Array>,
): Promise<Answer> {
  if (method !== 'HEAD')
    await ctx.transaction(
      async ctx =>
        void record(
          ctx,
          exportMade,
          { kind: 'export', id: ctx.newId() },
          { what: name, filters: Object.keys(query) },
        ),
    )
  const headers = {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${name}-${ctx.now().slice(0, 10)}.csv"`,
  }
  return new Answer(200, headers, lines)
}
