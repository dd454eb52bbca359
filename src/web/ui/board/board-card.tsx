import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { attachClosestEdge, extractClosestEdge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge'
import { memo, useEffect, useRef, useState, type MouseEvent, type ReactNode } from 'react'
import { CardMenu } from './card-menu.tsx'
import type { MenuGroup } from './menu-choices.ts'
import type { Card } from './places.ts'
import classes from './board.module.css'

/** Shared by all cards of a board; stable while scrolling. */
export type Ways<C extends Card> = {
  board: symbol
  nameOf: (card: C) => string
  face: (card: C) => ReactNode
  /** The URL, where a card is a link. */
  hrefOf?: ((card: C) => string) | undefined
  open: (card: C) => void
  canMove: boolean
  ordered: boolean
  dragged: (id: string) => void
  openMenu: (id: string) => void
  closeMenu: (id: string) => void
  choicesFor: (id: string) => MenuGroup[]
}

type Props<C extends Card> = {
  card: C
  column: string
  ways: Ways<C>
  top: number
  height: number
  place: number
  total: number
  tabbable: boolean
  menuOpened: boolean
}

export const BoardCard = memo(Drawn) as typeof Drawn

function Drawn<C extends Card>(props: Props<C>) {
  const { card, column, ways, top, height, place, total, tabbable, menuOpened } = props
  const item = useRef<HTMLLIElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const { dragging, edge } = useDragging(item, body, card.id, column, ways)
  const { id } = card
  const main = {
    'data-main': true,
    className: classes.main,
    tabIndex: tabbable ? 0 : -1,
  }
  function follow(event: MouseEvent) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    ways.open(card)
  }
  return (
    <li
      ref={item}
      className={classes.item}
      style={{ transform: `translateY(${top}px)`, height }}
      data-card={id}
      data-edge={edge}
      aria-posinset={place}
      aria-setsize={total}
    >
      <div ref={body} className={classes.card} data-dragging={dragging || undefined}>
        {ways.hrefOf ? (
          <a {...main} href={ways.hrefOf(card)} draggable={false} onClick={follow}>
            {ways.face(card)}
          </a>
        ) : (
          <button type="button" {...main} onClick={() => ways.open(card)}>
            {ways.face(card)}
          </button>
        )}
        {ways.canMove && (
          <CardMenu
            name={ways.nameOf(card)}
            tabbable={tabbable}
            opened={menuOpened}
            open={() => ways.openMenu(id)}
            close={() => ways.closeMenu(id)}
            choices={() => ways.choicesFor(id)}
          />
        )}
      </div>
    </li>
  )
}

function useDragging<C extends Card>(
  item: { current: HTMLElement | null },
  body: { current: HTMLElement | null },
  id: string,
  column: string,
  { board, canMove, ordered, dragged }: Ways<C>,
) {
  const [dragging, setDragging] = useState(false)
  const [edge, setEdge] = useState<string>()
  useEffect(() => {
    if (!canMove || !item.current || !body.current) return
    const whole = draggable({
      element: body.current,
      getInitialData: () => ({ board, id, column }),
      onDragStart: () => {
        setDragging(true)
        dragged(id)
      },
      onDrop: () => setDragging(false),
    })
    if (!ordered) return whole
    const target = dropTargetForElements({
      element: item.current,
      canDrop: ({ source }) => source.data.board === board,
      getData: ({ input, element }) =>
        attachClosestEdge({ card: id }, { input, element, allowedEdges: ['top', 'bottom'] }),
      onDrag: ({ self, source }) =>
        setEdge(source.data.id === id ? undefined : (extractClosestEdge(self.data) ?? undefined)),
      onDragLeave: () => setEdge(undefined),
      onDrop: () => setEdge(undefined),
    })
    return combine(whole, target)
  }, [item, body, id, column, board, canMove, ordered, dragged])
  return { dragging, edge }
}
