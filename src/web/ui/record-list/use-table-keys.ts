import type { KeyboardEvent, RefObject } from 'react'
import type { Choosing } from './selection.ts'
import { CHECK_PX, ROW_PX, type Cursor } from './cursor.ts'
import type { ListColumn, Listed, RecordKind } from './list.ts'

type Keyed<T extends Listed> = {
  kind: RecordKind<T>
  shown: ListColumn<T>[]
  records: T[]
  cursor: Cursor
  setCursor: (cursor: Cursor) => void
  scroller: RefObject<HTMLDivElement | null>
  scrollTo: (row: number) => void
  sort: (column: ListColumn<T>) => void
  choosing: Choosing<T> | undefined
}

/** Keys of the table while no cell is being edited: an open list handles its own. */
export function useTableKeys<T extends Listed>(table: Keyed<T>): (event: KeyboardEvent) => void {
  const { kind, shown, records, cursor, setCursor, scroller, scrollTo, sort, choosing } = table

  return event => {
    if (event.target !== scroller.current || event.altKey) return
    const { row, col } = cursor
    const mod = event.ctrlKey || event.metaKey
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 600) / ROW_PX) - 2)
    if (chose() || acted() || moved()) {
      event.preventDefault()
      event.stopPropagation()
    }

    function chose(): boolean {
      if (!choosing || row < 0) return false
      const record = records[row]
      const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
      if (by && event.shiftKey && !mod) {
        const next = Math.max(0, Math.min(records.length - 1, row + by))
        choosing.addRows(row, next)
        return go(next, col)
      }
      if (mod && event.key.toLowerCase() === 'a') void choosing.chooseAll()
      else if (event.key === 'Escape' && choosing.chosen.length > 0) choosing.choose([])
      else if (!mod && record && (event.key === ' ' || event.key === 'x')) choosing.toggle(record)
      else return false
      return true
    }

    function acted(): boolean {
      const column = shown[col]
      const record = records[row]
      if (event.key === 'o' && !mod && record) kind.open(record)
      else if (event.key !== 'Enter') return false
      else if (row < 0) {
        if (column) sort(column)
      } else if (!record) return false
      else if (column?.choice && !record.deleted_at && !mod) setCursor({ row, col, editing: true })
      else kind.open(record)
      return true
    }

    function moved(): boolean {
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
          return mod ? go(records.length - 1, col) : go(row, shown.length - 1)
        default:
          return false
      }
    }

    function go(toRow: number, toCol: number): true {
      const next = Math.max(-1, Math.min(records.length - 1, toRow))
      const beside = Math.max(0, Math.min(shown.length - 1, toCol))
      setCursor({ row: next, col: beside, editing: false })
      if (next >= 0) scrollTo(next)
      scrollSideways(beside)
      return true
    }

    /** The first column is pinned: keep other cells from hiding below it. */
    function scrollSideways(to: number): void {
      const element = scroller.current
      const column = shown[to]
      if (!element || !column || to === 0) return
      const left = shown.slice(0, to).reduce((sum, { width }) => sum + width, 0)
      const pinned = shown[0]?.key === 'name' ? shown[0].width : 0
      if (left < element.scrollLeft + pinned) return void (element.scrollLeft = left - pinned)
      const right = left + column.width + (choosing ? CHECK_PX : 0)
      if (right > element.scrollLeft + element.clientWidth) element.scrollLeft = right - element.clientWidth
    }
  }
}
