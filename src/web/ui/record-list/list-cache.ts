import type { InfiniteData } from '@tanstack/react-query'
import { queryClient } from '../../query-client.ts'
import { hear } from '../../writes/latest.ts'
import { notPending } from '../../writes/pending.ts'
import type { Listed, Page } from './list.ts'

/** An answer of the server to a change: no list that was asked for before it takes it back. */
export function putListed<T extends Listed>(key: readonly string[], record: T): void {
  hear(record.id, record)
  patchListed<T>(key, record.id, notPending(record.id, record))
}

/** Writes the fields into every list of this kind that shows the record. */
export function patchListed<T extends { id: string }>(
  key: readonly string[],
  id: string,
  fields: Partial<T>,
): void {
  queryClient.setQueriesData<InfiniteData<Page<T>>>({ queryKey: [...key, 'list'] }, known => {
    if (!known?.pages.some(page => page.data.some(record => record.id === id))) return known
    const pages = known.pages.map(page => ({
      ...page,
      data: page.data.map(record => (record.id === id ? { ...record, ...fields } : record)),
    }))
    return { ...known, pages }
  })
}

export function knownFromLists<T extends { id: string }>(key: readonly string[], id: string): T | undefined {
  for (const [, list] of queryClient.getQueriesData<InfiniteData<Page<T>>>({ queryKey: [...key, 'list'] })) {
    for (const page of list?.pages ?? []) {
      const found = page.data.find(record => record.id === id)
      if (found) return found
    }
  }
  return undefined
}
