import { expect, test } from 'vitest'
import { holds } from '#domains/enrolments/values.ts'
import { heldFilter, messagesFilter, outboxSearch, shownTab } from './search.ts'

const id = 'a'.repeat(24)

test('only what the API understands of a URL gets through', () => {
  const hostile = {
    show: 'gone',
    channel: 'pigeon',
    held: {},
    lead_id: '../',
    step_index: '-1',
    trashed: true,
  }
  expect(outboxSearch(hostile)).toEqual({})
  expect(outboxSearch({ channel: ['email', 'fax', 'sms'], q: 'ada@', message: id })).toEqual({
    channel: ['email', 'sms'],
    q: 'ada@',
    message: id,
  })
})

test('a step is of a sequence', () => {
  expect(outboxSearch({ step_index: 0 })).toEqual({})
  expect(outboxSearch({ step_index: 0, source_id: id })).toEqual({ step_index: ['0'], source_id: [id] })
})

test('a link may name a status, and a filter shows more than what is queued', () => {
  expect(shownTab(outboxSearch({}))).toBe('waiting')
  expect(shownTab(outboxSearch({ status: 'FAILED' }))).toBe('failed')
  expect(shownTab(outboxSearch({ lead_id: id }))).toBe('all')
  expect(shownTab(outboxSearch({ lead_id: id, show: 'sent' }))).toBe('sent')
})

test('the tab and the filters are asked for together; an outcome one chose goes before that of the tab', () => {
  const returned = outboxSearch({ show: 'returned', message: id, held: 'review' })
  expect(messagesFilter(returned)).toEqual({ outcome: ['bounced', 'complained'] })
  expect(messagesFilter({ ...returned, outcome: ['bounced'] })).toEqual({ outcome: ['bounced'] })
  expect(messagesFilter({ show: 'sent', q: '+49', source_id: [id] })).toEqual({
    status: ['SENT'],
    q: '+49',
    source_id: [id],
  })
})

test('held are those with any reason, with one, or all that are active', () => {
  expect(heldFilter({})).toEqual({ active: true, held: [...holds] })
  expect(heldFilter({ held: ['review'], source_id: [id] })).toEqual({
    active: true,
    held: ['review'],
    sequence_id: [id],
  })
  expect(heldFilter({ held: ['any'], lead_id: [id] })).toEqual({ active: true, lead_id: [id] })
})
