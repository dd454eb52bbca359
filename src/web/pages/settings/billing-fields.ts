import type { BankDetails, BillingSettings, BillingSettingsChange } from '#domains/invoices/contract.ts'
import { DUE_DAYS_MAX, inGroups, NUMBER_MAX, REMINDERS_MAX } from '#domains/invoices/values.ts'
import type { FieldFault } from '../../problem.ts'
import { readPercent } from '../../ui/decimal.ts'

/** The fields of the form, as typed. */
export type BillingFields = Record<
  | 'name'
  | 'email'
  | 'address'
  | 'tax_id'
  | 'account_holder'
  | 'iban'
  | 'bic'
  | 'bank_name'
  | 'currency'
  | 'tax_percent'
  | 'number_prefix'
  | 'next_number'
  | 'due_days'
  | 'reminder_days'
  | 'note',
  string
>

export function fieldsOf(settings: BillingSettings): BillingFields {
  const { seller, bank, currency, tax_percent, number_prefix, next_number, due_days, reminder_days, note } =
    settings
  return {
    name: seller.name ?? '',
    email: seller.email ?? '',
    address: seller.address ?? '',
    tax_id: seller.tax_id ?? '',
    account_holder: bank?.account_holder ?? '',
    iban: bank ? inGroups(bank.iban) : '',
    bic: bank?.bic ?? '',
    bank_name: bank?.bank_name ?? '',
    currency,
    tax_percent,
    number_prefix,
    next_number: String(next_number),
    due_days: String(due_days),
    reminder_days: reminder_days.join(', '),
    note: note ?? '',
  }
}

/** Missing values and invalid numbers, by field. */
export function faultsOf(fields: BillingFields): FieldFault[] {
  const faults: FieldFault[] = []
  const tell = (path: string, message: string) => faults.push({ path, message })
  if (!isWhole(fields.next_number, 1, NUMBER_MAX)) tell('next_number', 'must be a whole number from 1')
  if (!isWhole(fields.due_days, 0, DUE_DAYS_MAX))
    tell('due_days', `must be a whole number from 0 to ${DUE_DAYS_MAX}`)
  if (readPercent(fields.tax_percent) === undefined) tell('tax_percent', 'must be a number from 0 to 100')
  if (hasBank(fields)) {
    if (!fields.account_holder.trim()) tell('bank.account_holder', 'is required with an IBAN')
    if (!fields.iban.trim()) tell('bank.iban', 'is required for bank transfers')
  }
  const days = daysIn(fields.reminder_days)
  if (days.length > REMINDERS_MAX || !days.every(day => isWhole(day, 1, DUE_DAYS_MAX)))
    tell('reminder_days', `must be up to ${REMINDERS_MAX} days from 1 to ${DUE_DAYS_MAX}, such as 3, 7, 14`)
  return faults
}

export function changeOf(before: BillingSettings, fields: BillingFields): BillingSettingsChange | undefined {
  const after: BillingSettingsChange = {
    seller: {
      name: fields.name.trim() || null,
      email: fields.email.trim() || null,
      address: fields.address.trim() || null,
      tax_id: fields.tax_id.trim() || null,
    },
    bank: hasBank(fields)
      ? {
          account_holder: fields.account_holder.trim(),
          iban: closedUp(fields.iban),
          bic: closedUp(fields.bic) || null,
          bank_name: fields.bank_name.trim() || null,
        }
      : null,
    currency: fields.currency,
    tax_percent: readPercent(fields.tax_percent) ?? before.tax_percent,
    number_prefix: fields.number_prefix.trim(),
    next_number: Number(fields.next_number),
    due_days: Number(fields.due_days),
    reminder_days: daysIn(fields.reminder_days).map(Number),
    note: fields.note.trim() || null,
  }
  const was = changeless(before)
  const names = (Object.keys(after) as (keyof BillingSettingsChange)[]).filter(
    name => JSON.stringify(after[name]) !== JSON.stringify(was[name]),
  )
  return names.length > 0 ? Object.fromEntries(names.map(name => [name, after[name]])) : undefined
}

/** The same fields in the same order. */
function changeless({ seller, bank, ...rest }: BillingSettings): BillingSettingsChange {
  const { name, email, address, tax_id } = seller
  return { ...rest, seller: { name, email, address, tax_id }, bank: bank && inOrder(bank) }
}

function inOrder({ account_holder, iban, bic, bank_name }: BankDetails): BankDetails {
  return { account_holder, iban, bic, bank_name }
}

function hasBank({ account_holder, iban, bic, bank_name }: BillingFields): boolean {
  return [account_holder, iban, bic, bank_name].some(typed => typed.trim() !== '')
}

function closedUp(typed: string): string {
  return typed.replace(/\s+/g, '').toUpperCase()
}

function daysIn(typed: string): string[] {
  return typed.split(/[\s,;]+/).filter(Boolean)
}

function isWhole(typed: string, min: number, max: number): boolean {
  return /^\d{1,9}$/.test(typed.trim()) && Number(typed) >= min && Number(typed) <= max
}
