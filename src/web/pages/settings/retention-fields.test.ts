import { expect, test } from 'vitest'
import type { Retention } from '#domains/retention/contract.ts'
import { RETENTION_DAYS_MAX, retentionKinds, retentionRules } from '#domains/retention/values.ts'
import { changeOf, daysOf, faultsOf, fieldsOf } from './retention-fields.ts'

const defaults = {
  ...Object.fromEntries(retentionKinds.map(kind => [kind, retentionRules[kind].days])),
  updated_at: '2026-03-02T09:00:00.000Z',
} as Retention

test('fields show the days, and nothing where it is for ever', () => {
  expect(fieldsOf(defaults)).toMatchObject({ events: '', mails: '90' })
  expect(changeOf(defaults, fieldsOf(defaults))).toBeUndefined()
  expect(faultsOf(fieldsOf(defaults))).toEqual([])
})

test('only what was changed is sent', () => {
  const fields = { ...fieldsOf(defaults), events: ' 365 ', mails: '30' }
  expect(changeOf(defaults, fields)).toEqual({ events: 365, mails: 30 })
  expect(changeOf({ ...defaults, events: 365 }, fieldsOf(defaults))).toEqual({ events: null })
})

test('days have bounds, and only some kinds can be kept for ever', () => {
  const { daysMin } = retentionRules.events
  expect(daysOf('events', String(daysMin))).toBe(daysMin)
  expect(daysOf('events', String(RETENTION_DAYS_MAX))).toBe(RETENTION_DAYS_MAX)
  for (const wrong of [daysMin - 1, RETENTION_DAYS_MAX + 1, -1, 1.5, '9e1', 'a year'])
    expect(daysOf('events', String(wrong)), String(wrong)).toBeUndefined()
  expect(daysOf('events', '')).toBeNull()
  expect(daysOf('mails', '')).toBeUndefined()
  const faults = faultsOf({ ...fieldsOf(defaults), events: '1', mails: '' })
  expect(faults).toEqual([
    { path: 'events', message: 'must be a whole number from 90 to 3650, or empty' },
    { path: 'mails', message: 'must be a whole number from 7 to 3650' },
  ])
})
