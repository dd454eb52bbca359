import type { CSSProperties } from 'react'
import type { ShownColumn } from './columns.ts'

export const ROW_PX = 36
export const HEAD_PX = 32
export const CHECK_PX = 44

/** Widths are CSS variables of the scroller, so dragging a column changes styles and renders nothing. */
export function columnTemplate(shown: ShownColumn[]): CSSProperties {
  const widths = shown.map(({ width }) => `${width}px`).join(' ')
  const total = shown.reduce((sum, { width }) => sum + width, CHECK_PX)
  return {
    '--list-columns': `${CHECK_PX}px ${widths} 1fr`,
    '--list-width': `${total}px`,
    '--list-pinned': `${CHECK_PX}px`,
  } as CSSProperties
}

export function cellId(row: number, key: string | undefined): string {
  return `cell-${row}-${key?.replace('.', '-') ?? 'check'}`
}

/** The first columns stay in place when the table scrolls sideways. */
export function isPinned(key: string, index: number): boolean {
  return index === 0 && key === 'name'
}

export function scrollColumnIntoView(scroller: HTMLElement | null, shown: ShownColumn[], col: number): void {
  const column = shown[col]
  if (!scroller || !column) return
  const pinned = shown[0] && isPinned(shown[0].key, 0) ? CHECK_PX + shown[0].width : CHECK_PX
  if (isPinned(column.key, col)) return
  const left = shown.slice(0, col).reduce((sum, { width }) => sum + width, CHECK_PX)
  const right = left + column.width
  if (left < scroller.scrollLeft + pinned) scroller.scrollLeft = left - pinned
  else if (right > scroller.scrollLeft + scroller.clientWidth)
    scroller.scrollLeft = right - scroller.clientWidth
}
