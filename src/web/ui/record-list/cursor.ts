export const ROW_PX = 36

/** Where the keyboard is; row -1 is the head. */
export type Cursor = { row: number; col: number; editing: boolean }

export function cellId(row: number, key: string): string {
  return `cell-${row}-${key.replace('.', '-')}`
}
