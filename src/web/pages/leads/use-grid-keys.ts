import { useNavigate } from '@tanstack/react-router'
import type { KeyboardEvent, RefObject } from 'react'
import type { Lead } from '#domains/leads/contract.ts'
import type { View } from '#domains/views/contract.ts'
import { patterns } from '../../paths.ts'
import { toast } from '../../ui/toast.ts'
import type { LeadList } from '../../records/leads/cache.ts'
import { move, resize, setColumns, type Column, type ShownColumn } from './columns.ts'
import { leadName, valueOf } from '../../records/leads/fields.ts'
import { useSort } from './grid-head.tsx'
import { ROW_PX } from './grid-layout.ts'
import { edit, grid, moveTo } from './grid-state.ts'
import type { LeadsSearch } from '../../records/leads/search.ts'
import {
  clearSelection,
  selectAllMatching,
  selection,
  selectRange,
  toggle,
} from '../../records/leads/selection.ts'
import { leads } from '../../records/leads/store.ts'

const RESIZE_STEP_PX = 16

type Table = {
  list: LeadList
  search: LeadsSearch
  columns: Column[]
  shown: ShownColumn[]
  view: View | undefined
  canWrite: boolean
  rowAt: (row: number) => Lead | undefined
  scroller: RefObject<HTMLDivElement | null>
}

/** The keys of the table while no cell is being edited. Editors handle their own. */
export function useGridKeys(table: Table): (event: KeyboardEvent) => void {
  const navigate = useNavigate()
  const sortBy = useSort(table.search)
  const { list, search, shown } = table

  function open(row: number) {
    const lead = table.rowAt(row)
    if (lead) void navigate({ to: patterns.lead, params: { id: lead.id }, search: { ...search, row } })
  }

  return event => {
    const { row, col } = grid.get()
    const mod = event.ctrlKey || event.metaKey
    const page = Math.max(1, Math.floor((table.scroller.current?.clientHeight ?? 600) / ROW_PX) - 2)
    const column = shown[col]
    const handled = row < 0 ? head() : body()
    if (handled) {
      event.preventDefault()
      event.stopPropagation()
    }

    function go(toRow: number, toCol: number): true {
      moveTo({
        row: Math.max(-1, Math.min(list.count - 1, toRow)),
        col: Math.max(-1, Math.min(shown.length - 1, toCol)),
      })
      return true
    }

    function head(): boolean {
      const by = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0
      if (by && column && event.shiftKey) {
        setColumns(table.view, resize(table.columns, column.key, column.width + by * RESIZE_STEP_PX))
        return true
      }
      if (by && column && event.altKey) {
        setColumns(table.view, move(table.columns, column.key, by))
        return go(row, col + by)
      }
      if (event.key === 'Enter' || event.key === ' ') {
        if (column) sortBy(column)
        else if (selection.get().size) clearSelection()
        else void selectAllMatching(search)
        return true
      }
      return moved()
    }

    function body(): boolean {
      const lead = table.rowAt(row)
      if (event.shiftKey && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
        const next = Math.max(0, Math.min(list.count - 1, row + (event.key === 'ArrowDown' ? 1 : -1)))
        void selectRange(list, row, next)
        return go(next, col)
      }
      if (mod && event.key.toLowerCase() === 'a') {
        void selectAllMatching(search)
        return true
      }
      if (mod && event.key.toLowerCase() === 'c' && lead && column) {
        const text = String(valueOf(lead, column.key) ?? '')
        void navigator.clipboard?.writeText(text).then(() => toast(`Copied ${column.label.toLowerCase()}`))
        return true
      }
      if (mod && event.key === 'Enter') {
        open(row)
        return true
      }
      if (mod || event.altKey) return moved()
      switch (event.key) {
        case 'Enter':
        case 'F2':
          if (!lead) return true
          if (col < 0) toggle(lead)
          else if (column?.kind === 'name' && event.key === 'Enter') open(row)
          else if (column?.editable && table.canWrite) edit()
          return true
        case ' ':
        case 'x':
          if (lead) toggle(lead)
          return true
        case 'o':
          open(row)
          return true
        case 'Delete':
        case 'Backspace':
          if (lead && column?.editable && column.nullable && column.kind !== 'name' && table.canWrite) {
            const empty = { [column.key]: null }
            if (valueOf(lead, column.key) !== null)
              void leads.change(lead.id, empty, `Cleared ${column.label.toLowerCase()} of ${leadName(lead)}`)
          }
          return true
        case 'Escape':
          if (selection.get().size === 0) return false
          clearSelection()
          return true
        default:
          return moved()
      }
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
          return mod ? go(list.count - 1, col) : go(row, shown.length - 1)
        default:
          return false
      }
    }
  }
}
