import type { Opportunity } from '#domains/opportunities/contract.ts'
import { isClosed } from '#domains/opportunities/values.ts'
import { ApiProblem, isProblem } from '../../problem.ts'
import { together } from '../../ui/board/together.ts'
import { createStore } from '../../ui/store.ts'
import { toast, toastFault, toastWithUndo } from '../../ui/toast.ts'
import { inPlainWords } from '../../ui/words.ts'
import { leadName } from '../../records/leads/fields.ts'
import { stageName } from '../../records/opportunities/deal-stage.tsx'
import { leads } from '../../records/leads/store.ts'
import { holdSums, putMove, refreshSums } from './cache.ts'
import { dealOf, inStage, type Deal } from './deals.ts'
import { opportunities } from '../../records/opportunities/store.ts'

export type Move = { deal: Deal; to: string }

/** Moves that are not saved yet. The column totals include them immediately. */
export const moves = createStore<readonly Move[]>([])

const closed = new ApiProblem({
  status: 409,
  code: 'closed',
  title: 'It is closed. Only admins can reopen it.',
})

export function toastClosed(deal: Deal): void {
  toastFault(closed, `Couldn't move ${dealName(deal)}`)
}

/** True if it was moved. Otherwise the card is back in its place, and the person saw why. */
export async function moveDeal(deal: Deal, to: string): Promise<boolean> {
  const move = { deal, to }
  const done = () => moves.set(now => now.filter(each => each !== move))
  moves.set(now => [...now, move])
  try {
    const saved = await save(deal, to)
    if (saved) {
      await holdSums(deal.of)
      together(() => putMove(saved, deal.stage), done)
    } else done()
    return saved !== undefined
  } catch (error) {
    done()
    // Someone else may have just closed it.
    if (isProblem(error) && error.code === 'closed') toastClosed(deal)
    else toastFault(error, "Couldn't move")
    return false
  } finally {
    void refreshSums(deal.of)
  }
}

/** Moves it and shows a toast, with Undo if this person may move it back. */
export async function moveWithToast(deal: Deal, to: string, isAdmin: boolean): Promise<boolean> {
  if (!(await moveDeal(deal, to))) return false
  const told = `Moved ${dealName(deal)} to ${stageInWords(deal.of, to)}`
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

async function save({ of, id }: Deal, to: string): Promise<Deal | undefined> {
  const done =
    of === 'leads'
      ? await leads.save(id, { pipeline_stage: to })
      : await opportunities.save(id, { stage: to as Opportunity['stage'] })
  return done && dealOf(of, done.saved)
}
