import { sharedDomains } from '#domains/accounts/values.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { api } from '../../api.ts'
import { toastFault, toastWithUndo } from '../../ui/toast.ts'
import { leadName } from '../../records/leads/fields.ts'
import { leads } from '../../records/leads/store.ts'
import { accounts } from '../../records/accounts/store.ts'

/** The domain of the lead's company, from its email or website, unless it is a shared one such as gmail.com. */
export function domainOf({ email, website }: Pick<Lead, 'email' | 'website'>): string | undefined {
  const hosts = [
    email?.split('@')[1],
    website && URL.canParse(website) ? new URL(website).hostname : undefined,
  ]
  return hosts
    .map(host => host?.toLowerCase().replace(/^www\./, ''))
    .find(host => host && host.includes('.') && /[a-z]/.test(host) && !sharedDomains.has(host))
}

/** Creates an account for the lead's company and links the two. Undo reverts both. */
export async function linkNewAccount(lead: Lead): Promise<void> {
  const domain = domainOf(lead)
  const name = lead.company || domain
  if (!name) return
  try {
    const account = await api('POST /api/crm/accounts', {
      body: { name, ...(domain && { domain }), ...(lead.website && { website: lead.website }) },
    })
    void accounts.refresh()
    if (!(await leads.change(lead.id, { account_id: account.id }, null))) return
    toastWithUndo(`Created ${account.name} and linked ${leadName(lead)}`, async () => {
      await leads.change(lead.id, { account_id: lead.account_id }, null)
      await api('DELETE /api/crm/accounts/:id', { params: { id: account.id } })
      void accounts.refresh()
    })
  } catch (error) {
    toastFault(error, "Couldn't create the account")
  }
}
