import type { Opportunity } from '#domains/opportunities/contract.ts'
import { isClosed, type OpportunityStage } from '#domains/opportunities/values.ts'
import { api } from '../../api.ts'
import { queryClient } from '../../query-client.ts'
import { toast, toastFault, toastWithUndo } from '../../ui/toast.ts'
import { stageName } from '../../records/opportunities/deal-stage.tsx'
import { changeListed } from './list-writes.ts'
import { opportunityQuery, refreshOpportunities } from '../../records/opportunities/opportunity-cache.ts'

/** Offers the way back only to somebody who may take a deal out of the stage it came into. */
export async function setStage(
  opportunity: Opportunity,
  stage: OpportunityStage,
  isAdmin: boolean,
): Promise<void> {
  const told = `${opportunity.name} is now in ${stageName(stage)}`
  const hasWayBack = !isClosed(stage) || isAdmin
  const done = await changeListed(opportunity, { stage }, hasWayBack ? told : null)
  if (done && !hasWayBack) toast(told)
}

export async function trashOpportunity({ id, name }: Opportunity): Promise<boolean> {
  try {
    await api('DELETE /api/crm/opportunities/:id', { params: { id } })
    refreshOpportunities()
    toastWithUndo(`Moved ${name} to the trash`, () => bringBack(id))
    return true
  } catch (error) {
    toastFault(error, 'Not moved to the trash')
    return false
  }
}

export async function restoreOpportunity(id: string): Promise<void> {
  try {
    toast(`Restored ${(await bringBack(id)).name}`)
  } catch (error) {
    toastFault(error, 'Not restored')
  }
}

async function bringBack(id: string): Promise<Opportunity> {
  const opportunity = await api('POST /api/crm/opportunities/:id/restore', { params: { id } })
  queryClient.setQueryData(opportunityQuery(id).queryKey, opportunity)
  refreshOpportunities()
  return opportunity
}
