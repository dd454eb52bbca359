import IconArrowDown from 'icon:arrow-down'
import IconArrowUp from 'icon:arrow-up'
import type { RefObject } from 'react'
import { cellId, type Extras } from './layout.ts'
import { isPinned, type ListColumn, type Listed, type RecordKind } from './list.ts'
import { ResizeHandle, type Columns } from './resize-handle.tsx'
import type { ListSearch } from './search.ts'
import type { Selection } from './selection.ts'
import { directionOf } from './sorting.ts'
import textClasses from '../text.module.css'
import classes from './table.module.css'

type Props<T extends Listed> = {
  kind: RecordKind<T>
  shown: ListColumn<T>[]
  columns: Columns
  extras: Extras
  search: ListSearch
  sort: (column: ListColumn<T>) => void
  /** The focused column, if the head has the focus. */
  active: number | null
  selection: Selection<T> | undefined
  count: number
  scroller: RefObject<HTMLDivElement | null>
}

/** The heads of the columns: they sort, and can be resized. */
export function TableHead<T extends Listed>(props: Props<T>) {
  const { kind, shown, columns, extras, search, sort, active, selection, count, scroller } = props
  const before = selection ? 1 : 0
  return (
    <div role="rowgroup" className={classes.head}>
      <div role="row" aria-rowindex={1} className={classes.headRow}>
        {selection && (
          <div
            role="columnheader"
            aria-colindex={1}
            id={cellId(-1, undefined)}
            className={classes.check}
            data-active={active === -1 || undefined}
          >
            <CheckAll selection={selection} count={count} many={kind.many} />
          </div>
        )}
        {shown.map((column, col) => {
          const direction = directionOf(column, search, kind.shape)
          return (
            <div
              key={column.key}
              role="columnheader"
              aria-colindex={col + before + 1}
              aria-sort={column.sort ? (direction ?? 'none') : undefined}
              id={cellId(-1, column.key)}
              className={classes.headCell}
              data-look={column.look}
              data-pinned={isPinned(column.key, col) || undefined}
              data-active={active === col || undefined}
            >
              {column.sort ? (
                <button type="button" tabIndex={-1} className={classes.sort} onClick={() => sort(column)}>
                  <span className={textClasses.cut}>{column.label}</span>
                  {direction === 'ascending' && <IconArrowUp size={14} aria-hidden />}
                  {direction === 'descending' && <IconArrowDown size={14} aria-hidden />}
                </button>
              ) : (
                <span className={textClasses.cut}>{column.label}</span>
              )}
              <ResizeHandle
                column={column}
                shown={shown}
                columns={columns}
                extras={extras}
                scroller={scroller}
              />
            </div>
          )
        })}
        {extras.restores && (
          <div
            role="columnheader"
            aria-colindex={shown.length + before + 1}
            className={classes.headCell}
            data-restore
          >
            Restore
          </div>
        )}
      </div>
    </div>
  )
}

type CheckAllProps<T> = { selection: Selection<T>; count: number; many: string }

function CheckAll<T>({ selection: { size, clear, selectAll }, count, many }: CheckAllProps<T>) {
  const all = size > 0 && size >= count
  return (
    <input
      type="checkbox"
      tabIndex={-1}
      checked={all}
      ref={element => {
        if (element) element.indeterminate = size > 0 && !all
      }}
      aria-label={size > 0 ? 'Clear selection' : `Select all matching ${many}`}
      onChange={() => (size > 0 ? clear() : void selectAll())}
    />
  )
}
