import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { OUTLINE_EVERY } from '#platform/values.ts'
import { queryClient } from '../../query-client.ts'
import type { List, ListSource } from './source.ts'

const NEAR = 3

export type Rows<T> = {
  at: (row: number) => T | undefined
  /** Set if rows on screen could not be loaded. */
  error: Error | null
  busy: boolean
  retry: () => void
}

/** Loads the blocks of the visible rows. A block that moved keeps its old rows until the new ones have loaded. */
export function useRows<T>(source: ListSource<T>, list: List<T>, first: number, last: number): Rows<T> {
  const from = Math.max(0, Math.floor(first / OUTLINE_EVERY))
  const to = Math.max(
    from,
    Math.min(Math.floor(last / OUTLINE_EVERY), Math.ceil(list.count / OUTLINE_EVERY) - 1),
  )
  const shown = useRef({ text: list.text, blocks: new Map<number, T[]>() })
  if (shown.current.text !== list.text) shown.current = { text: list.text, blocks: new Map() }
  const { blocks } = shown.current
  // No screen shows more rows at once than four blocks have.
  const loaded = [
    useBlock(source, list, from, to),
    useBlock(source, list, from + 1, to),
    useBlock(source, list, from + 2, to),
    useBlock(source, list, from + 3, to),
  ]
  loaded.forEach(({ data }, index) => {
    if (data) blocks.set(from + index, data)
  })
  for (const number of blocks.keys()) if (number < from - NEAR || number > to + NEAR) blocks.delete(number)
  const missing = loaded.filter(({ data, error }) => error && !data)
  return {
    at: row => blocks.get(Math.floor(row / OUTLINE_EVERY))?.[row % OUTLINE_EVERY],
    error: missing[0]?.error ?? null,
    busy: missing.some(({ isFetching }) => isFetching),
    retry: () => {
      for (const { refetch } of missing) void refetch()
    },
  }
}

/** The first block comes with the list. */
export function useBlock<T>(source: ListSource<T>, list: List<T> | undefined, number: number, last: number) {
  const wanted = list !== undefined && number > 0 && number <= last && number * OUTLINE_EVERY < list.count
  const query = source.blockQuery(list ?? { text: '', cursors: [] }, number)
  // What failed is asked for again by the person, not by every scroll.
  const failed = queryClient.getQueryState(query.queryKey)?.status === 'error'
  const { data, error, isFetching, refetch } = useQuery({ ...query, enabled: wanted && !failed })
  if (wanted) return { data, error, isFetching, refetch }
  return { data: number === 0 ? list?.first : undefined, error: null, isFetching: false, refetch }
}
