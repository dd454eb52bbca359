import type { Lead } from '#domains/leads/contract.ts'
import type { LiveChange } from '#domains/live/contract.ts'
import { LIST_KEY, patchLead, refreshLists } from '../pages/leads/cache.ts'
import { fromFilterText, listFilters } from '../pages/leads/search.ts'
import { queryClient } from '../query-client.ts'
import { cacheKeys } from '../queries.ts'
import { refreshTimeline } from '../pages/lead/timeline-cache.ts'
import { patchSoon } from './patch-soon.ts'
import { settled } from './settled.ts'

/** A change somebody made, written into what this tab shows. */
export function applyChange(change: LiveChange, userId: string): void {
  if (change.subject.kind === 'lead') applyLead(change, userId)
  else
    for (const [prefix, key] of others) {
      if (change.type.startsWith(prefix)) void queryClient.invalidateQueries({ queryKey: key })
    }
}

/** Too much was missed: everything that is shown is asked for again. */
export function applyReset(): void {
  void queryClient.invalidateQueries({ predicate: query => query.queryKey[0] !== 'session' })
}

const others: [prefix: string, key: readonly string[]][] = [
  ['lead_settings.', cacheKeys.leadSettings],
  ['view.', cacheKeys.views],
  ['key.', cacheKeys.apiKeys],
  ['job.', ['jobs']],
]

const refreshSoon = settled(refreshLists)

function applyLead(change: LiveChange, userId: string): void {
  const { id } = change.subject
  refreshTimeline(id)
  switch (change.type) {
    case 'lead.changed': {
      const after = change.data.after as Partial<Lead>
      patchSoon(id, { ...after, updated_at: after.updated_at ?? change.at })
      // A row that no longer matches leaves, but not from under the fingers of the one who edits it.
      if (change.actor_id !== userId && concernsAList(Object.keys(after))) refreshSoon()
      break
    }
    case 'lead.trashed':
      patchLead(id, { deleted_at: change.at })
      refreshSoon()
      break
    case 'lead.restored':
      patchLead(id, { deleted_at: null })
      refreshSoon()
      break
    case 'lead.created':
      refreshSoon()
      break
    default:
      patchLead(id, { last_activity_at: change.at })
  }
}

/** Whether a list that is shown filters or sorts by one of these. */
function concernsAList(fields: string[]): boolean {
  const lists = queryClient.getQueryCache().findAll({ queryKey: LIST_KEY, type: 'active' })
  return lists.some(({ queryKey }) => {
    const search = fromFilterText(String(queryKey[2] ?? ''))
    const sort = search.sort?.replace('-', '')
    return fields.some(
      field => field === sort || listFilters.some(filter => filter === field && search[filter]),
    )
  })
}
