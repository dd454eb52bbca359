import type { Opportunity } from '#domains/opportunities/contract.ts'
import { isClosed } from '#domains/opportunities/values.ts'
import { api } from '../../api.ts'
import { ApiProblem, isProblem } from '../../problem.ts'
import { cacheKeys } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import { together } from '../../ui/board/together.ts'
import { createStore } from '../../ui/store.ts'
import { toast, toastFault, toastWithUndo } from '../../ui/toast.ts'
import { inPlainWords } from '../../ui/words.ts'
import { patchLead } from '../../records/leads/cache.ts'
import { leadName } from '../../records/leads/fields.ts'
import { inTurn } from '../../writes/in-turn.ts'
import { stageName } from '../../records/opportunities/deal-stage.tsx'
import { patchOpportunity, refreshOpportunities } from '../../records/opportunities/opportunity-cache.ts'
import { holdColumns, putDeal } from './cache.ts'
import { dealOfLead, dealOfOpportunity, inStage, type Deal } from './deals.ts'

export type Move = { deal: Deal; to: string }

/** Moves the server has not answered yet. They lie over what it told last, so that an older answer undoes none of them. */
export const moves = createStore<readonly Move[]>([])

const closed = new ApiProblem({
  status: 409,
  code: 'closed',
  title: 'It is closed. Only an administrator can open it again.',
})

export function tellClosed(deal: Deal): void {
  toastFault(closed, `${dealName(deal)} stays where it is`)
}

/** True: it is moved. Otherwise the card is back where it stood, and the person was told why. */
export async function moveDeal(deal: Deal, to: string): Promise<boolean> {
  const move = { deal, to }
  const done = () => moves.set(now => now.filter(each => each !== move))
  moves.set(now => [...now, move])
  try {
    const saved = await inTurn(deal.id, () => save(deal, to))
    await holdColumns(deal.of)
    together(() => putDeal(saved, deal.stage), done)
    return true
  } catch (error) {
    done()
    // Somebody may have closed it a moment ago.
    if (isProblem(error) && error.code === 'closed') tellClosed(deal)
    else toastFault(error, 'Not moved')
    return false
  } finally {
    if (deal.of === 'opportunities') refreshOpportunities()
    else void queryClient.invalidateQueries({ queryKey: cacheKeys.leadBoard })
  }
}

/** Moves it, says so, and offers the way back where there is one for this person. */
export async function moveAndTell(deal: Deal, to: string, isAdmin: boolean): Promise<boolean> {
  if (!(await moveDeal(deal, to))) return false
  const told = `${dealName(deal)} is now in ${stageInWords(deal.of, to)}`
  if (deal.of === 'leads' || !isClosed(to) || isAdmin) {
    toastWithUndo(told, () => moveDeal(inStage(deal, to), deal.stage))
  } else {
    toast(told)
  }
  return true
}

export function dealName(deal: Deal): string {
  return deal.of === 'leads' ? leadName(deal.record) : deal.record.name
}

export function stageInWords(of: Deal['of'], stage: string): string {
  return of === 'leads' ? inPlainWords(stage) : stageName(stage)
}

async function save({ of, id }: Deal, to: string): Promise<Deal> {
  const params = { id }
  if (of === 'leads') {
    const lead = await api('PATCH /api/crm/leads/:id', { params, body: { pipeline_stage: to } })
    patchLead(id, lead)
    return dealOfLead(lead)
  }
  const stage = to as Opportunity['stage']
  const opportunity = await api('PATCH /api/crm/opportunities/:id', { params, body: { stage } })
  patchOpportunity(id, opportunity)
  return dealOfOpportunity(opportunity)
}
