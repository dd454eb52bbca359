export const ROW_PX = 36
export const HEAD_PX = 32
/** The column with which rows are chosen. */
export const CHECK_PX = 44

/** What is done with chosen rows stands over the end of the list: so much room is left for it. */
export const BULK_PX = 100

/** Where the keyboard is; row -1 is the head. */
export type Cursor = { row: number; col: number; editing: boolean }

export function cellId(row: number, key: string): string {
  return `cell-${row}-${key.replace('.', '-')}`
}
