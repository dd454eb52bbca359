import { VisuallyHidden } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { NARROW } from '../narrow.ts'
import { BoardColumn } from './board-column.tsx'
import type { Ways } from './board-card.tsx'
import { useCardFocus } from './focus.ts'
import { menuChoices } from './menu-choices.ts'
import {
  dropPlace,
  isThere,
  placeInWords,
  standing,
  stepCard,
  stepPlace,
  type Card,
  type Column,
  type Place,
  type Step,
} from './places.ts'
import { Switcher } from './switcher.tsx'
import { useDrops } from './use-drops.ts'
import classes from './board.module.css'

type Props<C extends Card> = {
  label: string
  /** What the cards are, as in "5 tasks". */
  noun: string
  columns: readonly Column<C>[]
  nameOf: (card: C) => string
  face: (card: C) => ReactNode
  hrefOf?: (card: C) => string
  heightOf: (card: C) => number
  open: (card: C) => void
  canMove: boolean
  /** Whether cards have a manual order within a column. */
  ordered: boolean
  /** False if it was rejected; the reason was shown. */
  move: (card: C, place: Place) => boolean | void
  /** After the last column. */
  after?: ReactNode
}

/** Columns of cards. Every way to move one (pointer, touch, menu, keys) ends in `move`. */
export function Board<C extends Card>(props: Props<C>) {
  const { label, noun, columns, nameOf, face, hrefOf, heightOf, open, canMove, ordered, after } = props
  const narrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false })
  const root = useRef<HTMLDivElement>(null)
  const strip = useRef<HTMLDivElement>(null)
  const focus = useCardFocus(root)
  const [active, setActive] = useState<string | null>(null)
  const [menuFor, setMenuFor] = useState<string | null>(null)
  const [said, setSaid] = useState('')
  const [board] = useState(() => Symbol('board'))

  function go(id: string) {
    focus.want(id)
    setActive(id)
  }

  function moveTo(id: string, place: Place | undefined, byKey: boolean) {
    const from = standing(columns, id)
    const to = columns.find(({ key }) => key === place?.column)
    if (!from || !to || !place || isThere(from.column, id, place, ordered)) return
    if (props.move(from.card, place) === false) return
    if (byKey) go(id)
    const told = `${nameOf(from.card)} moved to ${to.name}`
    setSaid(ordered ? `${told}, ${placeInWords(to, id, place)}` : told)
  }

  const choicesFor = (id: string) => menuChoices(columns, id, ordered, place => moveTo(id, place, true))

  // A stable object, so that cards do not render again when only positions change.
  const latest = { nameOf, face, hrefOf, open, choicesFor }
  const now = useRef(latest)
  now.current = latest
  const hasAddress = hrefOf !== undefined
  const ways = useMemo(
    (): Ways<C> => ({
      board,
      nameOf: card => now.current.nameOf(card),
      face,
      hrefOf: hasAddress ? card => now.current.hrefOf!(card) : undefined,
      open: card => now.current.open(card),
      canMove,
      ordered,
      dragged: setActive,
      openMenu: id => {
        setMenuFor(id)
        setActive(id)
      },
      closeMenu: id => {
        focus.want(id)
        setMenuFor(null)
      },
      choicesFor: id => now.current.choicesFor(id),
    }),
    [board, face, hasAddress, canMove, ordered, focus],
  )

  useDrops(board, strip, (id, key, over) => {
    const column = columns.find(each => each.key === key)
    if (column) moveTo(id, dropPlace(column, id, ordered ? over : undefined), false)
  })

  function onKeyDown(event: KeyboardEvent) {
    const target = event.target as HTMLElement
    if (!target.dataset.main || event.altKey) return
    const card = target.closest<HTMLElement>('[data-card]')
    const id = card?.dataset.card
    if (!id) return
    const step = steps[event.key]
    const moving = event.shiftKey || event.ctrlKey || event.metaKey
    // Open it later: the menu would handle the key that opened it.
    if (event.key === 'm' && !moving && canMove) {
      // The menu is only visible if its button is.
      card.scrollIntoView({ block: 'nearest', inline: 'nearest' })
      requestAnimationFrame(() => setMenuFor(id))
    } else if (step && moving && canMove && isStep(step))
      moveTo(id, stepPlace(columns, id, step, ordered), true)
    else if (step && !moving) {
      const next = stepCard(columns, id, step)
      if (next) go(next.id)
    } else return
    event.preventDefault()
  }

  const hasCards = columns.some(({ cards }) => cards.length > 0)
  return (
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys belong to the cards within
    <div
      ref={root}
      className={classes.board}
      onKeyDown={onKeyDown}
      onFocus={focus.onFocus}
      onBlur={focus.onBlur}
    >
      {narrow && <Switcher columns={columns} strip={strip} />}
      <div
        ref={strip}
        className={classes.strip}
        role="region"
        aria-label={label}
        // A region that scrolls must be reachable by keyboard, even without cards.
        tabIndex={hasCards ? undefined : 0}
      >
        {columns.map(column => (
          <BoardColumn
            key={column.key}
            column={column}
            ways={ways}
            heightOf={heightOf}
            active={active}
            menuFor={menuFor}
            focus={focus}
            noun={noun}
          />
        ))}
        {after}
      </div>
      <VisuallyHidden role="status">{said}</VisuallyHidden>
    </div>
  )
}

const steps: Record<string, Step | 'first' | 'last'> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
  Home: 'first',
  End: 'last',
}

function isStep(step: Step | 'first' | 'last'): step is Step {
  return step !== 'first' && step !== 'last'
}
