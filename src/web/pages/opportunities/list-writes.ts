import type { Opportunity, OpportunityChange } from '#domains/opportunities/contract.ts'
import { api } from '../../api.ts'
import { cacheKeys } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import { patchListed } from '../../ui/record-list/list-cache.ts'
import { toast, toastFault, toastWithUndo } from '../../ui/toast.ts'
import { inTurn } from '../leads/in-turn.ts'
import { patchOpportunity, refreshOpportunities } from './opportunity-cache.ts'

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
  // A list that is being read would bring back what was there before.
  await queryClient.cancelQueries({ queryKey: [...cacheKeys.opportunities, 'list'] })
  patch(id, change)
  try {
    const saved = await inTurn(id, () =>
      api('PATCH /api/crm/opportunities/:id', { params: { id }, body: change }),
    )
    patch(id, saved)
    if (say) toastWithUndo(say, () => changeListed(saved, before, null))
    return true
  } catch (error) {
    patch(id, before)
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
