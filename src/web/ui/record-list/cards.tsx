import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, type MouseEvent } from 'react'
import { Bar } from '../states.tsx'
import type { Choosing } from './selection.ts'
import { BULK_PX } from './cursor.ts'
import type { Listed, RecordKind } from './list.ts'
import textClasses from '../text.module.css'
import classes from './cards.module.css'

const CARD_PX = 68
const OVERSCAN = 6

type Props<T extends Listed> = {
  kind: RecordKind<T>
  records: T[]
  hasMore: boolean
  loadMore: () => void
  stale: boolean
  choosing?: Choosing<T> | undefined
}

/** The list on narrow screens: a card per record. */
export function Cards<T extends Listed>({ kind, records, hasMore, loadMore, stale, choosing }: Props<T>) {
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: records.length + (hasMore ? 1 : 0),
    getScrollElement: () => scroller.current,
    estimateSize: () => CARD_PX,
    overscan: OVERSCAN,
  })
  const items = virtualizer.getVirtualItems()
  const room = choosing && choosing.chosen.length > 0 ? BULK_PX : 0
  const last = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (hasMore && last >= records.length - 1) loadMore()
  }, [hasMore, last, records.length, loadMore])

  function open(event: MouseEvent, record: T) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    kind.open(record)
  }

  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard
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
          const record = records[index]
          const style = { transform: `translateY(${start}px)` }
          if (!record) {
            return (
              <li key={index} className={classes.card} style={style} aria-busy>
                <Bar width="50%" />
                <Bar width="70%" height={10} />
              </li>
            )
          }
          const { beside, about, mark } = kind.card(record)
          return (
            <li
              key={record.id}
              className={classes.card}
              style={style}
              data-choosing={choosing ? true : undefined}
              data-selected={choosing?.ids.has(record.id) || undefined}
            >
              {choosing && (
                <label className={classes.check}>
                  <input
                    type="checkbox"
                    checked={choosing.ids.has(record.id)}
                    aria-label={`Select ${kind.nameOf(record)}`}
                    onChange={() => choosing.toggle(record)}
                  />
                </label>
              )}
              <a className={classes.link} href={kind.href(record)} onClick={event => open(event, record)}>
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
        })}
      </ul>
    </div>
  )
}
