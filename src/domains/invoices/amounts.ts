import type { InvoiceLine, Payment } from './contract.ts'

/** Money is counted in ten-thousandths: exact, and fine enough for every unit price. */
const DECIMALS = 4
const UNIT = 10_000n
const HUNDRED = 100n

/** Decimal text in ten-thousandths. What is finer is cut off: nobody is counted more than came. */
export function unitsOf(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole) * UNIT + BigInt(fraction.slice(0, DECIMALS).padEnd(DECIMALS, '0'))
}

/** As it is written: with the currency's own digits, and with more where they say something. */
export function moneyText(units: bigint, currency: string): string {
  const fraction = (units % UNIT).toString().padStart(DECIMALS, '0')
  const digits = Math.max(currencyDigits(currency), fraction.replace(/0+$/, '').length)
  const whole = (units / UNIT).toString()
  return digits === 0 ? whole : `${whole}.${fraction.slice(0, digits)}`
}

/** Cents have two digits, yen have none. */
export function currencyDigits(currency: string): number {
  let known = digitsOf.get(currency)
  if (known === undefined) {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency })
    digitsOf.set(currency, (known = Math.min(format.resolvedOptions().maximumFractionDigits ?? 2, DECIMALS)))
  }
  return known
}
const digitsOf = new Map<string, number>()

export type LineTotals = { net: bigint; tax: bigint; gross: bigint }

/** Each line is rounded on its own, half up, so that the printed amounts add up to the total. */
export function lineTotals(
  { quantity, unit_price, tax_percent }: Omit<InvoiceLine, 'description'>,
  currency: string,
): LineTotals {
  const step = 10n ** BigInt(DECIMALS - currencyDigits(currency))
  const net = rounded(unitsOf(quantity) * unitsOf(unit_price), UNIT * step) * step
  const tax = rounded(net * unitsOf(tax_percent), UNIT * HUNDRED * step) * step
  return { net, tax, gross: net + tax }
}

export function totalsOf(lines: readonly Omit<InvoiceLine, 'description'>[], currency: string) {
  let [subtotal, tax] = [0n, 0n]
  for (const line of lines) {
    const totals = lineTotals(line, currency)
    subtotal += totals.net
    tax += totals.tax
  }
  return { subtotal, tax, amount: subtotal + tax }
}

/** The part that exceeds what was applied: an overpayment, or a payment for nothing. */
export function excessOf({ amount, applied }: Pick<Payment, 'amount' | 'applied'>): bigint {
  return unitsOf(amount) - unitsOf(applied)
}

/** Half up; nothing here is less than nothing. */
function rounded(value: bigint, divisor: bigint): bigint {
  return (2n * value + divisor) / (2n * divisor)
}
