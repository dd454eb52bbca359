import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { autoScrollForElements } from '@atlaskit/pragmatic-drag-and-drop-auto-scroll/element'
import { defaultRangeExtractor, useVirtualizer, type Range } from '@tanstack/react-virtual'
import { memo, useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { Bar } from '../states.tsx'
import { BoardCard, type Ways } from './board-card.tsx'
import { ColumnHead } from './column-head.tsx'
import type { FocusKeeper } from './focus.ts'
import type { Card, Column } from './places.ts'
import classes from './board.module.css'

const OVERSCAN = 4
/** Load more when this many cards are left below. */
const AHEAD = 20

type Props<C extends Card> = {
  column: Column<C>
  ways: Ways<C>
  heightOf: (card: C) => number
  /** The card last focused or dragged. */
  active: string | null
  menuFor: string | null
  focus: FocusKeeper
  noun: string
}

export const BoardColumn = memo(Drawn) as typeof Drawn

function Drawn<C extends Card>({ column, ways, heightOf, active, menuFor, focus, noun }: Props<C>) {
  const { cards } = column
  const root = useRef<HTMLElement>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const headingId = useId()
  const over = useDropping(root, scroller, column.key, ways)
  const activeAt = useMemo(() => cards.findIndex(({ id }) => id === active), [cards, active])

  // The focused or dragged card stays rendered, however far one scrolls.
  const rangeExtractor = useCallback(
    (range: Range) => {
      const drawn = defaultRangeExtractor(range)
      if (activeAt < 0 || drawn.includes(activeAt)) return drawn
      return [...drawn, activeAt].toSorted((a, b) => a - b)
    },
    [activeAt],
  )
  // Heights belong to cards: measure again only when the order changes.
  const getItemKey = useCallback((index: number) => cards[index]!.id, [cards])
  const virtualizer = useVirtualizer({
    count: cards.length,
    getScrollElement: () => scroller.current,
    estimateSize: index => heightOf(cards[index]!),
    getItemKey,
    overscan: OVERSCAN,
    rangeExtractor,
  })

  useLayoutEffect(() => {
    const wanted = focus.wanted()
    const at = wanted ? cards.findIndex(({ id }) => id === wanted) : -1
    if (at >= 0) virtualizer.scrollToIndex(at, { align: 'auto' })
    focus.settle()
  })

  const items = virtualizer.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  const { more } = column
  useEffect(() => {
    if (more && last >= cards.length - AHEAD) more()
  }, [more, last, cards.length])

  const firstInSight = virtualizer.range?.startIndex ?? 0
  const tabbableAt = activeAt >= 0 ? activeAt : firstInSight
  return (
    <section
      ref={root}
      className={classes.column}
      aria-labelledby={headingId}
      data-column={column.key}
      data-over={over || undefined}
    >
      <ColumnHead column={column} noun={noun} id={headingId} />
      <div ref={scroller} className={classes.scroller}>
        {column.waiting && cards.length === 0 ? (
          <Waiting />
        ) : cards.length === 0 ? (
          <p className={classes.empty}>{column.empty}</p>
        ) : (
          <ul
            className={classes.list}
            aria-labelledby={headingId}
            style={{ height: virtualizer.getTotalSize() }}
          >
            {items.map(({ index, start, size }) => {
              const card = cards[index]
              return (
                card && (
                  <BoardCard
                    key={card.id}
                    card={card}
                    column={column.key}
                    ways={ways}
                    top={start}
                    height={size}
                    place={index + 1}
                    total={column.count}
                    tabbable={index === tabbableAt}
                    menuOpened={menuFor === card.id}
                  />
                )
              )
            })}
          </ul>
        )}
        {more && cards.length > 0 && (
          <p className={classes.more} role="status">
            Loading more…
          </p>
        )}
        {column.missing}
      </div>
      {column.foot && <div className={classes.foot}>{column.foot}</div>}
    </section>
  )
}

function Waiting() {
  return (
    <div className={classes.waiting} role="status" aria-label="Loading">
      {['70%', '55%', '80%'].map(width => (
        <div key={width} className={classes.card}>
          <div className={classes.main}>
            <Bar width={width} />
            <Bar width="40%" height={10} />
          </div>
        </div>
      ))}
    </div>
  )
}

/** The whole column is a drop target, and scrolls while a card is held near an end. */
function useDropping<C extends Card>(
  root: { current: HTMLElement | null },
  scroller: { current: HTMLElement | null },
  key: string,
  { board, canMove }: Ways<C>,
): boolean {
  const [over, setOver] = useState(false)
  useEffect(() => {
    if (!canMove || !root.current || !scroller.current) return
    return combine(
      dropTargetForElements({
        element: root.current,
        canDrop: ({ source }) => source.data.board === board,
        getData: () => ({ column: key }),
        onDragEnter: () => setOver(true),
        onDragLeave: () => setOver(false),
        onDrop: () => setOver(false),
      }),
      autoScrollForElements({
        element: scroller.current,
        canScroll: ({ source }) => source.data.board === board,
      }),
    )
  }, [root, scroller, key, board, canMove])
  return over
}
