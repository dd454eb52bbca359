import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { currencyDigits, lineTotals, moneyText, totalsOf, unitsOf } from './amounts.ts'
import { decided, dueOf, received, statusBy, sumsOf, type Standing } from './model.ts'
import { paymentIssues, resolutions } from './values.ts'

const line = (quantity: string, unit_price: string, tax_percent = '0') => ({
  description: 'Work',
  quantity,
  unit_price,
  tax_percent,
})
const currency = fc.constantFrom('EUR', 'USD', 'JPY', 'KWD')
const decimal = (wholeMax: number, digitsMax: number) =>
  fc
    .tuple(
      fc.nat(wholeMax),
      fc
        .integer({ min: 0, max: digitsMax })
        .chain(n => fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: n, maxLength: n })),
    )
    .map(([whole, fraction]) => (fraction ? `${whole}.${fraction}` : String(whole)))
const percent = fc.oneof(fc.constant('100'), decimal(99, 2))
const lines = fc.array(
  fc.record({ quantity: decimal(999_999_999, 4), unit_price: decimal(1_000_000, 4), tax_percent: percent }),
  { minLength: 1, maxLength: 20 },
)

describe('sums are exact', () => {
  test.for([
    ['1', '0.005', '0', 'EUR', '0.01', '0.00'],
    ['1', '0.0049', '0', 'EUR', '0.00', '0.00'],
    ['3', '33.3333', '19', 'EUR', '100.00', '19.00'],
    ['0.5', '0.01', '0', 'EUR', '0.01', '0.00'],
    ['1', '0.1', '0', 'JPY', '0', '0'],
    ['5', '99.5', '10', 'JPY', '498', '50'],
    ['1', '1.2345', '7.5', 'KWD', '1.235', '0.093'],
    // As floating point this is 1.00, for 1.005 is a little less than it says.
    ['1', '1.005', '0', 'EUR', '1.01', '0.00'],
    ['999999999.9999', '1', '0', 'EUR', '1000000000.00', '0.00'],
  ] as const)('%s × %s + %s%% in %s is %s and %s of tax', ([quantity, price, tax, currency, net, taxes]) => {
    const totals = lineTotals(line(quantity, price, tax), currency)
    expect([moneyText(totals.net, currency), moneyText(totals.tax, currency)]).toEqual([net, taxes])
  })

  test('what is written is read as the same', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 19n - 1n }), currency, (units, currency) => {
        const text = moneyText(units, currency)
        expect(unitsOf(text)).toBe(units)
        expect(text).toMatch(/^(?:0|[1-9]\d{0,14})(?:\.\d{1,4})?$/)
      }),
    )
  })

  test('no line is further from the truth than half of the smallest coin', () => {
    fc.assert(
      fc.property(lines, currency, (lines, currency) => {
        for (const { quantity, unit_price, tax_percent } of lines) {
          const { net, tax } = lineTotals({ quantity, unit_price, tax_percent }, currency)
          const coin = 10n ** BigInt(4 - currencyDigits(currency))
          expect(net % coin).toBe(0n)
          expect(tax % coin).toBe(0n)
          const exact = unitsOf(quantity) * unitsOf(unit_price)
          expect(within(net * 10_000n, exact, coin * 10_000n)).toBe(true)
          expect(within(tax * 1_000_000n, net * unitsOf(tax_percent), coin * 1_000_000n)).toBe(true)
        }
      }),
    )
  })

  test('the total is the sum of what the lines say, in whatever order', () => {
    fc.assert(
      fc.property(lines, currency, (lines, currency) => {
        const { subtotal, tax, amount } = totalsOf(lines, currency)
        const each = lines.map(line => lineTotals(line, currency))
        expect(subtotal).toBe(each.reduce((sum, { net }) => sum + net, 0n))
        expect(amount).toBe(subtotal + tax)
        expect(totalsOf(lines.toReversed(), currency)).toEqual({ subtotal, tax, amount })
      }),
    )
  })

  test('as much can be billed as an amount can say, and not a cent more', () => {
    expect(sumsOf([line('1', '999999999999999.99')], 'EUR').amount).toBe('999999999999999.99')
    expect(() => sumsOf([line('1', '999999999999999.99'), line('1', '0.01')], 'EUR')).toThrow(
      'more than can be',
    )
    expect(() => sumsOf([line('999999999', '999999999999999')], 'EUR')).toThrow('more than can be')
  })
})

const open: Standing = {
  status: 'OPEN',
  currency: 'EUR',
  amount: '100.00',
  paid: '0',
  written_off: '0',
  due_at: '2026-03-10T00:00:00.000Z',
}
const money = (amount: string, more: object = {}) => ({
  method: 'provider' as const,
  amount,
  currency: 'EUR',
  received_at: '2026-03-10T00:00:00.000Z',
  ...more,
})

describe('a payment', () => {
  test.for([
    ['exactly what is due', open, money('100'), '100.00', null],
    ['at the last moment', open, money('100'), '100.00', null],
    ['a millisecond late', open, money('100', { received_at: '2026-03-10T00:00:00.001Z' }), '100.00', 'late'],
    [
      'of an invoice that is never due',
      { ...open, due_at: null },
      money('100', { received_at: '2999-01-01T00:00:00Z' }),
      '100.00',
      null,
    ],
    ['too little', open, money('99.9999'), '99.9999', 'underpaid'],
    ['too much', open, money('100.0001'), '100.00', 'overpaid'],
    ['the rest', { ...open, status: 'PARTIALLY_PAID', paid: '60' }, money('40'), '40.00', null],
    [
      'more than the rest',
      { ...open, status: 'PARTIALLY_PAID', paid: '60' },
      money('41'),
      '40.00',
      'overpaid',
    ],
    ['for a paid one', { ...open, status: 'PAID', paid: '100' }, money('100'), '0.00', 'overpaid'],
    ['for a void one', { ...open, status: 'VOID' }, money('100'), '0.00', 'void'],
    ['in another currency', open, money('100', { currency: 'USD' }), '0.00', 'wrong_currency'],
    [
      'by credit is never late',
      open,
      money('100', { method: 'credit', received_at: '2026-04-01T00:00:00Z' }),
      '100.00',
      null,
    ],
  ] as const)('%s', ([, invoice, payment, applied, issue]) => {
    const outcome = received(invoice, payment)
    expect([moneyText(outcome.applied, 'EUR'), outcome.issue]).toEqual([applied, issue])
  })

  test('for a draft is refused', () => {
    expect(() => received({ ...open, status: 'DRAFT' }, money('1'))).toThrow('draft')
  })

  test('never counts for more than it is, and an invoice never for more than its amount', () => {
    const amounts = fc.array(fc.bigInt({ min: 1n, max: 2_000_000n }), { maxLength: 8 })
    fc.assert(
      fc.property(amounts, fc.bigInt({ min: 1n, max: 3_000_000n }), (amounts, amount) => {
        let invoice: Standing = { ...open, amount: moneyText(amount, 'EUR') }
        let came = 0n
        for (const each of amounts) {
          const { applied } = received(invoice, money(moneyText(each, 'EUR')))
          expect(applied <= each).toBe(true)
          came += each
          const paid = moneyText(unitsOf(invoice.paid) + applied, 'EUR')
          invoice = { ...invoice, paid, status: statusBy({ ...invoice, paid }) }
          const counts = came < amount ? came : amount
          expect(unitsOf(invoice.paid)).toBe(counts)
          expect(invoice.status).toBe(came >= amount ? 'PAID' : 'PARTIALLY_PAID')
          expect(dueOf(invoice)).toBe(amount - counts)
        }
      }),
    )
  })
})

describe('a decision', () => {
  const partly: Standing = { ...open, status: 'PARTIALLY_PAID', paid: '60' }
  const allowed: Record<string, string[]> = {
    underpaid: ['accepted', 'refunded'],
    overpaid: ['accepted', 'refunded', 'credited'],
    late: ['accepted', 'refunded'],
    void: ['accepted', 'refunded', 'credited'],
    wrong_currency: ['accepted', 'refunded', 'credited'],
    reorged: ['accepted'],
  }

  test.for(paymentIssues.flatMap(issue => resolutions.map(resolution => [issue, resolution] as const)))(
    'about a payment that is %s: %s',
    ([issue, resolution]) => {
      const decide = () => decided(partly, { issue, resolution: null, applied: '60' }, resolution)
      if (!allowed[issue]!.includes(resolution)) return expect(decide).toThrow()
      const uncounts = resolution === 'refunded' && (issue === 'underpaid' || issue === 'late')
      expect(decide()).toEqual({
        applied: uncounts ? 0n : 600_000n,
        writtenOff: issue === 'underpaid' && resolution === 'accepted' ? 400_000n : 0n,
      })
    },
  )

  test('is made once, and only where there is something to decide', () => {
    expect(() => decided(partly, { issue: null, resolution: null, applied: '60' }, 'accepted')).toThrow(
      'no issue',
    )
    const done = { issue: 'underpaid', resolution: 'refunded', applied: '0' } as const
    expect(() => decided(partly, done, 'accepted')).toThrow('already')
  })
})

function within(value: bigint, exact: bigint, coin: bigint): boolean {
  const distance = value > exact ? value - exact : exact - value
  return 2n * distance <= coin
}
