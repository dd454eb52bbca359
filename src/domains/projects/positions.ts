import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing'

/** Beyond this length the surrounding cards are spread out again. Ordinary use never gets there. */
export const POSITION_LENGTH_MAX = 40
/** So many cards on each side are then given new places: a piece of the column, never the whole. */
export const SPREAD_CARDS = 16

export type Card = { id: string; position: string }

/** Where a card goes, and which of its neighbours make room for it: nearly always none. */
export type Placing = { position: string; spread: Card[] }

/**
 * A position between two others, as text that sorts between theirs: a move writes one row, however long the
 * column is. `above` are the nearest cards before the position and `below` those after it, both in order.
 */
export function placeBetween(above: readonly Card[], below: readonly Card[]): Placing {
  const position = generateKeyBetween(above.at(-1)?.position ?? null, below[0]?.position ?? null)
  if (position.length <= POSITION_LENGTH_MAX) return { position, spread: [] }
  // Moving cards into one gap a hundred times makes its keys long. The outermost two stay where they are.
  const [first, ...upper] = above.length > SPREAD_CARDS ? above : [undefined, ...above]
  const last = below.length > SPREAD_CARDS ? below.at(-1) : undefined
  const lower = last ? below.slice(0, -1) : below
  const keys = generateNKeysBetween(
    first?.position ?? null,
    last?.position ?? null,
    upper.length + lower.length + 1,
  )
  const cards = [...(upper as Card[]), undefined, ...lower]
  return {
    position: keys[upper.length]!,
    spread: cards.flatMap((card, at) => (card ? [{ id: card.id, position: keys[at]! }] : [])),
  }
}

/** After the last card of a column. */
export function placeAfter(last: string | null): string {
  return generateKeyBetween(last, null)
}
