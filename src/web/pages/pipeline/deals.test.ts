import { expect, test } from 'vitest'
import type { Lead } from '#domains/leads/contract.ts'
import { byStage, dealOfLead, type Deal } from './deals.ts'

const lead = (id: string, pipeline_stage: string, minute: number) =>
  dealOfLead({ id, pipeline_stage, updated_at: `2026-03-02T09:0${minute}:00.000Z` } as Lead)

type Columns = Record<string, Deal[]>

const columns = (read: Columns, before: Columns = {}, reading: string[] = []) =>
  Object.fromEntries(
    byStage(new Map(Object.entries(read)), new Map(Object.entries(before)), new Set(reading)),
  )

test('a deal that two columns hold for a moment stands where it was seen last', () => {
  const before = lead('a', 'New', 1)
  const moved = lead('a', 'Won', 2)
  const other = lead('b', 'New', 1)
  expect(columns({ New: [before, other], Won: [moved] })).toEqual({ New: [other], Won: [moved] })
})

test('a deal that has moved since its column was read stands on top of the one it is in by now', () => {
  const [moved, other, there] = [lead('a', 'Won', 2), lead('b', 'New', 1), lead('c', 'Won', 1)]
  expect(columns({ New: [moved, other], Won: [there] })).toEqual({ New: [other], Won: [moved, there] })
})

test('a deal that stands on two pages of a column stands there once', () => {
  const [first, again] = [lead('a', 'New', 1), lead('a', 'New', 1)]
  expect(columns({ New: [first, again] })).toEqual({ New: [first] })
})

test('a deal in a stage that is no longer there stands nowhere', () => {
  expect(columns({ New: [lead('a', 'Gone', 1)] })).toEqual({ New: [] })
})

test('a deal that has left its column and has not come into the other stays where it stood, until that is read', () => {
  const moved = lead('a', 'Won', 2)
  const before = { New: [], Won: [moved] }
  expect(columns({ New: [], Won: [] }, before, ['Won'])).toEqual(before)
  expect(columns({ New: [], Won: [] }, before, ['New'])).toEqual({ New: [], Won: [] })
})
