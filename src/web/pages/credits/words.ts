import type { CreditEntry } from '#domains/credits/contract.ts'
import type { EntryKind, Plan, Purse } from '#domains/credits/values.ts'
import { dateInWords } from '../../ui/time.tsx'

export const kindWords: Record<EntryKind, string> = {
  grant: 'Granted',
  quota: 'Renewed',
  purchase: 'Purchased',
  use: 'Used',
  refund: 'Refunded',
  expiry: 'Expired',
}

export const purseWords: Record<Purse, string> = {
  monthly: 'monthly credits',
  purchased: 'purchased credits',
}

export const planWords: Record<Plan, { label: string; tone: string }> = {
  ACTIVE: { label: 'Active', tone: 'green' },
  TRIAL: { label: 'Trial', tone: 'blue' },
  EXPIRED: { label: 'Trial ended', tone: 'red' },
}

const ID = /^[0-9a-f]{24}$/

/** The invoice that paid for it, if any. */
export function invoiceOf({ kind, reference }: CreditEntry): string | undefined {
  return kind === 'purchase' && ID.test(reference) ? reference : undefined
}

/** What an entry is about; may be empty. */
export function aboutInWords({ kind, reference, note }: CreditEntry): string {
  if (note) return note
  if (kind === 'quota') return `Month starting ${dateInWords(reference)}`
  if (kind === 'expiry') return 'Unused credits of the previous month'
  return kind === 'purchase' && ID.test(reference) ? 'Invoice' : ''
}
