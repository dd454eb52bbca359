import { queryOptions } from '@tanstack/react-query'
import type { Lead } from '#domains/leads/contract.ts'
import { OUTLINE_EVERY } from '#domains/leads/values.ts'
import { api } from '../../api.ts'
import { queryClient } from '../../query-client.ts'
import { filterText, fromFilterText, toQuery, type LeadsSearch } from './search.ts'

export const LIST_KEY = ['leads', 'list'] as const
export const BLOCK_KEY = ['leads', 'block'] as const

export type LeadList = { text: string; count: number; capped: boolean; cursors: (string | null)[] }

/** The number of matches and the start of each block, loaded together with the first block. */
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
      queryClient.setQueryData(blockQuery(text, null).queryKey, first.data)
      return { text, count: outline.count, capped: outline.count_is_capped, cursors: outline.cursors }
    },
  })
}

export function blockQuery(text: string, cursor: string | null) {
  return queryOptions({
    queryKey: [...BLOCK_KEY, text, cursor ?? ''],
    queryFn: async ({ signal }): Promise<Lead[]> => {
      const query = { ...toQuery(fromFilterText(text)), limit: OUTLINE_EVERY, ...(cursor && { cursor }) }
      return (await api('GET /api/crm/leads', { query, signal })).data
    },
    // Scrolling through a hundred thousand rows should not keep them all in memory.
    gcTime: 60_000,
  })
}

/** The order or number of leads may have changed. */
export function refreshLists(): Promise<void> {
  return queryClient.invalidateQueries({
    queryKey: ['leads'],
    // The first block is loaded with the list, and a single lead does not depend on others.
    predicate: ({ queryKey: [, what, , cursor] }) =>
      what !== 'one' && !(what === BLOCK_KEY[1] && cursor === ''),
  })
}
