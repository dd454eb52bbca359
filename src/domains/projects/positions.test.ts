import fc from 'fast-check'
import { expect, test } from 'vitest'
import { placeAfter, placeBetween, POSITION_LENGTH_MAX, SPREAD_CARDS, type Card } from './positions.ts'

/** A column as the database keeps it, and the same as a plain list. */
function column(size: number) {
  const cards: Card[] = []
  for (let n = 0; n < size; n++)
    cards.push({ id: `c${n}`, position: placeAfter(cards.at(-1)?.position ?? null) })
  let written = 0
  return {
    cards,
    order: () => cards.toSorted((a, b) => (a.position < b.position ? -1 : 1)).map(({ id }) => id),
    written: () => written,
    move(id: string, to: number) {
      const others = cards
        .filter(card => card.id !== id)
        .toSorted((a, b) => (a.position < b.position ? -1 : 1))
      const above = others.slice(Math.max(0, to - SPREAD_CARDS - 1), to)
      const below = others.slice(to, to + SPREAD_CARDS + 1)
      const { position, spread } = placeBetween(above, below)
      for (const each of spread) cards.find(card => card.id === each.id)!.position = each.position
      cards.find(card => card.id === id)!.position = position
      written += 1 + spread.length
      expect(spread.length).toBeLessThanOrEqual(2 * SPREAD_CARDS)
    },
  }
}

test('whatever is moved where, cards stand as in a plain list', () => {
  const moves = fc.array(fc.tuple(fc.nat(11), fc.nat(11)), { maxLength: 300 })
  fc.assert(
    fc.property(moves, list => {
      const board = column(12)
      const plain = board.order()
      for (const [which, to] of list) {
        const id = `c${which}`
        plain.splice(plain.indexOf(id), 1)
        plain.splice(to, 0, id)
        board.move(id, to)
      }
      expect(board.order()).toEqual(plain)
      expect(new Set(board.cards.map(({ position }) => position)).size).toBe(12)
    }),
    { numRuns: 60 },
  )
})

test('ten thousand moves into one gap of a long column keep positions short, and write a few rows each', () => {
  const board = column(500)
  for (let n = 0; n < 10_000; n++) board.move(n % 2 ? 'c10' : 'c400', n % 2 ? 200 : 201)
  const longest = Math.max(...board.cards.map(({ position }) => position.length))
  expect(longest).toBeLessThanOrEqual(POSITION_LENGTH_MAX)
  expect(board.written()).toBeLessThan(10_000 * 2)
})

test('a place at either end and in an empty column needs no neighbours', () => {
  const { position } = placeBetween([], [])
  const before = placeBetween([], [{ id: 'x', position }]).position
  const after = placeBetween([{ id: 'x', position }], []).position
  expect([before, position, after].toSorted()).toEqual([before, position, after])
})
