import { expect, test } from 'vitest'
import { enrolmentFilters, sequenceSearch, sequencesQuery, sequencesSearch } from './search.ts'

const id = 'a'.repeat(24)

test('of whatever stands in the URL, only what the API understands gets through', () => {
  expect(sequencesSearch({ status: 'GONE', sort: 'rows', trashed: 'yes', q: '' })).toEqual({})
  expect(sequencesSearch({ q: 'x'.repeat(300) }).q).toHaveLength(200)
  const hostile = {
    status: ['x'],
    held: {},
    reached: 'moon',
    step_index: '50',
    active: 'maybe',
    enrolment: '../',
  }
  expect(sequenceSearch({ tab: 'leads', ...hostile })).toEqual({ tab: 'leads' })
  expect(sequenceSearch({ tab: 'elsewhere', decision: 'sent', lead: id })).toEqual({})
  expect(sequenceSearch({ preview: 'true', lead: `${id}'` })).toEqual({ preview: true })
})

test('a question in the URL is the question the API is asked', () => {
  expect(sequencesQuery(sequencesSearch({ status: 'ACTIVE', q: 'autumn' }))).toEqual({
    sort: '-updated_at',
    status: ['ACTIVE'],
    q: 'autumn',
  })
  const search = sequenceSearch({
    tab: 'leads',
    reached: 'opened',
    step_index: '0',
    active: 'false',
    enrolment: id,
  })
  expect(enrolmentFilters(search)).toEqual({ reached: ['opened'], step_index: 0, active: false })
})

test('each part keeps what belongs to it', () => {
  const all = { status: 'SENT', decision: 'sent', preview: 'true', lead: id, enrolment: id }
  expect(sequenceSearch({ tab: 'leads', ...all })).toEqual({ tab: 'leads', status: 'SENT', enrolment: id })
  expect(sequenceSearch({ tab: 'activity', ...all })).toEqual({
    tab: 'activity',
    decision: 'sent',
    enrolment: id,
  })
  expect(sequenceSearch({ tab: 'settings', ...all })).toEqual({ tab: 'settings' })
  expect(sequenceSearch(all)).toEqual({ preview: true, lead: id })
})
