import type { KeyboardEvent, RefObject } from 'react'
import { toast } from '../toast.ts'
import { move, resize, setColumns } from './columns.ts'
import type { Cursor } from './cursor.ts'
import { cellId, ROW_PX } from './layout.ts'
import type { ListColumn, Listed, RecordKind } from './list.ts'
import type { Columns } from './resize-handle.tsx'
import type { Selection } from './selection.ts'

const RESIZE_STEP_PX = 16

type Keyed<T extends Listed> = {
  kind: RecordKind<T>
  shown: ListColumn<T>[]
  columns: Columns
  count: number
  at: (row: number) => T | undefined
  cursor: Cursor
  moveTo: (row: number, col: number) => void
  edit: (record: T) => void
  scroller: RefObject<HTMLDivElement | null>
  sort: (column: ListColumn<T>) => void
  selection: Selection<T> | undefined
}

/** The keys of the table while no cell is being edited. Editors handle their own. */
export function useTableKeys<T extends Listed>(table: Keyed<T>): (event: KeyboardEvent) => void {
  const { kind, shown, columns, count, at, cursor, moveTo, edit, scroller, sort, selection } = table

  return event => {
    if (event.target !== scroller.current) return
    const { row, col } = cursor
    const mod = event.ctrlKey || event.metaKey
    const column = shown[col]
    const record = at(row)
    if (row < 0 ? head() : selected() || acted() || moved()) {
      event.preventDefault()
      event.stopPropagation()
    }

    function go(toRow: number, toCol: number): true {
      moveTo(
        Math.max(-1, Math.min(count - 1, toRow)),
        Math.max(selection ? -1 : 0, Math.min(shown.length - 1, toCol)),
      )
      return true
    }

    /** Enter sorts, Shift with an arrow resizes, Alt with an arrow moves the column. */
    function head(): boolean {
      const by = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0
      if (by && column && event.shiftKey) {
        put(resize(columns.columns, column.key, column.width + by * RESIZE_STEP_PX))
        return true
      }
      if (by && column && event.altKey) {
        put(move(columns.columns, column.key, by))
        return go(row, col + by)
      }
      if (event.key !== 'Enter' && event.key !== ' ') return moved()
      if (column) sort(column)
      else if (selection?.size) selection.clear()
      else void selection?.selectAll()
      return true
    }

    function put(next: Columns['columns']): void {
      setColumns(columns.kind, columns.view, next)
    }

    function selected(): boolean {
      if (!selection) return false
      const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
      if (by && event.shiftKey && !mod) {
        const next = Math.max(0, Math.min(count - 1, row + by))
        void selection.addRows(row, next)
        return go(next, col)
      }
      if (mod && event.key.toLowerCase() === 'a') void selection.selectAll()
      else if (event.key === 'Escape' && selection.size > 0) selection.clear()
      else if (mod || event.altKey) return false
      else if (event.key === ' ' || event.key === 'x' || (event.key === 'Enter' && col < 0)) {
        if (record) selection.toggle(record)
      } else return false
      return true
    }

    function acted(): boolean {
      if (mod && event.key.toLowerCase() === 'c') return copied()
      if (event.altKey || !record) return false
      const isEditable = column?.edit !== undefined && record.deleted_at === null
      if (event.key === 'Enter') {
        if (mod || !isEditable || column.key === 'name') kind.open(record, row)
        else edit(record)
        return true
      }
      if (mod) return false
      if (event.key === 'o') kind.open(record, row)
      else if (event.key === 'F2') {
        if (isEditable) edit(record)
      } else if (event.key === 'Delete' || event.key === 'Backspace') {
        if (isEditable) column.clear?.(record)
      } else return false
      return true
    }

    function copied(): boolean {
      if (!record || !column) return false
      const text =
        column.title?.(record) ?? document.getElementById(cellId(row, column.key))?.textContent ?? ''
      void navigator.clipboard?.writeText(text).then(() => toast(`Copied ${column.label.toLowerCase()}`))
      return true
    }

    function moved(): boolean {
      const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 600) / ROW_PX) - 2)
      switch (event.key) {
        case 'ArrowDown':
          return go(row + 1, col)
        case 'ArrowUp':
          return go(row - 1, col)
        case 'ArrowRight':
          return go(row, col + 1)
        case 'ArrowLeft':
          return go(row, col - 1)
        case 'PageDown':
          return go(row + page, col)
        case 'PageUp':
          return go(Math.max(0, row - page), col)
        case 'Home':
          return mod ? go(0, 0) : go(row, 0)
        case 'End':
          return mod ? go(count - 1, col) : go(row, shown.length - 1)
        default:
          return false
      }
    }
  }
}
