import { useRef, type MouseEvent, type RefObject } from 'react'
import type { Cursor } from './cursor.ts'
import type { ListColumn, Listed, RecordKind } from './list.ts'
import type { Selection } from './selection.ts'

type Clicked<T extends Listed> = {
  kind: RecordKind<T>
  shown: ListColumn<T>[]
  at: (row: number) => T | undefined
  cursor: Cursor
  setCursor: (cursor: Cursor) => void
  scroller: RefObject<HTMLDivElement | null>
  selection: Selection<T> | undefined
}

/** One listener for all cells. A click selects a cell, a second click edits it. */
export function useTableClicks<T extends Listed>(table: Clicked<T>) {
  const { kind, shown, at, cursor, setCursor, scroller, selection } = table
  const anchor = useRef(0)
  const hadFocus = useRef(false)

  function onClick(event: MouseEvent<HTMLElement>) {
    const target = event.target as HTMLElement
    const row = Number(target.closest<HTMLElement>('[data-row]')?.dataset.row ?? -1)
    const record = at(row)
    if (!record) return
    if (selection && target.closest('[data-check]')) {
      setCursor({ row, col: -1, editing: null })
      if (event.shiftKey) void selection.addRows(anchor.current, row)
      else selection.toggle(record)
      anchor.current = row
      return
    }
    const cell = target.closest<HTMLElement>('[data-col]')
    if (!cell || target.closest('input')) return
    const col = Number(cell.dataset.col)
    if (target.closest('[data-open]')) {
      // Ctrl and the middle button open a new tab, as usual.
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
      event.preventDefault()
      setCursor({ row, col, editing: null })
      return kind.open(record, row)
    }
    if (target.closest('a, button')) return
    const again = cursor.row === row && cursor.col === col && hadFocus.current
    if (cursor.editing && again) return
    anchor.current = row
    scroller.current?.focus({ preventScroll: true })
    setCursor({
      row,
      col,
      editing: again && event.detail === 1 && isEditable(record, col) ? record.id : null,
    })
  }

  // The press itself focuses the table: the first click should only select.
  function onMouseDown() {
    hadFocus.current = document.activeElement === scroller.current
  }

  function onDoubleClick(event: MouseEvent<HTMLElement>) {
    const target = event.target as HTMLElement
    const cell = target.closest<HTMLElement>('[data-col]')
    const record = at(cursor.row)
    if (!cell || !record || target.closest('a, button, input')) return
    const col = Number(cell.dataset.col)
    if (isEditable(record, col)) setCursor({ row: cursor.row, col, editing: record.id })
  }

  function isEditable(record: T, col: number): boolean {
    return shown[col]?.edit !== undefined && record.deleted_at === null
  }

  return { onMouseDown, onClick, onDoubleClick }
}
