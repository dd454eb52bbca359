import { queryOptions } from '@tanstack/react-query'
import type { Lead } from '#domains/leads/contract.ts'
import { OUTLINE_EVERY } from '#domains/leads/values.ts'
import { api } from '../../api.ts'
import { queryClient } from '../../query-client.ts'
import { upToDate } from '../../writes/up-to-date.ts'
import { filterText, fromFilterText, toQuery, type LeadsSearch } from './search.ts'

export const LEAD_KEY = 'lead'
export const LIST_KEY = ['leads', 'list'] as const
export const BLOCK_KEY = ['leads', 'block'] as const

export type LeadList = { text: string; count: number; capped: boolean; cursors: (string | null)[] }

/** How many match and where each block begins, together with the first block: one wait for both. */
export function listQuery(search: LeadsSearch) {
  const text = filterText(search)
  return queryOptions({
    queryKey: [...LIST_KEY, text],
    queryFn: async ({ signal }): Promise<LeadList> => {
      const query = toQuery(search)
      const [outline, first] = await Promise.all([
        api('GET /api/crm/leads/outline', { query, signal }),
        api('GET /api/crm/leads', { query: { ...query, limit: OUTLINE_EVERY }, signal }),
      ])
      queryClient.setQueryData(blockQuery(text, null).queryKey, first.data.map(newest))
      return { text, count: outline.count, capped: outline.count_is_capped, cursors: outline.cursors }
    },
  })
}

export function blockQuery(text: string, cursor: string | null) {
  return queryOptions({
    queryKey: [...BLOCK_KEY, text, cursor ?? ''],
    queryFn: async ({ signal }): Promise<Lead[]> => {
      const query = { ...toQuery(fromFilterText(text)), limit: OUTLINE_EVERY, ...(cursor && { cursor }) }
      return (await api('GET /api/crm/leads', { query, signal })).data.map(newest)
    },
    // A hundred thousand rows scrolled through should not all stay in memory.
    gcTime: 60_000,
  })
}

export function leadQuery(id: string) {
  return queryOptions({
    queryKey: [LEAD_KEY, id],
    queryFn: async ({ signal }) => newest(await api('GET /api/crm/leads/:id', { params: { id }, signal })),
  })
}

const newest = (lead: Lead) => upToDate(lead, knownLead)

/** The lead as any open list or page knows it. */
export function knownLead(id: string): Lead | undefined {
  const own = queryClient.getQueryData<Lead>([LEAD_KEY, id])
  if (own) return own
  for (const [, block] of queryClient.getQueriesData<Lead[]>({ queryKey: BLOCK_KEY })) {
    const found = block?.find(lead => lead.id === id)
    if (found) return found
  }
  return undefined
}

/** Writes the fields wherever the lead is shown. */
export function patchLead(id: string, fields: Partial<Lead>): void {
  patchLeads(new Map([[id, fields]]))
}

export function patchLeads(changes: ReadonlyMap<string, Partial<Lead>>): void {
  for (const [id, fields] of changes) {
    queryClient.setQueryData<Lead>([LEAD_KEY, id], lead => lead && { ...lead, ...fields })
  }
  queryClient.setQueriesData<Lead[]>({ queryKey: BLOCK_KEY }, block => {
    if (!block?.some(lead => changes.has(lead.id))) return block
    return block.map(lead => {
      const fields = changes.get(lead.id)
      return fields ? { ...lead, ...fields } : lead
    })
  })
}

/** The order or number of leads may have changed. */
export function refreshLists(): Promise<void> {
  return queryClient.invalidateQueries({
    queryKey: ['leads'],
    // The first block comes along with the list.
    predicate: ({ queryKey }) => !(queryKey[1] === BLOCK_KEY[1] && queryKey[3] === ''),
  })
}
