import { useVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useRef, type RefObject } from 'react'
import { RestMissing } from '../rest-missing.tsx'
import { nameOfList, useCursor } from './cursor.ts'
import { BULK_PX, cellId, columnTemplate, HEAD_PX, ROW_PX, scrollColumnIntoView } from './layout.ts'
import type { ListColumn, Listed, RecordKind } from './list.ts'
import { recall } from './places.ts'
import type { Columns } from './resize-handle.tsx'
import { Row, WaitingRow } from './row.tsx'
import type { ListSearch } from './search.ts'
import type { Selection } from './selection.ts'
import { sortedBy } from './sorting.ts'
import type { List, ListSource } from './source.ts'
import { TableHead } from './table-head.tsx'
import { useRows } from './use-rows.ts'
import { useTableClicks } from './use-table-clicks.ts'
import { useTableKeys } from './use-table-keys.ts'
import classes from './table.module.css'

const OVERSCAN = 10

type Props<T extends Listed> = {
  kind: RecordKind<T>
  source: ListSource<T>
  list: List<T>
  shown: ListColumn<T>[]
  columns: Columns
  search: ListSearch
  show: (search: ListSearch) => void
  /** The rows belong to the previous query while the next one loads. */
  stale: boolean
  selection: Selection<T> | undefined
}

/** A virtualized table over any number of rows. */
export function Table<T extends Listed>(props: Props<T>) {
  const { kind, source, list, shown, columns, search, show, stale, selection } = props
  const scroller = useRef<HTMLDivElement>(null)
  const name = nameOfList(kind, list.text)
  const [place, setCursor] = useCursor(name, scroller)
  const extras = {
    checks: selection !== undefined,
    restores: search.trashed === true && kind.restore !== undefined,
  }
  const virtualizer = useVirtualizer({
    count: list.count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    scrollMargin: HEAD_PX,
    scrollPaddingStart: HEAD_PX,
    scrollPaddingEnd: 8,
    initialOffset: () => recall(name).offset,
  })
  const items = virtualizer.getVirtualItems()
  const rows = useRows(source, list, items[0]?.index ?? 0, items.at(-1)?.index ?? 0)
  const edited = place.editing && items.find(({ index }) => rows.at(index)?.id === place.editing)
  const cursor = edited ? { ...place, row: edited.index } : place
  const sort = (column: ListColumn<T>) => show(sortedBy(column, search, kind.shape))

  function moveTo(row: number, col: number) {
    setCursor({ row, col, editing: null })
    if (row >= 0) virtualizer.scrollToIndex(row, { align: 'auto' })
    scrollColumnIntoView(scroller.current, shown, col, extras.checks)
  }
  const latest = useRef({ cursor, moveTo, last: shown.length - 1 })
  useEffect(() => {
    latest.current = { cursor, moveTo, last: shown.length - 1 }
  })
  // The same for every render: a row renders only when something in it changes.
  const stop = useCallback(
    () => setCursor(now => (now.editing ? { ...latest.current.cursor, editing: null } : now)),
    [setCursor],
  )
  const step = useCallback((backwards: boolean) => {
    const { cursor, moveTo, last } = latest.current
    moveTo(cursor.row, Math.max(0, Math.min(last, cursor.col + (backwards ? -1 : 1))))
  }, [])
  useFocusAfterEditing(cursor.editing !== null, scroller)

  const onKeyDown = useTableKeys({
    kind,
    shown,
    columns,
    count: list.count,
    at: rows.at,
    cursor,
    moveTo,
    edit: ({ id }) => setCursor({ ...cursor, editing: id }),
    scroller,
    sort,
    selection,
  })
  const clicks = useTableClicks({ kind, shown, at: rows.at, cursor, setCursor, scroller, selection })
  const room = selection?.size ? BULK_PX : 0
  const keyOf = keys<T>()

  return (
    <>
      <div
        ref={scroller}
        className={classes.scroller}
        role="grid"
        aria-label={kind.title}
        aria-rowcount={list.count + 1}
        aria-colcount={shown.length + (extras.checks ? 1 : 0) + (extras.restores ? 1 : 0)}
        aria-busy={stale}
        aria-multiselectable={selection ? true : undefined}
        aria-activedescendant={cellId(cursor.row, shown[cursor.col]?.key)}
        tabIndex={0}
        data-stale={stale || undefined}
        onKeyDown={onKeyDown}
        {...clicks}
        style={columnTemplate(shown, extras)}
      >
        <TableHead
          kind={kind}
          shown={shown}
          columns={columns}
          extras={extras}
          search={search}
          sort={sort}
          active={cursor.row === -1 ? cursor.col : null}
          selection={selection}
          count={list.count}
          scroller={scroller}
        />
        <div role="rowgroup" className={classes.body} style={{ height: virtualizer.getTotalSize() + room }}>
          {items.map(({ index, start }) => {
            const record = rows.at(index)
            const top = start - HEAD_PX
            if (!record)
              return <WaitingRow key={index} index={index} top={top} shown={shown} checks={extras.checks} />
            const isHere = cursor.row === index
            return (
              <Row
                key={keyOf(record)}
                index={index}
                top={top}
                record={record}
                shown={shown}
                kind={kind}
                restores={extras.restores}
                active={isHere ? cursor.col : null}
                editing={cursor.editing === record.id}
                stop={stop}
                step={step}
                selected={selection?.has(record.id)}
              />
            )
          })}
        </div>
      </div>
      {rows.error && <RestMissing error={rows.error} busy={rows.busy} retry={rows.retry} room={room} />}
    </>
  )
}

/** Rows keep their state when they move. While blocks load again, a record can be in two of them. */
function keys<T extends Listed>(): (record: T) => string {
  const used = new Set<string>()
  return ({ id }) => {
    let key = id
    while (used.has(key)) key += '+'
    used.add(key)
    return key
  }
}

/** The input is removed after an edit, so the focus goes back to the table. */
function useFocusAfterEditing(editing: boolean, scroller: RefObject<HTMLDivElement | null>): void {
  const was = useRef(false)
  useEffect(() => {
    const nobody = document.activeElement === document.body || document.activeElement === null
    if (was.current && !editing && (nobody || scroller.current?.contains(document.activeElement))) {
      scroller.current?.focus({ preventScroll: true })
    }
    was.current = editing
  }, [editing, scroller])
}
