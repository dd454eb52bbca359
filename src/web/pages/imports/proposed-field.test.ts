import { expect, test } from 'vitest'
import { proposedField } from './proposed-field.ts'

test.for([
  ['text', ['A', '']],
  ['text', []],
  ['number', ['12', '', '-3.5', '1,25', '0']],
  ['text', ['007', '12']],
  ['text', ['1,234']],
  ['text', ['4930123456789012']],
  ['date', ['2026-03-31', '31.3.2026', '2026/3/1']],
  ['text', ['03/05/2026']],
  ['checkbox', ['yes', 'No', 'TRUE']],
  ['text', ['yes', 'maybe']],
] as const)('a column is proposed as a field of kind %s for %j', ([kind, values]) => {
  expect(proposedField(' Seats ', values)).toEqual({ label: 'Seats', kind })
})
