import IconPlus from 'icon:plus'
import { lazy, memo, Suspense } from 'react'
import type { Offer } from './canvas-contract.ts'
import type { PlusBox } from './layout.ts'
import { emptyStop } from './moves.ts'
import type { Place } from './tree.ts'
import classes from './canvas.module.css'

const PREPARE_MS = 300
const load = () => import('./add-menu.tsx').then(({ AddMenu }) => ({ default: AddMenu }))
const AddMenu = lazy(load)

type Props = {
  box: PlusBox
  /** Says where it adds a step. */
  words: string
  isOpen: boolean
  isSelected: boolean
  isCurrent: boolean
  open: (place: Place) => void
  offers: (place: Place) => Offer[]
  add: (place: Place, offer: Offer) => void
  close: () => void
}

/** The button between two nodes, and the menu of steps to add there. */
export const CanvasPlus = memo(function CanvasPlus(props: Props) {
  const { box, words, isOpen, isSelected, isCurrent, open, offers, add, close } = props
  const button = (
    <button
      type="button"
      className={classes.plus}
      style={{ transform: `translate(${box.x}px, ${box.y}px)`, width: box.width, height: box.height }}
      // Only an empty branch is a stop of its own; next to a node, the key A does the same.
      data-stop={box.only ? emptyStop(box.place.list) : undefined}
      data-place={`${box.place.list} ${box.place.at}`}
      data-selected={isSelected || undefined}
      tabIndex={isCurrent ? 0 : -1}
      aria-label={words}
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      onClick={event => {
        event.stopPropagation()
        open(box.place)
      }}
    >
      <IconPlus size={14} aria-hidden />
    </button>
  )
  if (!isOpen) return button
  return (
    <Suspense fallback={button}>
      <AddMenu offers={offers(box.place)} add={offer => add(box.place, offer)} close={close}>
        {button}
      </AddMenu>
    </Suspense>
  )
})

// The canvas renders without the menu, but loads it before anyone can open it.
setTimeout(() => void load().catch(() => {}), PREPARE_MS)
