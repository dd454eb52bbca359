export const invoiceStatuses = ['DRAFT', 'OPEN', 'PARTIALLY_PAID', 'PAID', 'VOID'] as const
export type InvoiceStatus = (typeof invoiceStatuses)[number]

/** Money may still come for these. */
export const unpaidStatuses = ['OPEN', 'PARTIALLY_PAID'] as const

/** Payment methods we can offer the customer; a person may record payments made in other ways. */
export const waysToPay = ['bank', 'chain'] as const
export type WayToPay = (typeof waysToPay)[number]

export const paymentMethods = ['provider', 'chain', 'manual', 'credit'] as const

/** What can be wrong with a payment; a person decides what becomes of it. */
export const paymentIssues = ['underpaid', 'overpaid', 'late', 'void', 'wrong_currency', 'reorged'] as const
export type PaymentIssue = (typeof paymentIssues)[number]

export const resolutions = ['accepted', 'refunded', 'credited'] as const
export type Resolution = (typeof resolutions)[number]

export const invoiceSorts = ['created_at', 'updated_at', 'number', 'due_at', 'amount'] as const

export const LINES_MAX = 100
export const REMINDERS_MAX = 5
export const DUE_DAYS_MAX = 365
export const LEADGEN_CREDITS_MAX = 1_000_000
export const DEFAULT_TAX_PERCENT = '0'
export const DEFAULT_DUE_DAYS = 14
export const DEFAULT_REMINDER_DAYS = [3, 7, 14]
export const DEFAULT_NUMBER_PREFIX = 'INV-'
/** So many digits a number has at least: INV-0001. */
export const NUMBER_DIGITS_MIN = 4
/** Where numbers end. */
export const NUMBER_MAX = 999_999_999

/** In groups of four, as IBANs and references are written: RF18 5390 0754 7034. */
export function inGroups(text: string): string {
  return text.replace(/.{4}(?=.)/g, '$& ')
}
