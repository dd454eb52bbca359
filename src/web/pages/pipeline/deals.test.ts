import { expect, test } from 'vitest'
import type { Lead } from '#domains/leads/contract.ts'
import { dealOfLead, latestOf } from './deals.ts'

const lead = (id: string, pipeline_stage: string, minute: number) =>
  dealOfLead({ id, pipeline_stage, updated_at: `2026-03-02T09:0${minute}:00.000Z` } as Lead)

test('a deal that two columns hold for a moment stands where it was seen last', () => {
  const before = lead('a', 'New', 1)
  const moved = lead('a', 'Won', 2)
  const other = lead('b', 'New', 1)
  expect([...latestOf([before, other, moved])]).toEqual([moved, other])
  expect([...latestOf([moved, before, other])]).toEqual([moved, other])
})

test('a deal that stands on two pages of a column stands there once', () => {
  const [first, again] = [lead('a', 'New', 1), lead('a', 'New', 1)]
  const latest = latestOf([first, again])
  expect([first, again].map(deal => latest.has(deal))).toEqual([true, false])
})
