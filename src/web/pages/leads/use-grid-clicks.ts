import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, type MouseEvent, type RefObject } from 'react'
import type { Lead } from '#domains/leads/contract.ts'
import { patterns } from '../../paths.ts'
import type { LeadList } from '../../records/leads/cache.ts'
import type { ShownColumn } from './columns.ts'
import { edit, grid, moveTo } from './grid-state.ts'
import type { LeadsSearch } from '../../records/leads/search.ts'
import { selectRange, toggle } from '../../records/leads/selection.ts'

type Table = {
  list: LeadList
  search: LeadsSearch
  shown: ShownColumn[]
  canWrite: boolean
  rowAt: (row: number) => Lead | undefined
  scroller: RefObject<HTMLDivElement | null>
}

/** One listener for all cells. A click selects a cell, a second click edits it. */
export function useGridClicks(table: Table) {
  const navigate = useNavigate()
  const anchor = useRef(0)
  const hadFocus = useRef(false)
  useFocusAfterEditing(table.scroller)

  function onClick(event: MouseEvent<HTMLElement>) {
    const target = event.target as HTMLElement
    const line = target.closest<HTMLElement>('[data-row]')
    if (!line || target.closest('input:not([data-check])')) return
    const row = Number(line.dataset.row)
    const lead = table.rowAt(row)
    if (!lead) return
    if (target.closest('[data-check]') || target.closest('[aria-colindex="1"]')) {
      moveTo({ row, col: -1 })
      if (event.shiftKey) void selectRange(table.list, anchor.current, row)
      else toggle(lead)
      anchor.current = row
      return
    }
    const link = target.closest('[data-open]')
    if (link) {
      // Ctrl and the middle button open a new tab, as usual.
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
      event.preventDefault()
      moveTo({ row, col: 0 })
      void navigate({ to: patterns.lead, params: { id: lead.id }, search: { ...table.search, row } })
      return
    }
    const cell = target.closest<HTMLElement>('[data-col]')
    if (!cell) return
    const col = Number(cell.dataset.col)
    const now = grid.get()
    const again = now.row === row && now.col === col && hadFocus.current
    if (now.editing && again) return
    moveTo({ row, col })
    anchor.current = row
    table.scroller.current?.focus({ preventScroll: true })
    if (again && event.detail === 1) startEditing(col)
  }

  // The press itself focuses the table: the first click should only select.
  function onMouseDown() {
    hadFocus.current = document.activeElement === table.scroller.current
  }

  function onDoubleClick(event: MouseEvent<HTMLElement>) {
    const cell = (event.target as HTMLElement).closest<HTMLElement>('[data-col]')
    if (cell && !(event.target as HTMLElement).closest('[data-open], input'))
      startEditing(Number(cell.dataset.col))
  }

  function startEditing(col: number) {
    if (table.canWrite && table.shown[col]?.editable) edit()
  }

  return { onMouseDown, onClick, onDoubleClick }
}

/** The input is removed after an edit, so the focus goes back to the table. */
function useFocusAfterEditing(scroller: RefObject<HTMLDivElement | null>): void {
  const editing = grid.use(now => now.editing)
  const was = useRef(false)
  useEffect(() => {
    const nobody = document.activeElement === document.body || document.activeElement === null
    if (was.current && !editing && (nobody || scroller.current?.contains(document.activeElement))) {
      scroller.current?.focus({ preventScroll: true })
    }
    was.current = editing
  }, [editing, scroller])
}
