import { expect, test } from 'vitest'
import type { BillingSettings } from '#domains/invoices/contract.ts'
import { changeOf, faultsOf, fieldsOf } from './billing-fields.ts'

const settings: BillingSettings = {
  // The database gives the names of a record back in an order of its own.
  seller: { tax_id: null, name: 'Example Ltd', email: null, address: 'Main street 1' },
  bank: null,
  currency: 'EUR',
  tax_percent: '0',
  number_prefix: 'INV-',
  next_number: 7,
  due_days: 14,
  reminder_days: [3, 7],
  note: null,
  updated_at: '2026-05-01T00:00:00.000Z',
}
const fields = fieldsOf(settings)

test('what nobody changed is no change, and of the rest only what differs', () => {
  expect(changeOf(settings, fields)).toBeUndefined()
  expect(changeOf(settings, { ...fields, reminder_days: ' 3;7 ' })).toBeUndefined()
  expect(changeOf(settings, { ...fields, due_days: '0', note: ' Thanks ' })).toEqual({
    due_days: 0,
    note: 'Thanks',
  })
  expect(changeOf(settings, { ...fields, reminder_days: '' })).toEqual({ reminder_days: [] })
})

test('a party is changed as a whole', () => {
  expect(changeOf(settings, { ...fields, tax_id: 'DE1' })).toEqual({
    seller: { name: 'Example Ltd', email: null, address: 'Main street 1', tax_id: 'DE1' },
  })
})

test.each([
  ['next_number', '0'],
  ['next_number', '1000000000'],
  ['due_days', '366'],
  ['due_days', 'soon'],
  ['reminder_days', '1, 2, 3, 4, 5, 6'],
  ['reminder_days', '0'],
])('%s cannot be %s', (name, typed) => {
  expect(faultsOf({ ...fields, [name]: typed }).map(({ path }) => path)).toEqual([name])
})

test('at their edges numbers are taken', () => {
  const edges = { next_number: '999999999', due_days: '365', reminder_days: '1 2 3 4 365' }
  expect(faultsOf({ ...fields, ...edges })).toEqual([])
})
