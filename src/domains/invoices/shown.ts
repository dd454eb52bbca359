import type { BankDetails, InvoiceLine } from './contract.ts'
import { lineTotals, moneyText, unitsOf } from './amounts.ts'
import { inGroups } from './values.ts'

/** An amount as a person reads it, like EUR 1,250.50: by the name of the currency, which every font can write. */
export function shownMoney(amount: string, currency: string): string {
  const text = moneyText(unitsOf(amount), currency)
  const [, fraction = ''] = text.split('.')
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    currencyDisplay: 'code',
    minimumFractionDigits: fraction.length,
    maximumFractionDigits: fraction.length,
  })
  // As text, so that no amount is too large to be exact.
  return format.format(text as `${number}`).replace(/\s/g, ' ')
}

/** A day as a person reads it, the same everywhere in the world. */
export function shownDay(instant: string): string {
  return DAY.format(new Date(instant))
}
const DAY = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})

export type TaxGroup = { percent: string; net: string; tax: string }

/** What each rate comes to, the highest first. None where nothing is taxed. */
export function taxesByRate(lines: readonly InvoiceLine[], currency: string): TaxGroup[] {
  const groups = new Map<bigint, { net: bigint; tax: bigint }>()
  for (const line of lines) {
    const rate = unitsOf(line.tax_percent)
    const { net, tax } = lineTotals(line, currency)
    const before = groups.get(rate) ?? { net: 0n, tax: 0n }
    groups.set(rate, { net: before.net + net, tax: before.tax + tax })
  }
  if ([...groups.keys()].every(rate => rate === 0n)) return []
  return [...groups]
    .toSorted(([a], [b]) => (a < b ? 1 : -1))
    .map(([rate, { net, tax }]) => ({
      percent: plainNumber(moneyText(rate, 'XXX')),
      net: moneyText(net, currency),
      tax: moneyText(tax, currency),
    }))
}

/** What a line costs without tax. */
export function lineNet(line: InvoiceLine, currency: string): string {
  return moneyText(lineTotals(line, currency).net, currency)
}

/** Without zeros that say nothing: 19.00 is 19. */
export function plainNumber(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}

/** Bank details as printed on invoices and in emails. */
export function bankLines(bank: BankDetails): string[] {
  return bankFacts(bank).map(([name, value]) => `${name}: ${value}`)
}

export function bankFacts({
  account_holder,
  iban,
  bic,
  bank_name,
}: BankDetails): [name: string, value: string][] {
  const facts: [string, string | null][] = [
    ['Account holder', account_holder],
    ['IBAN', inGroups(iban)],
    ['BIC', bic],
    ['Bank', bank_name],
  ]
  return facts.filter((fact): fact is [string, string] => fact[1] !== null)
}
