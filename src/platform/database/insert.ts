import type { Compilable, CompiledQuery } from 'kysely'

/** Texts for so many rows are kept; larger batches differ in size each time, and their building no longer matters. */
const KEPT_TEXT_ROWS_MAX = 10

/**
 * An INSERT for the hot path: its text is built once per number of rows, where a query builder would build it
 * for every record. Columns and rows are typed; the text has no other source than the column names given
 * here, and the `ending`: ON CONFLICT and RETURNING.
 */
export function inserter<Row extends object>(
  table: string,
  columns: readonly (keyof Row & string)[],
  ending = '',
) {
  const tail = ending && ` ${ending}`
  const head = `insert into ${quoted(table)} (${columns.map(quoted).join(', ')}) values `
  const texts: string[] = []
  const textFor = (rows: number) => (texts[rows] ??= head + tuples(rows, columns.length) + tail)
  return (rows: readonly Row[]): Compilable<never> => ({
    compile: () =>
      (rows.length > KEPT_TEXT_ROWS_MAX
        ? manyRows(head, columns, rows, tail)
        : {
            sql: textFor(rows.length),
            parameters: rows.flatMap(row => columns.map(column => row[column])),
          }) as unknown as CompiledQuery<never>,
  })
}

/**
 * Many rows in statements of a few sizes: a text that comes again is planned once, and 65,535 parameters are the
 * protocol's end. A sharded table refuses INSERT … SELECT.
 */
export function batchesOf<Row>(rows: readonly Row[]): Row[][] {
  const batches: Row[][] = []
  for (let at = 0; at < rows.length; at += batches.at(-1)!.length) {
    const left = rows.length - at
    const size = BATCH_ROWS.find(size => size <= left) ?? left
    batches.push(rows.slice(at, at + size))
  }
  return batches
}
const BATCH_ROWS = [100, 50, 20, KEPT_TEXT_ROWS_MAX]

/** Of many rows, what is the same in all of them is sent and read once: the team, the time, who did it. */
function manyRows<Row extends object>(
  head: string,
  columns: readonly (keyof Row & string)[],
  rows: readonly Row[],
  tail: string,
) {
  const first = rows[0]!
  const parameters: unknown[] = []
  const shared = columns.map(column =>
    rows.every(row => row[column] === first[column]) ? `$${parameters.push(first[column])}` : undefined,
  )
  const sql = rows.map(
    row => `(${columns.map((column, at) => shared[at] ?? `$${parameters.push(row[column])}`)})`,
  )
  return { sql: head + sql.join() + tail, parameters }
}

function tuples(rows: number, columns: number): string {
  return Array.from({ length: rows }, (_, row) => tuple(row * columns, columns)).join(', ')
}

function tuple(before: number, columns: number): string {
  return `(${Array.from({ length: columns }, (_, column) => `$${before + column + 1}`).join(', ')})`
}

function quoted(name: string): string {
  return `"${name}"`
}
