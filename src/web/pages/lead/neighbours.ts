import { useQuery } from '@tanstack/react-query'
import { OUTLINE_EVERY } from '#platform/values.ts'
import { leadList } from '../../records/leads/cache.ts'
import type { ListSearch } from '../../ui/record-list/search.ts'
import { useBlock } from '../../ui/record-list/use-rows.ts'

export type Neighbour = { id: string; row: number }
export type Neighbours = { previous?: Neighbour; next?: Neighbour; place?: number; count?: number }

/** The leads before and after this one in the list it was opened from. */
export function useNeighbours(id: string, search: ListSearch): Neighbours {
  const known = search.row !== undefined
  const list = useQuery({ ...leadList.listQuery(search), enabled: known }).data
  const number = Math.floor(Number(search.row ?? 0) / OUTLINE_EVERY)
  const last = known ? number + 1 : -1
  const { data: before } = useBlock(leadList, list, number - 1, last)
  const { data: here } = useBlock(leadList, list, number, last)
  const { data: after } = useBlock(leadList, list, number + 1, last)
  if (!known || !list || !here) return {}
  const rows = [...(before ?? []), ...here, ...(after ?? [])]
  const start = (number - (before ? 1 : 0)) * OUTLINE_EVERY
  // The list may have changed since, so look the lead up by its id.
  const at = rows.findIndex(lead => lead.id === id)
  if (at < 0) return {}
  const neighbour = (index: number) => rows[index] && { id: rows[index].id, row: start + index }
  const [previous, next] = [neighbour(at - 1), neighbour(at + 1)]
  return { ...(previous && { previous }), ...(next && { next }), place: start + at + 1, count: list.count }
}
