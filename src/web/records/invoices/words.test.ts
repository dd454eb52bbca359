import { expect, test } from 'vitest'
import { decisionsOn, dueInWords, excessInWords, issueInWords } from './words.ts'

const now = Date.parse('2026-05-12T10:00:00Z')
const open = { status: 'OPEN' as const }
const invoice = { amount: '119.00', due: '19.00', currency: 'EUR', lead_id: '1', account_id: null }

test.each([
  ['2026-05-12T23:59:59Z', 'due today'],
  ['2026-05-13T00:00:00Z', 'due tomorrow'],
  ['2026-05-17T08:00:00Z', 'due in 5 days'],
  ['2026-05-12T09:59:59Z', 'overdue since today'],
  ['2026-05-11T23:59:59Z', '1 day overdue'],
  ['2026-05-09T12:00:00Z', '3 days overdue'],
])('an open invoice due at %s is %s', (due_at, words) => {
  expect(dueInWords({ ...open, due_at }, now)).toBe(words)
})

test('what awaits no money is never overdue', () => {
  for (const status of ['DRAFT', 'PAID', 'VOID'] as const)
    expect(dueInWords({ status, due_at: '2026-01-01T00:00:00Z' }, now)).toBe('')
  expect(dueInWords({ ...open, due_at: null }, now)).toBe('')
})

test('what was too much is told exactly', () => {
  const payment = {
    issue: 'overpaid' as const,
    amount: '900000000000000.03',
    applied: '0.01',
    currency: 'EUR',
  }
  expect(excessInWords(payment)).toBe('€900,000,000,000,000.02')
  expect(issueInWords({ ...payment, amount: '150', applied: '119' }, invoice)).toBe('Overpaid by €31.00.')
})

test('only money that does not count can become credit, and only of a customer who is known', () => {
  type Issue = 'underpaid' | 'overpaid' | 'late' | 'void' | 'wrong_currency' | 'reorged'
  const offered = (issue: Issue, of = invoice) =>
    decisionsOn({ issue, amount: '100', applied: '0', currency: 'EUR' }, of).map(
      ({ resolution }) => resolution,
    )
  expect(offered('underpaid')).toEqual(['accepted', 'refunded'])
  expect(offered('overpaid')).toEqual(['credited', 'refunded', 'accepted'])
  expect(offered('late')).toEqual(['accepted', 'refunded'])
  expect(offered('void')).toContain('credited')
  expect(offered('wrong_currency')).toContain('credited')
  expect(offered('reorged')).toEqual(['accepted'])
  expect(offered('overpaid', { ...invoice, lead_id: null as never })).toEqual(['refunded', 'accepted'])
})
