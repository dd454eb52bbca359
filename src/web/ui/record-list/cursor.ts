export const ROW_PX = 36
export const HEAD_PX = 32
/** The column of checkboxes. */
export const CHECK_PX = 44

/** Space at the end of the list for the bar of bulk actions. */
export const BULK_PX = 100

/** The focused cell; row -1 is the header. */
export type Cursor = { row: number; col: number; editing: boolean }

export function cellId(row: number, key: string): string {
  return `cell-${row}-${key.replace('.', '-')}`
}
