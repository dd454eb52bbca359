import { useNavigate } from '@tanstack/react-router'
import IconArrowDown from 'icon:arrow-down'
import IconArrowUp from 'icon:arrow-up'
import type { RefObject } from 'react'
import type { View } from '#domains/views/contract.ts'
import { paths } from '../../paths.ts'
import type { LeadList } from '../../records/leads/cache.ts'
import type { Column, ShownColumn } from './columns.ts'
import { cellId, isPinned } from './grid-layout.ts'
import { grid } from './grid-state.ts'
import { ResizeHandle } from './resize-handle.tsx'
import { DEFAULT_SORT, type LeadsSearch, type Sort } from '../../records/leads/search.ts'
import { clearSelection, selectAllMatching, selection } from '../../records/leads/selection.ts'
import tableClasses from '../../ui/record-list/table.module.css'
import textClasses from '../../ui/text.module.css'

type Props = {
  columns: Column[]
  shown: ShownColumn[]
  view: View | undefined
  search: LeadsSearch
  list: LeadList
  scroller: RefObject<HTMLDivElement | null>
}

export function GridHead({ columns, shown, view, search, list, scroller }: Props) {
  const active = grid.use(({ row, col }) => (row === -1 ? col : null))
  const sortBy = useSort(search)
  return (
    <div role="rowgroup" className={tableClasses.head}>
      <div role="row" aria-rowindex={1} className={tableClasses.headRow}>
        <div
          role="columnheader"
          aria-colindex={1}
          id={cellId(-1, undefined)}
          className={tableClasses.check}
          data-active={active === -1 || undefined}
        >
          <CheckAll list={list} search={search} />
        </div>
        {shown.map((column, col) => {
          const direction = directionOf(column, search)
          return (
            <div
              key={column.key}
              role="columnheader"
              aria-colindex={col + 2}
              aria-sort={column.sort ? (direction ?? 'none') : undefined}
              id={cellId(-1, column.key)}
              className={tableClasses.headCell}
              data-active={active === col || undefined}
              data-pinned={isPinned(column.key, col) || undefined}
            >
              {column.sort ? (
                <button
                  type="button"
                  tabIndex={-1}
                  className={tableClasses.sort}
                  onClick={() => sortBy(column)}
                >
                  <span className={textClasses.cut}>{column.label}</span>
                  {direction === 'ascending' && <IconArrowUp size={14} aria-hidden />}
                  {direction === 'descending' && <IconArrowDown size={14} aria-hidden />}
                </button>
              ) : (
                <span className={textClasses.cut}>{column.label}</span>
              )}
              <ResizeHandle column={column} columns={columns} shown={shown} view={view} scroller={scroller} />
            </div>
          )
        })}
      </div>
    </div>
  )
}

function CheckAll({ list, search }: { list: LeadList; search: LeadsSearch }) {
  const size = selection.use(now => now.size)
  const all = size > 0 && size >= list.count
  return (
    <input
      type="checkbox"
      tabIndex={-1}
      checked={all}
      ref={element => {
        if (element) element.indeterminate = size > 0 && !all
      }}
      aria-label={size > 0 ? 'Clear selection' : 'Select all matching leads'}
      onChange={() => (size > 0 ? clearSelection() : void selectAllMatching(search))}
    />
  )
}

export function directionOf(
  column: ShownColumn,
  search: LeadsSearch,
): 'ascending' | 'descending' | undefined {
  const sort = search.sort ?? DEFAULT_SORT
  if (!column.sort || sort.replace('-', '') !== column.sort) return undefined
  return sort.startsWith('-') ? 'descending' : 'ascending'
}

/** Ascending, descending, then the default. Dates start with the newest. */
export function useSort(search: LeadsSearch): (column: ShownColumn) => void {
  const navigate = useNavigate()
  return column => {
    if (!column.sort) return
    const first = column.kind === 'instant' ? (`-${column.sort}` as const) : column.sort
    const second = column.kind === 'instant' ? column.sort : (`-${column.sort}` as const)
    const now = search.sort ?? DEFAULT_SORT
    const next: Sort = now === first ? second : now === second ? DEFAULT_SORT : first
    const { sort: _sort, ...rest } = search
    void navigate({ to: paths.leads, search: { ...rest, ...(next !== DEFAULT_SORT && { sort: next }) } })
  }
}
