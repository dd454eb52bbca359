import { expect, test } from 'vitest'
import { toQuery } from '../../ui/record-list/search.ts'
import { runsQuery, runsSearch, workflowsSearch, workflowsShape } from './search.ts'

const ID = '0123456789abcdef01234567'

test('of the URL of the list only what the API understands gets through', () => {
  const raw = { q: 'x'.repeat(300), status: 'ASLEEP', sort: 'colour', trashed: 'perhaps', more: 1 }
  expect(workflowsSearch(raw)).toEqual({ q: 'x'.repeat(200) })
  const search = workflowsSearch({ status: ['PAUSED', 'DRAFT'], sort: 'name', trashed: true })
  expect(toQuery(workflowsShape, search)).toEqual({
    sort: 'name',
    status: ['PAUSED', 'DRAFT'],
    trashed: true,
  })
  expect(workflowsSearch({ sort: '-updated_at' })).toEqual({})
})

test('of the URL of the runs as well', () => {
  const days = { from: '2026-05-12', until: '-1d' }
  const raw = { status: 'FAILED', version: '3', lead: ID, ...days }
  const search = { status: ['FAILED'], version: ['3'], lead: [ID], ...days }
  expect(runsSearch(raw)).toEqual(search)
  expect(runsQuery(search)).toMatchObject({ status: ['FAILED'], version: ['3'], lead_id: ID })
  expect(runsSearch({ status: 'DEAD', version: '0', lead: 'ada', from: 'monday' })).toEqual({})
  expect(runsSearch({ version: '9'.repeat(30) })).toEqual({})
  expect(runsSearch({ tab: 'versions', status: 'FAILED' })).toEqual({ tab: 'versions' })
})

test('the last day is included', () => {
  const { from, until } = runsQuery({ from: '2026-05-12', until: '2026-05-12' })
  expect(Date.parse(until!) - Date.parse(from!)).toBe(86_400_000)
})
