import type { CreditEntry } from '#domains/credits/contract.ts'
import type { EntryKind, Plan, Purse } from '#domains/credits/values.ts'
import { dateInWords } from '../../ui/time.tsx'

export const kindWords: Record<EntryKind, string> = {
  grant: 'Given',
  quota: 'New month',
  purchase: 'Bought',
  use: 'Used',
  refund: 'Given back',
  expiry: 'Expired',
}

export const purseWords: Record<Purse, string> = { monthly: 'of the month', purchased: 'of those kept' }

export const planWords: Record<Plan, { label: string; tone: string }> = {
  ACTIVE: { label: 'Active', tone: 'green' },
  TRIAL: { label: 'Trial', tone: 'blue' },
  EXPIRED: { label: 'Trial is over', tone: 'red' },
}

const ID = /^[0-9a-f]{24}$/

/** The invoice that paid for it, where there is one. */
export function invoiceOf({ kind, reference }: CreditEntry): string | undefined {
  return kind === 'purchase' && ID.test(reference) ? reference : undefined
}

/** What an entry is about, as far as there is anything to say. */
export function aboutInWords({ kind, reference, note }: CreditEntry): string {
  if (note) return note
  if (kind === 'quota') return `The month from ${dateInWords(reference)}`
  if (kind === 'expiry') return 'What was left of the month before'
  return kind === 'purchase' && ID.test(reference) ? 'Invoice' : ''
}
