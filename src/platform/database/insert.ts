import type { Compilable, CompiledQuery } from 'kysely'

/** Texts for so many rows are kept; larger batches differ in size each time, and their building no longer matters. */
const KEPT_TEXT_ROWS_MAX = 10

/**
 * An INSERT for the hot path: its text is made once per number of rows, where a query builder would build it anew for
 * every record. Columns and rows are typed; the text has no other source than the column names given here.
 */
export function inserter<Row extends object>(table: string, columns: readonly (keyof Row & string)[]) {
  const head = `insert into ${quoted(table)} (${columns.map(quoted).join(', ')}) values `
  const texts: string[] = []
  const textFor = (rows: number) =>
    rows > KEPT_TEXT_ROWS_MAX
      ? head + tuples(rows, columns.length)
      : (texts[rows] ??= head + tuples(rows, columns.length))
  return (rows: readonly Row[]): Compilable<never> => ({
    compile: () =>
      ({
        sql: textFor(rows.length),
        parameters: rows.flatMap(row => columns.map(column => row[column])),
      }) as unknown as CompiledQuery<never>,
  })
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
