import type { Account } from '#domains/accounts/contract.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { cacheKeys } from '../queries.ts'
import { dateInWords, dayAndTime } from '../ui/time.tsx'
import { known } from './cache.ts'
import { leadName } from './leads/fields.ts'
import { peopleNow } from './leads/people-now.ts'

/** A field's value as plain text. An id is shown as the name of its record. */
export function valueText(value: unknown, field: string): string {
  if (value === null || value === undefined || value === '') return 'Empty'
  const text = String(value)
  if (field === 'owner_id' || field === 'assignee_id') {
    const person = peopleNow().get(text)
    return person?.name || person?.email || 'Former member'
  }
  if (field === 'lead_id') {
    const lead = known<Lead>(text, [['leads'], cacheKeys.leadBoard])
    return lead ? leadName(lead) : 'Another lead'
  }
  if (field === 'account_id') return known<Account>(text, [cacheKeys.accounts])?.name ?? 'Another account'
  if (field.endsWith('_at')) return dayAndTime(text)
  if (field.endsWith('_date')) return dateInWords(text)
  return text
}
