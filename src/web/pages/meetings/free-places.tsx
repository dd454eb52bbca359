import { memo, useEffect, useMemo, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react'
import { dateOf, timeOn } from '../../records/meetings/days.ts'
import { dayIn, timeIn } from '../../ui/zones.ts'
import classes from './week.module.css'

const STEP_MIN = 30
const ROWS = (24 * 60) / STEP_MIN
/** The slot that Tab enters first. */
const MORNING_ROW = (9 * 60) / STEP_MIN

type Place = { row: number; column: number }
type Props = { days: string[]; meetAt: (at: Date) => void; turn: (by: 1 | -1) => void }

/** Half-hour slots to book: by click, or with arrow keys and Enter. */
export const FreePlaces = memo(function FreePlaces({ days, meetAt, turn }: Props) {
  const grid = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useState<Place>({ row: MORNING_ROW, column: 0 })
  const wanted = useRef(false)
  const rows = useMemo(() => rowsOf(days), [days])
  const column = Math.min(place.column, days.length - 1)

  // The target slot must be rendered before it can be focused.
  useEffect(() => {
    if (!wanted.current) return
    wanted.current = false
    const cell = grid.current?.querySelector<HTMLElement>('[tabindex="0"]')
    cell?.focus({ preventScroll: true })
    cell?.scrollIntoView({ block: 'nearest' })
  }, [place])

  function go(next: Place) {
    wanted.current = true
    setPlace(next)
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    const moves: Record<string, () => void> = {
      ArrowUp: () => go({ row: Math.max(0, place.row - 1), column }),
      ArrowDown: () => go({ row: Math.min(ROWS - 1, place.row + 1), column }),
      ArrowLeft: () => sideways(-1),
      ArrowRight: () => sideways(1),
      Enter: () => meetAt(timeOn(days[column]!, place.row * STEP_MIN)),
      ' ': () => meetAt(timeOn(days[column]!, place.row * STEP_MIN)),
    }
    const move = moves[event.key]
    if (!move) return
    event.preventDefault()
    move()
  }

  function sideways(by: 1 | -1) {
    const next = column + by
    if (next >= 0 && next < days.length) return go({ row: place.row, column: next })
    go({ row: place.row, column: by > 0 ? 0 : days.length - 1 })
    turn(by)
  }

  function onClick(event: MouseEvent) {
    const cell = (event.target as HTMLElement).closest<HTMLElement>('[data-at]')
    if (cell) meetAt(new Date(cell.dataset.at!))
  }

  return (
    <div
      ref={grid}
      role="grid"
      aria-label="Time slots"
      className={classes.places}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      onClick={onClick}
    >
      {rows.map((cells, row) => (
        // oxlint-disable-next-line react/no-array-index-key
        <div key={row} role="row" className={classes.row}>
          {cells.map(({ index, at, time, label }) => (
            // Same key in every week, so that the slot keeps the focus.
            <div
              key={index}
              role="gridcell"
              className={classes.place}
              tabIndex={row === place.row && index === column ? 0 : -1}
              aria-label={label}
              data-at={at}
              data-time={time}
              onFocus={() => setPlace({ row, column: index })}
            />
          ))}
        </div>
      ))}
    </div>
  )
})

/** Computed once: the cursor moves far more often. */
function rowsOf(days: string[]) {
  return Array.from({ length: ROWS }, (_, row) =>
    days.map((day, index) => {
      const at = timeOn(day, row * STEP_MIN).toISOString()
      const time = timeIn(at)
      return { index, at, time, label: `Book ${dayIn(dateOf(day))} at ${time}` }
    }),
  )
}
