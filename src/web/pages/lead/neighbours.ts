import { useQuery } from '@tanstack/react-query'
import type { Lead } from '#domains/leads/contract.ts'
import { OUTLINE_EVERY } from '#domains/leads/values.ts'
import { blockQuery, listQuery, type LeadList } from '../../records/leads/cache.ts'
import type { LeadsSearch } from '../../records/leads/search.ts'

export type Neighbour = { id: string; row: number }
export type Neighbours = { previous?: Neighbour; next?: Neighbour; place?: number; count?: number }

/** The leads before and after this one in the list it was opened from. */
export function useNeighbours(id: string, search: LeadsSearch): Neighbours {
  const row = search.row
  const known = row !== undefined
  const list = useQuery({ ...listQuery(search), enabled: known }).data
  const block = Math.floor((row ?? 0) / OUTLINE_EVERY)
  const before = useBlock(list, block - 1)
  const here = useBlock(list, block)
  const after = useBlock(list, block + 1)
  if (!known || !list || !here) return {}
  const rows = [...(before ?? []), ...here, ...(after ?? [])]
  const start = (block - (before ? 1 : 0)) * OUTLINE_EVERY
  // The list may have changed since, so look the lead up by its id.
  const at = rows.findIndex(lead => lead.id === id)
  if (at < 0) return {}
  const neighbour = (index: number) => rows[index] && { id: rows[index].id, row: start + index }
  const [previous, next] = [neighbour(at - 1), neighbour(at + 1)]
  return { ...(previous && { previous }), ...(next && { next }), place: start + at + 1, count: list.count }
}

function useBlock(list: LeadList | undefined, number: number): Lead[] | undefined {
  const exists = list !== undefined && number >= 0 && number < list.cursors.length
  const { data } = useQuery({
    ...blockQuery(list?.text ?? '', (exists && list.cursors[number]) || null),
    enabled: exists,
  })
  return exists ? data : undefined
}
