import type { CSSProperties } from 'react'
import type { ColumnField } from './columns.ts'
import { isPinned } from './list.ts'

export const ROW_PX = 36
export const HEAD_PX = 32
/** The column of checkboxes. */
export const CHECK_PX = 44
/** The column of restore buttons. */
export const RESTORE_PX = 110
/** Space at the end of the list for the bar of bulk actions. */
export const BULK_PX = 100

/** The columns of a table beside those it shows. */
export type Extras = { checks: boolean; restores: boolean }

/** Widths are CSS variables of the scroller, so dragging a column changes styles and renders nothing. */
export function columnTemplate(shown: readonly ColumnField[], { checks, restores }: Extras): CSSProperties {
  const widths = [
    ...(checks ? [CHECK_PX] : []),
    ...shown.map(({ width }) => width),
    ...(restores ? [RESTORE_PX] : []),
  ]
  return {
    '--list-columns': `${widths.map(width => `${width}px`).join(' ')} 1fr`,
    '--list-width': `${widths.reduce((sum, width) => sum + width, 0)}px`,
    '--list-pinned': checks ? `${CHECK_PX}px` : '0px',
  } as CSSProperties
}

export function cellId(row: number, key: string | undefined): string {
  return `cell-${row}-${key?.replace('.', '-') ?? 'check'}`
}

/** Keeps a cell from hiding beside the table or below its pinned columns. */
export function scrollColumnIntoView(
  scroller: HTMLElement | null,
  shown: readonly ColumnField[],
  col: number,
  checks: boolean,
): void {
  const column = shown[col]
  if (!scroller || !column || isPinned(column.key, col)) return
  const check = checks ? CHECK_PX : 0
  const pinned = check + (shown[0] && isPinned(shown[0].key, 0) ? shown[0].width : 0)
  const left = shown.slice(0, col).reduce((sum, { width }) => sum + width, check)
  const right = left + column.width
  if (left < scroller.scrollLeft + pinned) scroller.scrollLeft = left - pinned
  else if (right > scroller.scrollLeft + scroller.clientWidth)
    scroller.scrollLeft = right - scroller.clientWidth
}
