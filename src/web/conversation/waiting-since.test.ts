import { expect, test } from 'vitest'
import { waitingSince } from './waiting-since.ts'

const base = { kind: 'message', automatic: false, status: null, at: '' } as const
const theirs = (at: string) => ({ ...base, direction: 'in' as const, at })
const ours = (at: string) => ({ ...base, direction: 'out' as const, status: 'SENT' as const, at })

test('they wait since the first message after our last one', () => {
  expect(waitingSince([theirs('3'), theirs('2'), ours('1'), theirs('0')])).toBe('2')
})

test('without an answer of ours, they wait since their first message', () => {
  expect(waitingSince([theirs('2'), theirs('1')])).toBe('1')
})

test('nobody waits once we have written, or where nothing was written', () => {
  expect(waitingSince([ours('2'), theirs('1')])).toBeUndefined()
  expect(waitingSince([])).toBeUndefined()
})

test('automatic replies, notes, and what was cancelled are neither a question nor an answer', () => {
  const note = { ...base, kind: 'note' as const, direction: null, at: '5' }
  const automatic = { ...theirs('4'), automatic: true }
  const cancelled = { ...ours('3'), status: 'CANCELLED' as const }
  expect(waitingSince([note, automatic, cancelled, theirs('2'), ours('1')])).toBe('2')
})
