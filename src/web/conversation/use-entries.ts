import { useMemo } from 'react'
import type { ConversationEntry } from '#domains/conversations/contract.ts'

type Pages = { pages: readonly { data: readonly ConversationEntry[] }[] }

/** What is loaded of a thread, the oldest first. */
export function useEntries(list: Pages | undefined): ConversationEntry[] {
  return useMemo(() => {
    const newestFirst = list?.pages.flatMap(({ data }) => data) ?? []
    // One that was scheduled anew while a page was loaded may be on two.
    const once = new Map(newestFirst.map(entry => [entry.id, entry]))
    return [...once.values()].toReversed()
  }, [list])
}
