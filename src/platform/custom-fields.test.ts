import { expect, test } from 'vitest'
import { Custom, faultsInCustom, type CustomField } from './custom-fields.ts'
import { t } from './contract.ts'
import { schemaCheck } from './schema-check.ts'
import { CUSTOM_FIELDS_MAX } from './values.ts'

const values = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, at]))

test('a record has at most as many custom values as a team has fields', () => {
  const faultsOf = schemaCheck(t.Object({ custom: t.Optional(Custom) }))
  expect(faultsOf({})).toEqual([])
  expect(faultsOf({ custom: values(CUSTOM_FIELDS_MAX) })).toEqual([])
  for (const many of [CUSTOM_FIELDS_MAX + 1, 80_000])
    expect(faultsOf({ custom: values(many) })).toEqual([
      { path: 'custom', message: `can have at most ${CUSTOM_FIELDS_MAX} entries` },
    ])
})

test('what is not a field, or not of its kind, is named', () => {
  const fields: CustomField[] = [{ key: 'seats', label: 'Seats', kind: 'number' }]
  expect(faultsInCustom({ seats: 'one', other: 1 }, fields)).toEqual([
    { path: 'custom.seats', message: 'must be a number' },
    { path: 'custom.other', message: 'is not a custom field of this team' },
  ])
})
