import type { Context } from '#platform/context.ts'
import { invalid, Problem, type Fault } from '#platform/problem.ts'
import type { BulkChange, BulkChanged, Conversation, ConversationChange } from './contract.ts'
import { changeConversation } from './service.ts'
import * as store from './store.ts'
import { LABELS_MAX } from './values.ts'

/** Each on its own: one that cannot be changed is named, and holds up no other. What does not exist is a mistake of the caller. */
export async function changeConversations(
  ctx: Context,
  { ids, add_labels = [], remove_labels = [], ...change }: BulkChange,
): Promise<BulkChanged> {
  if (Object.keys(change).length === 0 && add_labels.length === 0 && remove_labels.length === 0)
    throw invalid([{ path: 'state', message: 'or another change must be given' }])
  return ctx.transaction(async ctx => {
    const changed = new Map<string, Conversation>()
    const failed: BulkChanged['failed'] = []
    const faults: Fault[] = []
    // In one order, so that two who change the same ones cannot wait for each other in a circle.
    for (const id of ids.toSorted()) {
      try {
        const labelled = () => withLabels(ctx, id, change, { add_labels, remove_labels })
        changed.set(id, await ctx.attempt(async () => changeConversation(ctx, id, await labelled())))
      } catch (error) {
        // A wrong change is wrong for each of them.
        if (!(error instanceof Problem) || error.kind === 'invalid') throw error
        const at = ids.indexOf(id)
        if (error.kind === 'not_found') faults.push({ path: `ids[${at}]`, message: 'is not a conversation' })
        else failed.push({ at, detail: error.message })
      }
    }
    if (faults.length > 0) throw invalid(faults)
    return {
      data: ids.flatMap(id => changed.get(id) ?? []),
      failed: failed.toSorted((a, b) => a.at - b.at),
    }
  })
}

type Labels = { add_labels: readonly string[]; remove_labels: readonly string[] }

async function withLabels(
  ctx: Context,
  id: string,
  change: ConversationChange,
  { add_labels, remove_labels }: Labels,
): Promise<ConversationChange> {
  if (add_labels.length === 0 && remove_labels.length === 0) return change
  const row = await store.lockConversation(ctx, id)
  const before = (row?.labels ?? []).filter(label => !remove_labels.includes(label))
  const labels = [...new Set([...before, ...add_labels])]
  if (labels.length > LABELS_MAX)
    throw new Problem('conflict', `A conversation can have ${LABELS_MAX} labels.`, {
      code: 'too_many_labels',
    })
  return { ...change, labels }
}
