import pg from 'pg'

/** What pg's own Query class uses to build its rows; not in its published types. */
export type RowBuilder = {
  rows: Record<string, unknown>[]
  rowCount: number | null
  command: string | null
  addFields(fields: unknown[]): void
  parseRow(fields: string[]): Record<string, unknown>
  addRow(row: Record<string, unknown>): void
  addCommandComplete(message: { text: string }): void
}

const { Result, utils } = pg as unknown as {
  Result: new (rowMode: string, types: typeof pg.types) => RowBuilder
  utils: { prepareValue(value: unknown): unknown }
}

export const newRowBuilder = (): RowBuilder => new Result('', pg.types)
export const prepareValue = utils.prepareValue
