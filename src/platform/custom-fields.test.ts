import { expect, test } from 'vitest'
import { faultsInCustom, type CustomField } from './custom-fields.ts'
import { CUSTOM_FIELDS_MAX } from './values.ts'

const fields = Array.from(
  { length: CUSTOM_FIELDS_MAX },
  (_, at) => ({ key: `f${at}`, label: `Field ${at}`, kind: 'number' }) satisfies CustomField,
)
const values = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, at]))

test('a record has at most as many custom values as a team has fields', () => {
  expect(faultsInCustom(values(CUSTOM_FIELDS_MAX), fields)).toEqual([])
  expect(faultsInCustom(values(CUSTOM_FIELDS_MAX + 1), fields)).toEqual([
    { path: 'custom', message: `can have at most ${CUSTOM_FIELDS_MAX} fields` },
  ])
})

test('what is not a field, or not of its kind, is named', () => {
  expect(faultsInCustom({ f0: 'one', other: 1 }, fields)).toEqual([
    { path: 'custom.f0', message: 'must be a number' },
    { path: 'custom.other', message: 'is not a custom field of this team' },
  ])
})
