import { expect, test } from 'vitest'
import { laidOut } from './laid-out.ts'

test('JSON is laid out with a line for every value', () => {
  const value = { a: [1, -2.5e3, { b: 'x, "y": {' }], empty: {}, none: [], nested: [[], [null, true]] }
  expect(laidOut(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2))
  expect(laidOut(JSON.stringify(value, null, 7))).toBe(JSON.stringify(value, null, 2))
  expect(laidOut('"only text"')).toBe('"only text"')
})

test('numbers, names and escapes stay as they were sent', () => {
  const text = '{"id":12345678901234567890,"id":1.0,"name":"\\u003cb\\u003e \\" \\\\"}'
  expect(laidOut(text)).toBe(
    '{\n  "id": 12345678901234567890,\n  "id": 1.0,\n  "name": "\\u003cb\\u003e \\" \\\\"\n}',
  )
})

test('what is no JSON is left alone', () => {
  expect(laidOut('<h1>Bad {gateway}</h1>')).toBe('<h1>Bad {gateway}</h1>')
  expect(laidOut('')).toBe('')
})
