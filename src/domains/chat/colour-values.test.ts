import { expect, test } from 'vitest'
import { contrastOf, shownColours, TEXT_CONTRAST } from './colour-values.ts'

test('a colour on which white can be read stays as it is', () => {
  expect(shownColours('#1f56b0')).toMatchObject({ fill: '#1f56b0', on_fill: '#ffffff', text: '#1f56b0' })
})

test('a light colour stays, with dark words on it; words in that colour are darkened', () => {
  const { fill, on_fill, text } = shownColours('#ffc629')
  expect({ fill, on_fill }).toEqual({ fill: '#ffc629', on_fill: '#10191c' })
  expect(contrastOf(text, '#ffffff')).toBeGreaterThanOrEqual(TEXT_CONTRAST)
})

test('whatever the colour, everything written on it and in it can be read, in the light and in the dark', () => {
  const parts = ['00', '33', '66', '77', '80', '99', 'cc', 'ff']
  const every = parts.flatMap(r => parts.flatMap(g => parts.map(b => `#${r}${g}${b}`)))
  const unreadable = every.filter(colour => {
    const { fill, on_fill, text, dark_fill, on_dark_fill, dark_text } = shownColours(colour)
    const pairs = [
      [fill, on_fill],
      [dark_fill, on_dark_fill],
      [text, '#ffffff'],
      [text, '#f1f4f4'],
      [dark_text, '#131617'],
      [dark_text, '#1d2224'],
    ] as const
    return pairs.some(([one, other]) => contrastOf(one, other) < TEXT_CONTRAST)
  })
  expect(unreadable).toEqual([])
})

test('where neither white nor black can be read on it, the colour gives way: darker by day, lighter by night', () => {
  const colour = '#7c7c7c'
  const { fill, on_fill, dark_fill, on_dark_fill } = shownColours(colour)
  expect([on_fill, on_dark_fill]).toEqual(['#ffffff', '#10191c'])
  expect([fill < colour, dark_fill > colour]).toEqual([true, true])
})
