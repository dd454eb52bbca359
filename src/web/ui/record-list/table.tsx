import { useVirtualizer } from '@tanstack/react-virtual'
import IconArrowDown from 'icon:arrow-down'
import IconArrowUp from 'icon:arrow-up'
import {
  useCallback,
  useEffect,
  useRef,
  useState,
  type CSSProperties,
  type MouseEvent,
  type RefObject,
} from 'react'
import type { Choosing } from './selection.ts'
import { BULK_PX, cellId, CHECK_PX, HEAD_PX, ROW_PX, type Cursor } from './cursor.ts'
import type { ListColumn, Listed, RecordKind } from './list.ts'
import { recall, remember } from './places.ts'
import { Row, WaitingRow } from './row.tsx'
import type { ListSearch } from './search.ts'
import { directionOf, sortedBy } from './sorting.ts'
import { useTableKeys } from './use-table-keys.ts'
import textClasses from '../text.module.css'
import classes from './table.module.css'

const OVERSCAN = 10
const RESTORE_PX = 110

type Props<T extends Listed> = {
  kind: RecordKind<T>
  shown: ListColumn<T>[]
  records: T[]
  hasMore: boolean
  loadMore: () => void
  /** Identifies the list, to restore its position. */
  text: string
  search: ListSearch
  show: (search: ListSearch) => void
  /** The rows belong to the previous query while the next one loads. */
  stale: boolean
  choosing?: Choosing<T> | undefined
}

/** A virtualized table that loads the next page before the end is reached. */
export function Table<T extends Listed>(props: Props<T>) {
  const { kind, shown, records, hasMore, loadMore, text, search, show, stale, choosing } = props
  const scroller = useRef<HTMLDivElement>(null)
  const name = `${kind.kind} ${text}`
  const [cursor, setCursor] = useState<Cursor>(() => ({ ...recall(name), editing: false }))
  const restores = search.trashed === true && kind.restore !== undefined
  const virtualizer = useVirtualizer({
    count: records.length + (hasMore ? 1 : 0),
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    scrollMargin: HEAD_PX,
    scrollPaddingStart: HEAD_PX,
    scrollPaddingEnd: 8,
    initialOffset: () => recall(name).offset,
  })
  const items = virtualizer.getVirtualItems()
  const last = items.at(-1)?.index ?? 0

  useEffect(() => {
    if (hasMore && last >= records.length - 1) loadMore()
  }, [hasMore, last, records.length, loadMore])
  useOwnPlace(name, scroller, cursor, setCursor)

  const stop = useCallback(() => {
    setCursor(now => ({ ...now, editing: false }))
    requestAnimationFrame(() => scroller.current?.focus({ preventScroll: true }))
  }, [])
  const onKeyDown = useTableKeys({
    kind,
    shown,
    records,
    cursor,
    setCursor,
    scroller,
    scrollTo: row => virtualizer.scrollToIndex(row, { align: 'auto' }),
    sort: column => show(sortedBy(column, search, kind.shape)),
    choosing,
  })

  function onClick(event: MouseEvent<HTMLElement>) {
    const target = event.target as HTMLElement
    const row = Number(target.closest<HTMLElement>('[data-row]')?.dataset.row ?? -1)
    const col = Number(target.closest<HTMLElement>('[data-col]')?.dataset.col ?? -1)
    const record = records[row]
    if (record && choosing && target.closest('[data-check]')) {
      if (event.shiftKey && cursor.row >= 0) choosing.addRows(cursor.row, row)
      else choosing.toggle(record)
      return setCursor({ row, col: cursor.col, editing: false })
    }
    if (!record || col < 0 || target.closest('input')) return
    if (target.closest('[data-open]')) {
      // Ctrl and the middle button open a tab, as usual.
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
      event.preventDefault()
      setCursor({ row, col, editing: false })
      return kind.open(record)
    }
    if (target.closest('a, button')) return
    // The first click selects a cell, the second edits it.
    const again = cursor.row === row && cursor.col === col && document.activeElement === scroller.current
    setCursor({ row, col, editing: again && !search.trashed && shown[col]?.choice !== undefined })
  }

  const widths = [
    ...(choosing ? [CHECK_PX] : []),
    ...shown.map(({ width }) => width),
    ...(restores ? [RESTORE_PX] : []),
  ]
  const before = choosing ? 1 : 0
  const room = choosing && choosing.chosen.length > 0 ? BULK_PX : 0
  const style = {
    '--list-columns': `${widths.map(width => `${width}px`).join(' ')} 1fr`,
    '--list-width': `${widths.reduce((sum, width) => sum + width, 0)}px`,
    '--list-pinned': choosing ? `${CHECK_PX}px` : '0px',
  } as CSSProperties
  const active = shown[cursor.col] && cellId(cursor.row, shown[cursor.col]!.key)

  return (
    <div
      ref={scroller}
      className={classes.scroller}
      role="grid"
      aria-label={kind.title}
      aria-rowcount={hasMore ? -1 : records.length + 1}
      aria-colcount={widths.length}
      aria-busy={stale}
      aria-multiselectable={choosing ? true : undefined}
      aria-activedescendant={active}
      tabIndex={0}
      data-stale={stale || undefined}
      onKeyDown={onKeyDown}
      onClick={onClick}
      style={style}
    >
      <div role="rowgroup" className={classes.head}>
        <div role="row" aria-rowindex={1} className={classes.headRow}>
          {choosing && (
            <div role="columnheader" aria-colindex={1} className={classes.check}>
              <CheckAll choosing={choosing} shown={records.length} many={kind.many} />
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
                data-pinned={(col === 0 && column.key === 'name') || undefined}
                data-active={(cursor.row === -1 && cursor.col === col) || undefined}
              >
                {column.sort ? (
                  <button
                    type="button"
                    tabIndex={-1}
                    className={classes.sort}
                    onClick={() => show(sortedBy(column, search, kind.shape))}
                  >
                    <span className={textClasses.cut}>{column.label}</span>
                    {direction === 'ascending' && <IconArrowUp size={14} aria-hidden />}
                    {direction === 'descending' && <IconArrowDown size={14} aria-hidden />}
                  </button>
                ) : (
                  <span className={textClasses.cut}>{column.label}</span>
                )}
              </div>
            )
          })}
          {restores && (
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
      <div role="rowgroup" className={classes.body} style={{ height: virtualizer.getTotalSize() + room }}>
        {items.map(({ index, start }) => {
          const record = records[index]
          const top = start - HEAD_PX
          if (!record) return <WaitingRow key={index} index={index} top={top} shown={shown} before={before} />
          const here = cursor.row === index
          return (
            <Row
              key={record.id}
              index={index}
              top={top}
              record={record}
              shown={shown}
              kind={kind}
              restores={restores}
              active={here ? cursor.col : null}
              editing={here && cursor.editing}
              stop={stop}
              chosen={choosing?.ids.has(record.id)}
            />
          )
        })}
      </div>
    </div>
  )
}

type CheckAllProps<T> = { choosing: Choosing<T>; shown: number; many: string }

function CheckAll<T>({ choosing: { chosen, choose, chooseAll }, shown, many }: CheckAllProps<T>) {
  const some = chosen.length > 0
  const all = some && chosen.length >= shown
  return (
    <input
      type="checkbox"
      tabIndex={-1}
      checked={all}
      ref={element => {
        if (element) element.indeterminate = some && !all
      }}
      aria-label={some ? 'Clear selection' : `Select all ${many}`}
      onChange={() => (some ? choose([]) : void chooseAll())}
    />
  )
}

/** Each list starts at its own last position. */
function useOwnPlace(
  name: string,
  scroller: RefObject<HTMLDivElement | null>,
  cursor: Cursor,
  setCursor: (cursor: Cursor) => void,
): void {
  const place = useRef(cursor)
  const shownName = useRef<string>(null)
  useEffect(() => {
    place.current = cursor
  }, [cursor])
  useEffect(() => {
    const element = scroller.current
    const { offset, row, col } = recall(name)
    if (shownName.current !== null) {
      setCursor({ row, col, editing: false })
      if (element) element.scrollTop = offset
    }
    shownName.current = name
    // While unmounting, `scrollTop` is 0.
    let now = offset
    const onScroll = () => (now = element?.scrollTop ?? 0)
    element?.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      element?.removeEventListener('scroll', onScroll)
      remember(name, { row: place.current.row, col: place.current.col, offset: now })
    }
  }, [name, scroller, setCursor])
}
