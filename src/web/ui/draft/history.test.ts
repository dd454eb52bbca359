import fc from 'fast-check'
import { expect, test } from 'vitest'
import { act, begin, DEPTH_MAX, redo, undo } from './history.ts'

test('every edit can be taken back to the beginning and done again to the end', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { maxLength: 40 }), edits => {
      const done = edits.reduce((history, edit, at) => act(history, `${at} ${edit}`), begin('first'))
      let back = done
      while (back.past.length > 0) back = undo(back)
      expect(back.now).toBe('first')
      while (back.future.length > 0) back = redo(back)
      expect(back).toEqual({ ...done, about: null })
    }),
  )
})

test('typing on in one place is one edit, until something else is done', () => {
  let history = begin('')
  for (const text of ['r', 're', 'rec']) history = act(history, text, 'template')
  expect(undo(history).now).toBe('')
  history = act(act(history, 'rec!', 'title'), 'rec!!', 'template')
  expect(undo(history).now).toBe('rec!')
})

test('what is edited after an undo replaces what was taken back', () => {
  const history = act(undo(act(act(begin(1), 2), 3)), 4)
  expect(redo(history)).toBe(history)
  expect(history.past).toEqual([1, 2])
})

test('it remembers so many edits and no more, also when they are done again', () => {
  let history = begin(0)
  for (let edit = 1; edit <= DEPTH_MAX + 5; edit++) history = act(history, edit)
  expect(history.past).toHaveLength(DEPTH_MAX)
  expect(history.past[0]).toBe(5)
  expect(redo(undo(history)).past).toHaveLength(DEPTH_MAX)
})
