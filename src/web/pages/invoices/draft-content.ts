import { lineTotals, moneyText, totalsOf } from '#domains/invoices/amounts.ts'
import type { Invoice, InvoiceChange, InvoiceLine } from '#domains/invoices/contract.ts'
import { LEADGEN_CREDITS_MAX } from '#domains/invoices/values.ts'
import { readPercent, readPrice, readQuantity } from '../../ui/decimal.ts'

/** A line as it is typed, which may not be a number yet. */
export type DraftLine = {
  /** Only for this page: keeps a line in place while others are added and removed. */
  key: string
  description: string
  quantity: string
  unit_price: string
  tax_percent: string
}

export type DraftContent = Pick<
  Invoice,
  'lead_id' | 'account_id' | 'opportunity_id' | 'currency' | 'due_at'
> & {
  customer: Record<'name' | 'email' | 'address' | 'tax_id', string>
  lines: DraftLine[]
  leadgen_credits: string
  note: string
}

export type DraftProblem = { place: string; words: string }
export type Content = Required<Omit<InvoiceChange, 'lines'>> & { lines: InvoiceLine[] }

const EMAIL = /^[^\s@<>,;]+@[^\s@<>,;]+\.[^\s@<>,;]+$/

let made = 0

export function newLine(tax_percent = '0'): DraftLine {
  return { key: `line-${++made}`, description: '', quantity: '1', unit_price: '', tax_percent }
}

/** `before`: lines that stay in place keep their keys, so that the current field keeps its focus. */
export function draftFrom(invoice: Content, before: readonly DraftLine[] = []): DraftContent {
  const { customer, lines, leadgen_credits, note } = invoice
  const { lead_id, account_id, opportunity_id, currency, due_at } = invoice
  return {
    lead_id,
    account_id,
    opportunity_id,
    currency,
    due_at,
    customer: {
      name: customer.name ?? '',
      email: customer.email ?? '',
      address: customer.address ?? '',
      tax_id: customer.tax_id ?? '',
    },
    lines: lines.map((line, at) => ({ ...line, key: before[at]?.key ?? newLine().key })),
    leadgen_credits: leadgen_credits ? String(leadgen_credits) : '',
    note: note ?? '',
  }
}

/** As the API expects it, without values that cannot be read; a draft with such values is not saved. */
export function contentOf(draft: DraftContent): Content {
  const { customer, lines, leadgen_credits, note, ...rest } = draft
  return {
    ...rest,
    customer: {
      name: customer.name.trim() || null,
      email: customer.email.trim() || null,
      address: customer.address.trim() || null,
      tax_id: customer.tax_id.trim() || null,
    },
    lines: lines.filter(line => !isBlank(line)).flatMap(line => readLine(line) ?? []),
    leadgen_credits: readCredits(leadgen_credits) ?? 0,
    note: note.trim() || null,
  }
}

/** What must be fixed before it can be saved, by field. */
export function problemsOf({ customer, lines, leadgen_credits }: DraftContent): DraftProblem[] {
  const problems: DraftProblem[] = []
  const tell = (place: string, words: string) => problems.push({ place, words })
  if (customer.email.trim() && !EMAIL.test(customer.email.trim()))
    tell('email', 'Enter a valid email address')
  for (const line of lines.filter(line => !isBlank(line))) {
    if (!line.description.trim()) tell(`${line.key} description`, 'Enter a description')
    if (readQuantity(line.quantity) === undefined) tell(`${line.key} quantity`, 'Enter a number, like 2.5')
    if (readPrice(line.unit_price) === undefined)
      tell(`${line.key} unit_price`, 'Enter an amount, like 1,250.50')
    if (readPercent(line.tax_percent) === undefined) tell(`${line.key} tax_percent`, 'From 0 to 100')
  }
  if (lines.every(isBlank)) tell('lines', 'Add at least one line item')
  if (readCredits(leadgen_credits) === undefined) tell('leadgen_credits', 'Enter a whole number')
  return problems
}

/** The amount of a line before tax; undefined while it cannot be read. */
export function lineAmount(line: DraftLine, currency: string): string | undefined {
  const read = readNumbers(line)
  return read && moneyText(lineTotals(read, currency).net, currency)
}

/** Adds up by the rules of the server. */
export function sumsOf({ lines, currency }: Pick<DraftContent, 'lines' | 'currency'>) {
  const { subtotal, tax, amount } = totalsOf(
    lines.flatMap(line => readNumbers(line) ?? []),
    currency,
  )
  return {
    subtotal: moneyText(subtotal, currency),
    tax: moneyText(tax, currency),
    amount: moneyText(amount, currency),
  }
}

/** An empty line does not count. */
function isBlank({ description, unit_price }: DraftLine): boolean {
  return description.trim() === '' && unit_price.trim() === ''
}

function readLine(line: DraftLine): InvoiceLine | undefined {
  const numbers = readNumbers(line)
  const description = line.description.trim()
  return numbers && description ? { description, ...numbers } : undefined
}

function readNumbers(line: DraftLine): Omit<InvoiceLine, 'description'> | undefined {
  const quantity = readQuantity(line.quantity)
  const unit_price = readPrice(line.unit_price)
  const tax_percent = readPercent(line.tax_percent)
  if (quantity === undefined || unit_price === undefined || tax_percent === undefined) return undefined
  return { quantity, unit_price, tax_percent }
}

function readCredits(typed: string): number | undefined {
  const text = typed.replaceAll(/[\s,.']/g, '')
  if (text === '') return 0
  return /^\d{1,7}$/.test(text) && Number(text) <= LEADGEN_CREDITS_MAX ? Number(text) : undefined
}
