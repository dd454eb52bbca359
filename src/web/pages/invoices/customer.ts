import { queryClient } from '../../query-client.ts'
import { leadName } from '../../records/leads/fields.ts'
import type { DraftContent } from './draft-content.ts'
import { leads } from '../../records/leads/store.ts'
import { accounts } from '../../records/accounts/store.ts'

/** Only the known fields of the picked lead and account: the others keep what was typed. */
export async function customerKnownOf({
  lead_id,
  account_id,
}: Pick<DraftContent, 'lead_id' | 'account_id'>): Promise<Partial<DraftContent['customer']>> {
  const [lead, account] = await Promise.all([
    lead_id ? queryClient.ensureQueryData(leads.query(lead_id)).catch(() => undefined) : undefined,
    account_id ? queryClient.ensureQueryData(accounts.query(account_id)).catch(() => undefined) : undefined,
  ])
  const name = account?.name ?? (lead && (lead.company || leadName(lead)))
  return { ...(name && { name }), ...(lead?.email && { email: lead.email }) }
}
