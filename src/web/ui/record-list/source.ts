import { queryOptions } from '@tanstack/react-query'
import { OUTLINE_EVERY, OUTLINE_ROWS } from '#platform/values.ts'
import { queryClient } from '../../query-client.ts'
import { filterText, fromFilterText, toQuery, type ListSearch, type SearchShape } from './search.ts'

export type Page<T> = { data: T[]; next_cursor: string | null }
type Outline = { count: number; count_is_capped: boolean; cursors: (string | null)[] }

/** A list as it is loaded: how long it is, where each block of rows begins, and the first block. */
export type List<T> = {
  text: string
  count: number
  /** The search stopped counting: there are more. */
  capped: boolean
  /** Of the first blocks. Those of the others are asked for when somebody scrolls there. */
  cursors: (string | null)[]
  first: T[]
}

/** Where the rows of a list come from. */
export type ListSource<T> = ReturnType<typeof listSource<T, object>>

type Ask<T, Query> = {
  page: (query: Query & { limit: number; cursor?: string }, signal: AbortSignal) => Promise<Page<T>>
  outline: (query: Query & { from?: number }, signal: AbortSignal) => Promise<Outline>
}

/** The lists of a kind of record, loaded block by block: any row is one request away. */
export function listSource<T, Query extends object>(
  key: readonly string[],
  shape: SearchShape,
  ask: Ask<T, Query>,
) {
  function listQuery(search: ListSearch) {
    const text = filterText(search)
    return queryOptions({
      queryKey: [...key, 'list', text],
      queryFn: async ({ signal }): Promise<List<T>> => {
        const query = toQuery<Query>(shape, search)
        const [{ count, count_is_capped: capped, cursors }, { data: first }] = await Promise.all([
          ask.outline(query, signal),
          ask.page({ ...query, limit: OUTLINE_EVERY }, signal),
        ])
        return { text, count, capped, cursors, first }
      },
    })
  }

  function blockQuery(list: Pick<List<T>, 'text' | 'cursors'>, number: number) {
    const { text, cursors } = list
    const known = cursors[number]
    return queryOptions({
      queryKey: [...key, 'block', text, known ?? `block ${number}`],
      queryFn: async ({ signal }): Promise<T[]> => {
        const cursor = known ?? (await farCursor(text, number))
        if (!cursor) return []
        const query = toQuery<Query>(shape, fromFilterText(shape, text))
        return (await ask.page({ ...query, limit: OUTLINE_EVERY, cursor }, signal)).data
      },
      // Scrolling through a hundred thousand rows should not keep them all in memory.
      gcTime: 60_000,
    })
  }

  /** Where a block begins that the outline of the beginning does not reach. */
  async function farCursor(text: string, number: number): Promise<string | null | undefined> {
    const from = Math.floor((number * OUTLINE_EVERY) / OUTLINE_ROWS) * OUTLINE_ROWS
    const { cursors } = await queryClient.fetchQuery({
      queryKey: [...key, 'outline', text, from],
      queryFn: ({ signal }) =>
        ask.outline({ ...toQuery<Query>(shape, fromFilterText(shape, text)), from }, signal),
      staleTime: Infinity,
      gcTime: 60_000,
    })
    return cursors[number - from / OUTLINE_EVERY]
  }

  /** The rows from one place to another, including those not shown yet. */
  async function loadRows(list: List<T>, from: number, to: number): Promise<T[]> {
    const first = Math.floor(from / OUTLINE_EVERY)
    const numbers = Array.from({ length: Math.floor(to / OUTLINE_EVERY) - first + 1 }, (_, at) => first + at)
    const blocks = await Promise.all(numbers.map(number => loadBlock(list, number)))
    return blocks.flat().slice(from - first * OUTLINE_EVERY, to - first * OUTLINE_EVERY + 1)
  }

  async function loadBlock(list: List<T>, number: number): Promise<T[]> {
    if (number === 0) return list.first
    return number * OUTLINE_EVERY < list.count ? queryClient.fetchQuery(blockQuery(list, number)) : []
  }

  return { key, shape, listQuery, blockQuery, loadRows }
}
