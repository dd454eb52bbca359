import type { ReactNode } from 'react'

export type Card = { id: string }

export type Column<C extends Card> = {
  key: string
  name: string
  /** The colour of its dot. */
  tone?: string
  /** How many cards there are, including those not loaded. */
  count: number
  /** The URL of the same records as a list. */
  list?: string
  cards: readonly C[]
  /** The sum, below the name. */
  about?: ReactNode
  /** Beside the name, such as a menu. */
  actions?: ReactNode
  /** Below the cards, such as a button to add one. */
  foot?: ReactNode
  /** Shown without cards. */
  empty: string
  /** The first cards are loading. */
  waiting?: boolean
  /** Loads more cards; called when the last ones become visible. */
  more?: (() => void) | undefined
  /** Shown when more cards could not be loaded. */
  missing?: ReactNode
}

/** The position of a card: before another one, or at the end. */
export type Place = { column: string; before: string | null }

type Standing<C extends Card> = { column: Column<C>; columnAt: number; card: C; at: number }

export function standing<C extends Card>(columns: readonly Column<C>[], id: string): Standing<C> | undefined {
  for (const [columnAt, column] of columns.entries()) {
    const at = column.cards.findIndex(card => card.id === id)
    if (at >= 0) return { column, columnAt, card: column.cards[at]!, at }
  }
  return undefined
}

/** Dropped on a card: before or after it; below all cards: at the end. */
export function dropPlace<C extends Card>(
  column: Column<C>,
  dragged: string,
  over: { id: string; edge: 'top' | 'bottom' } | undefined,
): Place {
  const others = column.cards.filter(({ id }) => id !== dragged)
  if (over?.id === dragged) return placeNow(column, dragged)
  if (!over) return { column: column.key, before: null }
  const next = others[others.findIndex(({ id }) => id === over.id) + 1]?.id ?? null
  return { column: column.key, before: over.edge === 'top' ? over.id : next }
}

export function placeNow<C extends Card>(column: Column<C>, id: string): Place {
  const at = column.cards.findIndex(card => card.id === id)
  return { column: column.key, before: column.cards[at + 1]?.id ?? null }
}

export type Step = 'left' | 'right' | 'up' | 'down'

/** The position one step away, for keyboard moves; undefined: none. Sideways keeps the index. */
export function stepPlace<C extends Card>(
  columns: readonly Column<C>[],
  id: string,
  step: Step,
  ordered: boolean,
): Place | undefined {
  const from = standing(columns, id)
  if (!from) return undefined
  if (step === 'left' || step === 'right') {
    const column = columns[from.columnAt + (step === 'left' ? -1 : 1)]
    return column && { column: column.key, before: ordered ? (column.cards[from.at]?.id ?? null) : null }
  }
  if (!ordered) return undefined
  const { cards, key } = from.column
  if (step === 'up') return from.at > 0 ? { column: key, before: cards[from.at - 1]!.id } : undefined
  return from.at < cards.length - 1 ? { column: key, before: cards[from.at + 2]?.id ?? null } : undefined
}

/** The next card in a direction, for keyboard focus; skips empty columns. */
export function stepCard<C extends Card>(
  columns: readonly Column<C>[],
  id: string,
  step: Step | 'first' | 'last',
): C | undefined {
  const from = standing(columns, id)
  if (!from) return undefined
  const { cards } = from.column
  switch (step) {
    case 'up':
      return cards[from.at - 1]
    case 'down':
      return cards[from.at + 1]
    case 'first':
      return cards[0]
    case 'last':
      return cards.at(-1)
    default: {
      const side =
        step === 'left' ? columns.slice(0, from.columnAt).toReversed() : columns.slice(from.columnAt + 1)
      const near = side.find(column => column.cards.length > 0)?.cards
      return near?.[Math.min(from.at, near.length - 1)]
    }
  }
}

/** Whether a card is already at a position. */
export function isThere<C extends Card>(
  column: Column<C>,
  id: string,
  place: Place,
  ordered: boolean,
): boolean {
  if (column.key !== place.column) return false
  return !ordered || place.before === id || placeNow(column, id).before === place.before
}

/** For screen readers. */
export function placeInWords<C extends Card>(column: Column<C>, id: string, { before }: Place): string {
  const others = column.cards.filter(card => card.id !== id)
  const at = before === null ? others.length : others.findIndex(card => card.id === before)
  return `position ${at + 1} of ${others.length + 1}`
}
