import { describe, expect, test } from 'vitest'
import {
  clearedFilters,
  filterQuery,
  filtersOf,
  filterText,
  fromFilterText,
  isFiltered,
  isIdOrNone,
  isOneOf,
  isText,
  searchOf,
  toQuery,
  type FilterShape,
  type SearchShape,
} from './search.ts'
import { directionOf, sortedBy } from './sorting.ts'

const shape: SearchShape = {
  sorts: ['name', 'created_at'],
  defaultSort: 'name',
  lists: { owner_id: isIdOrNone, industry: isText },
  days: ['close_after', 'close_before'],
}
const id = 'a'.repeat(24)

describe('what the URL of a list holds', () => {
  test('only what the API understands gets through', () => {
    const raw = {
      view: 'x',
      sort: '-password',
      owner_id: ['none', id, "'; drop"],
      industry: '',
      close_after: 'soon',
      close_before: '2026-05-12',
      trashed: 'yes',
      anything: 'else',
    }
    expect(searchOf(shape, raw)).toEqual({ owner_id: ['none', id], close_before: '2026-05-12' })
  })

  test('what holds or does not is kept where it holds', () => {
    const flagged = { ...shape, flags: ['overdue', 'issue'] }
    const search = searchOf(flagged, { overdue: 'true', issue: 'false' })
    expect(search).toEqual({ overdue: true })
    expect(filterText(search)).toBe('overdue=true')
    expect(fromFilterText(flagged, 'overdue=true')).toEqual(search)
    expect(isFiltered(search)).toBe(true)
    expect(searchOf(shape, { overdue: 'true' })).toEqual({})
  })

  test('the same filters have the same text, whatever their order and the view they are in', () => {
    const one = searchOf(shape, { sort: '-name', owner_id: 'none', q: 'acme', view: id })
    const other = searchOf(shape, { q: 'acme', owner_id: ['none', 'none'], sort: '-name' })
    expect(filterText(one)).toBe(filterText(other))
    expect(fromFilterText(shape, filterText(one))).toEqual(other)
    expect(filterText(searchOf(shape, { sort: 'name' }))).toBe('')
  })

  test('days become days of the calendar, and the last one is included', () => {
    const query = toQuery<Record<string, unknown>>(shape, {
      close_after: '2026-02-27',
      close_before: '2026-02-28',
    })
    expect(query).toEqual({ sort: 'name', close_after: '2026-02-27', close_before: '2026-03-01' })
  })

  test('days can be counted from today', () => {
    const { close_after, close_before } = toQuery<Record<string, string>>(shape, {
      close_after: '-1d',
      close_before: '6d',
    })
    expect(Date.parse(close_before!) - Date.parse(close_after!)).toBe(8 * 86_400_000)
  })

  test('clearing the filters leaves the view, the order and the trash', () => {
    const search = searchOf(shape, { view: id, q: 'acme', sort: '-name', trashed: 'true', industry: 'Steel' })
    expect(isFiltered(search)).toBe(true)
    expect(clearedFilters(search)).toEqual({ view: id, sort: '-name', trashed: true })
    expect(isFiltered(clearedFilters(search))).toBe(false)
  })
})

describe('what the URL of a log holds', () => {
  const log: FilterShape = {
    lists: { status: isOneOf(['SENT', 'FAILED']), lead_id: isIdOrNone },
    singles: ['lead_id'],
    period: true,
  }

  test('it has neither views, order nor trash, and text only where it can be searched', () => {
    const raw = { view: id, q: 'acme', sort: 'name', trashed: 'true', status: ['SENT', 'GONE'] }
    expect(filtersOf(log, raw)).toEqual({ status: ['SENT'] })
    expect(filtersOf({ ...log, searchable: true }, raw)).toEqual({ q: 'acme', status: ['SENT'] })
  })

  test('of a filter with one value the first counts', () => {
    expect(filtersOf(log, { lead_id: [id, 'none'] })).toEqual({ lead_id: [id] })
  })

  test('days that no calendar has do not get through', () => {
    expect(filtersOf(log, { from: '2026-13-45', until: '0002-01-01' })).toEqual({})
    expect(filtersOf(log, { from: '-7d', until: '2026-05-12' })).toEqual({ from: '-7d', until: '2026-05-12' })
  })

  test('a period becomes instants, and the last day is included', () => {
    const day = filterQuery<Record<string, string>>(log, { from: '2026-05-12', until: '2026-05-12' })
    expect(Date.parse(day.until!) - Date.parse(day.from!)).toBe(86_400_000)
    const today = filterQuery<Record<string, string>>(log, { from: '0d', until: '0d', lead_id: ['none'] })
    expect(Date.parse(today.from!)).toBe(new Date().setHours(0, 0, 0, 0))
    expect(today.lead_id).toEqual(['none'])
  })
})

describe('sorting by the head of a column', () => {
  test('goes up, down and back; the usual order does not stand in the URL', () => {
    const name = { sort: 'name' }
    expect(directionOf(name, {}, shape)).toBe('ascending')
    const down = sortedBy(name, {}, shape)
    expect(down).toEqual({ sort: '-name' })
    expect(sortedBy(name, down, shape)).toEqual({})
  })

  test('times begin with the newest', () => {
    const created = { sort: 'created_at', falling: true }
    const newest = sortedBy(created, { q: 'x' }, shape)
    expect(newest).toEqual({ q: 'x', sort: '-created_at' })
    expect(directionOf(created, newest, shape)).toBe('descending')
    expect(sortedBy(created, sortedBy(created, newest, shape), shape)).toEqual({ q: 'x' })
  })

  test('a column that has no order of its own leaves the list as it is', () => {
    expect(sortedBy({}, { q: 'x' }, shape)).toEqual({ q: 'x' })
  })
})
