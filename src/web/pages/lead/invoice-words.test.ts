import { expect, test } from 'vitest'
import { isTold, recordWords } from './record-words.ts'

const told = (type: string, data: Record<string, unknown> = {}) => ({
  type,
  subject: { kind: 'invoice', id: 'x1' },
  data,
})
const words = (type: string, data?: Record<string, unknown>) => recordWords(told(type, data))
const record = { kind: 'invoice', id: 'x1', name: 'INV-0001' }

test('an invoice is told by its number, with the way to it', () => {
  expect(words('invoice.opened', { number: 'INV-0001', amount: '119', currency: 'EUR' })).toEqual({
    before: 'finalized the invoice',
    record,
    after: 'for €119.00',
  })
  expect(words('invoice.paid', { number: 'INV-0001' })).toEqual({
    before: 'marked',
    record,
    after: 'as paid',
  })
  expect(words('invoice.created', { invoice: {} })?.record?.name).toBe('a draft invoice')
})

test('a payment tells what came, and whether somebody must decide', () => {
  const data = { number: 'INV-0001', currency: 'EUR', received: '20' }
  expect(words('invoice.payment', { ...data, issue: null })).toEqual({
    before: 'recorded €20.00 for',
    record,
  })
  expect(words('invoice.payment', { ...data, issue: 'underpaid' })?.after).toBe('(to resolve)')
})

test('what only the draft or the bank changed is not told', () => {
  const changed = (after: object) => isTold(told('invoice.changed', { after, name: 'INV-0001' }))
  expect(changed({ bank_ref: 'BANK-1' })).toBe(false)
  expect(changed({ lines: [], amount: '5', due_at: null })).toBe(false)
  expect(changed({ sent_at: '2026-05-01T00:00:00Z' })).toBe(true)
  expect(changed({ due_at: '2026-05-01T00:00:00Z' })).toBe(true)
})
