import type { Opportunity, OpportunityChange } from '#domains/opportunities/contract.ts'
import { api } from '../../api.ts'
import { cacheKeys } from '../../queries.ts'
import { patchListed, putListed } from '../../ui/record-list/list-cache.ts'
import { toast, toastFault, toastWithUndo } from '../../ui/toast.ts'
import { inTurn } from '../../writes/in-turn.ts'
import { notPending, release, reserve } from '../../writes/pending.ts'
import { patchOpportunity, refreshOpportunities } from '../../records/opportunities/opportunity-cache.ts'

/** Shows the change in the list at once, saves it, and offers the way back. */
export async function changeListed(
  opportunity: Opportunity,
  change: OpportunityChange,
  say: string | null,
): Promise<boolean> {
  const { id } = opportunity
  const before = Object.fromEntries(
    Object.keys(change).map(key => [key, opportunity[key as keyof Opportunity]]),
  ) as OpportunityChange
  const fields = Object.keys(change)
  patch(id, change)
  reserve(id, fields)
  try {
    const saved = await inTurn(id, () =>
      api('PATCH /api/crm/opportunities/:id', { params: { id }, body: change }),
    )
    release(id, fields)
    putListed<Opportunity>(cacheKeys.opportunities, saved)
    patchOpportunity(id, notPending(id, saved))
    if (say) toastWithUndo(say, () => changeListed(saved, before, null))
    return true
  } catch (error) {
    release(id, fields)
    patch(id, notPending(id, before))
    toastFault(error, 'Not saved')
    return false
  } finally {
    refreshOpportunities()
  }
}

export async function restoreOpportunity({ id, name }: Opportunity): Promise<void> {
  try {
    await api('POST /api/crm/opportunities/:id/restore', { params: { id } })
    toast(`Restored ${name}`)
  } catch (error) {
    toastFault(error, 'Not restored')
  } finally {
    refreshOpportunities()
  }
}

function patch(id: string, fields: Partial<Opportunity>): void {
  patchListed<Opportunity>(cacheKeys.opportunities, id, fields)
  patchOpportunity(id, fields)
}
