import { expect, test } from 'vitest'
import { placedFaults } from './edits.ts'

test('a fault is found at its place in the text', () => {
  const text = 'Hi there,\n\nabout {{nmae}}'
  const faults = [
    { path: 'subject', message: 'character 1: {{x}} is no placeholder.' },
    { path: 'body', message: 'line 3, character 7: {{nmae}} is no placeholder.' },
  ]
  const [fault] = placedFaults(faults, 'body', text)
  expect(fault).toEqual({
    message: '{{nmae}} is no placeholder.',
    at: text.indexOf('{{nmae}}'),
    place: 'line 3, character 7',
  })
  expect(placedFaults(faults, 'subject', '{{x}}')[0]?.at).toBe(0)
})

test('a fault without a place is told all the same', () => {
  expect(placedFaults([{ path: 'body', message: 'is too long' }], 'body', 'x')).toEqual([
    { message: 'is too long', at: undefined, place: undefined },
  ])
})
