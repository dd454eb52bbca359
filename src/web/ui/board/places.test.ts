import { expect, test } from 'vitest'
import { dropPlace, isThere, placeInWords, stepCard, stepPlace, type Column } from './places.ts'

function column(key: string, letters: string): Column<{ id: string }> {
  const cards = [...letters].map(id => ({ id }))
  return { key, name: key, count: cards.length, cards, empty: '' }
}

const columns = [column('one', 'abc'), column('none', ''), column('two', 'd')]
const [one, none, two] = columns as [Column<{ id: string }>, Column<{ id: string }>, Column<{ id: string }>]

test('a card is dropped before or after the one below the pointer, and else at the end', () => {
  expect(dropPlace(one, 'd', { id: 'b', edge: 'top' })).toEqual({ column: 'one', before: 'b' })
  expect(dropPlace(one, 'd', { id: 'b', edge: 'bottom' })).toEqual({ column: 'one', before: 'c' })
  expect(dropPlace(one, 'd', { id: 'c', edge: 'bottom' })).toEqual({ column: 'one', before: null })
  expect(dropPlace(none, 'd', undefined)).toEqual({ column: 'none', before: null })
  // What stands after it is found without the card that moves.
  expect(dropPlace(one, 'b', { id: 'a', edge: 'bottom' })).toEqual({ column: 'one', before: 'c' })
})

test('a card that is dropped where it stands is there already', () => {
  for (const over of [
    { id: 'b', edge: 'top' },
    { id: 'a', edge: 'bottom' },
    { id: 'c', edge: 'top' },
  ] as const) {
    expect(isThere(one, 'b', dropPlace(one, 'b', over), true)).toBe(true)
  }
  expect(isThere(one, 'b', dropPlace(one, 'b', { id: 'a', edge: 'top' }), true)).toBe(false)
  expect(isThere(one, 'b', { column: 'one', before: null }, false)).toBe(true)
  expect(isThere(one, 'b', { column: 'two', before: null }, false)).toBe(false)
})

test('keys move a card one step, and nowhere beyond the ends', () => {
  expect(stepPlace(columns, 'b', 'up', true)).toEqual({ column: 'one', before: 'a' })
  expect(stepPlace(columns, 'a', 'down', true)).toEqual({ column: 'one', before: 'c' })
  expect(stepPlace(columns, 'b', 'down', true)).toEqual({ column: 'one', before: null })
  expect(stepPlace(columns, 'b', 'right', true)).toEqual({ column: 'none', before: null })
  expect(stepPlace(columns, 'd', 'left', true)).toEqual({ column: 'none', before: null })
  for (const [id, step] of [
    ['a', 'up'],
    ['c', 'down'],
    ['a', 'left'],
    ['d', 'right'],
  ] as const) {
    expect(stepPlace(columns, id, step, true)).toBeUndefined()
  }
  expect(stepPlace(columns, 'b', 'up', false)).toBeUndefined()
})

test('keys walk from card to card, over columns that are empty', () => {
  expect(stepCard(columns, 'c', 'right')?.id).toBe('d')
  expect(stepCard(columns, 'd', 'left')?.id).toBe('a')
  expect(stepCard(columns, 'a', 'last')?.id).toBe('c')
  expect(stepCard(columns, 'c', 'down')).toBeUndefined()
})

test('a place is told by number', () => {
  expect(placeInWords(one, 'd', { column: 'one', before: 'a' })).toBe('position 1 of 4')
  expect(placeInWords(one, 'c', { column: 'one', before: 'b' })).toBe('position 2 of 3')
  expect(placeInWords(two, 'a', { column: 'two', before: null })).toBe('position 2 of 2')
})
