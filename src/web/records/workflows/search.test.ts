import { expect, test } from 'vitest'
import { runsFilters, runsSearch, workflowsFilters, workflowsSearch } from './search.ts'

const ID = '0123456789abcdef01234567'

test('of the URL of the list only what the API understands gets through', () => {
  const raw = { q: 'x'.repeat(300), status: 'ASLEEP', sort: 'colour', trashed: 'perhaps', more: 1 }
  expect(workflowsSearch(raw)).toEqual({ q: 'x'.repeat(200) })
  expect(
    workflowsFilters(workflowsSearch({ status: ['PAUSED', 'DRAFT'], sort: 'name', trashed: true })),
  ).toEqual({ sort: 'name', status: ['PAUSED'], trashed: true })
  expect(workflowsSearch({ sort: '-updated_at' })).toEqual({})
})

test('of the URL of the runs as well', () => {
  const raw = { status: 'FAILED', version: '3', lead: ID, from: '2026-05-12', until: '2026-05-12' }
  expect(runsSearch(raw)).toEqual({ ...raw, version: 3 })
  expect(runsSearch({ status: 'DEAD', version: '0', lead: 'ada', from: 'monday' })).toEqual({})
  expect(runsSearch({ version: '9'.repeat(30) })).toEqual({})
  expect(runsSearch({ tab: 'versions', status: 'FAILED' })).toEqual({ tab: 'versions' })
})

test('the last day is included', () => {
  const { from, until } = runsFilters({ from: '2026-05-12', until: '2026-05-12' })
  expect(Date.parse(until!) - Date.parse(from!)).toBe(86_400_000)
})
