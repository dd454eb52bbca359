import { expect, test } from 'vitest'
import { holds } from '#domains/enrolments/values.ts'
import { toQuery } from '../../ui/record-list/search.ts'
import { enrolmentsQuery, sequenceSearch, sequencesSearch, sequencesShape } from './search.ts'

const id = 'a'.repeat(24)

test('only what the API understands of a URL gets through', () => {
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
  expect(toQuery(sequencesShape, sequencesSearch({ status: 'ACTIVE', q: 'autumn' }))).toEqual({
    sort: '-updated_at',
    status: ['ACTIVE'],
    q: 'autumn',
  })
  const { tab, enrolment, ...filters } = sequenceSearch({
    tab: 'leads',
    reached: ['opened', 'replied'],
    step_index: 0,
    active: false,
    enrolment: id,
  })
  expect({ tab, enrolment }).toEqual({ tab: 'leads', enrolment: id })
  expect(enrolmentsQuery(filters)).toEqual({
    reached: ['opened', 'replied'],
    step_index: ['0'],
    active: ['false'],
  })
  expect(enrolmentsQuery({ held: ['review'] })).toEqual({ held: ['review'] })
  expect(enrolmentsQuery({ held: ['any'] })).toEqual({ held: [...holds] })
})

test('each part keeps what belongs to it', () => {
  const all = { status: 'SENT', decision: 'sent', preview: 'true', lead: id, enrolment: id }
  expect(sequenceSearch({ tab: 'leads', ...all })).toEqual({ tab: 'leads', status: ['SENT'], enrolment: id })
  expect(sequenceSearch({ tab: 'activity', ...all })).toEqual({
    tab: 'activity',
    decision: ['sent'],
    enrolment: id,
  })
  expect(sequenceSearch({ tab: 'settings', ...all })).toEqual({ tab: 'settings' })
  expect(sequenceSearch(all)).toEqual({ preview: true, lead: id })
})
