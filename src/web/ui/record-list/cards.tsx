import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, useCallback, useEffect, useRef, type MouseEvent, type ReactNode } from 'react'
import { RestMissing } from '../rest-missing.tsx'
import { Bar } from '../states.tsx'
import { nameOfList, useCursor } from './cursor.ts'
import { BULK_PX } from './layout.ts'
import type { Listed, RecordKind } from './list.ts'
import { recall } from './places.ts'
import type { Selection } from './selection.ts'
import type { List, ListSource } from './source.ts'
import { useRows } from './use-rows.ts'
import textClasses from '../text.module.css'
import classes from './cards.module.css'

const CARD_PX = 68
const OVERSCAN = 6

type Props<T extends Listed> = {
  kind: RecordKind<T>
  source: ListSource<T>
  list: List<T>
  stale: boolean
  selection: Selection<T> | undefined
}

/** The list on narrow screens: a card per record. */
export function Cards<T extends Listed>({ kind, source, list, stale, selection }: Props<T>) {
  const scroller = useRef<HTMLDivElement>(null)
  const name = nameOfList(kind, list.text)
  const virtualizer = useVirtualizer({
    count: list.count,
    getScrollElement: () => scroller.current,
    estimateSize: () => CARD_PX,
    overscan: OVERSCAN,
    initialOffset: () => recall(name).offset,
  })
  const items = virtualizer.getVirtualItems()
  const rows = useRows(source, list, items[0]?.index ?? 0, items.at(-1)?.index ?? 0)
  const room = selection?.size ? BULK_PX : 0
  const latest = useRef(selection)
  useEffect(() => {
    latest.current = selection
  })
  const toggle = useCallback((record: T) => latest.current?.toggle(record), [])
  useCursor(name, scroller)
  return (
    <>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard */}
      <div
        ref={scroller}
        className={classes.scroller}
        data-stale={stale || undefined}
        tabIndex={0}
        role="region"
        aria-label={kind.title}
      >
        <ul className={classes.list} style={{ height: virtualizer.getTotalSize() + room }}>
          {items.map(({ index, start }) => {
            const record = rows.at(index)
            return (
              <CardOf
                key={index}
                kind={kind}
                record={record}
                index={index}
                top={start}
                total={list.count}
                selected={record && selection?.has(record.id)}
                toggle={toggle}
              />
            )
          })}
        </ul>
      </div>
      {rows.error && <RestMissing error={rows.error} busy={rows.busy} retry={rows.retry} room={room} />}
    </>
  )
}

type CardProps<T extends Listed> = {
  kind: RecordKind<T>
  record: T | undefined
  index: number
  top: number
  total: number
  /** Undefined where records cannot be selected. */
  selected: boolean | undefined
  toggle: (record: T) => void
}

const CardOf = memo(function CardOf<T extends Listed>(props: CardProps<T>) {
  const { kind, record, index, top, total, selected, toggle } = props
  const style = { transform: `translateY(${top}px)` }
  const place = { 'aria-posinset': index + 1, 'aria-setsize': total }
  if (!record) {
    return (
      <li className={classes.card} style={style} aria-busy {...place}>
        <Bar width="50%" />
        <Bar width="70%" height={10} />
      </li>
    )
  }
  function open(event: MouseEvent) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    kind.open(record!, index)
  }
  const { beside, about, mark } = kind.card(record)
  return (
    <li
      className={classes.card}
      style={style}
      data-choosing={selected !== undefined || undefined}
      data-selected={selected || undefined}
      {...place}
    >
      {selected !== undefined && (
        <label className={classes.check}>
          <input
            type="checkbox"
            checked={selected}
            aria-label={`Select ${kind.nameOf(record)}`}
            onChange={() => toggle(record)}
          />
        </label>
      )}
      <a className={classes.link} href={kind.href(record, index)} onClick={open}>
        <span className={classes.line}>
          <span className={`${textClasses.cut} ${classes.name}`}>{kind.nameOf(record)}</span>
          <span className={textClasses.meta}>{beside}</span>
        </span>
        <span className={classes.line}>
          <span className={classes.about}>{about}</span>
          {mark}
        </span>
      </a>
    </li>
  )
}) as <T extends Listed>(props: CardProps<T>) => ReactNode
