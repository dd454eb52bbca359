import { expect, test } from 'vitest'
import type { ConversationSettings } from '#domains/conversations/contract.ts'
import { changeOf, faultsOf, fieldsOf } from './answer-fields.ts'

const settings: ConversationSettings = {
  first_answer_min: null,
  escalate_after_min: null,
  next_answer_min: 60,
  timezone: 'UTC',
  hours: [{ day: 1, from: '09:00', until: '17:00' }],
  agent_id: null,
  agent_mode: 'off',
  creates_leads: false,
  agents_say_ai: true,
  updated_at: '2026-01-01T00:00:00.000Z',
}

test('nothing changes without an edit, and an edit sends only what changed', () => {
  const fields = fieldsOf(settings)
  expect(changeOf(settings, fields)).toBeUndefined()
  expect(changeOf(settings, { ...fields, first_answer_min: ' 30 ' })).toEqual({ first_answer_min: 30 })
  expect(changeOf(settings, { ...fields, next_answer_min: '' })).toEqual({ next_answer_min: null })
  const closed = fields.week.map(() => [])
  expect(changeOf(settings, { ...fields, week: closed })).toEqual({ hours: [] })
})

test('minutes and hours that the server would refuse are pointed out', () => {
  const fields = fieldsOf(settings)
  const wrong = (change: object) => faultsOf({ ...fields, ...change }).map(({ path }) => path)
  expect(wrong({})).toEqual([])
  expect(wrong({ first_answer_min: '0', next_answer_min: '1.5' })).toEqual([
    'first_answer_min',
    'next_answer_min',
  ])
  expect(wrong({ week: fields.week.with(2, [{ from: '10:00', until: '09:00' }]) })).toEqual(['week.2'])
})
