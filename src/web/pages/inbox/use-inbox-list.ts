import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useUser } from '../../queries.ts'
import { inboxListQuery } from '../../records/conversations/conversations-cache.ts'
import { conversationSettingsQuery } from '../../records/conversations/settings-cache.ts'
import type { InboxSearch } from '../../records/conversations/search.ts'

export function useInboxList(search: InboxSearch) {
  const me = useUser().id
  const settings = useQuery(conversationSettingsQuery)
  const hasDueTimes = Boolean(settings.data?.first_answer_min || settings.data?.next_answer_min)
  const list = useInfiniteQuery({
    ...inboxListQuery(search, me, hasDueTimes),
    placeholderData: keepPreviousData,
    enabled: !settings.isPending,
  })
  const rows = useMemo(() => {
    const all = list.data?.pages.flatMap(({ data }) => data) ?? []
    // One that has moved while a page was loaded may be on two.
    return [...new Map(all.map(row => [row.id, row])).values()]
  }, [list.data])
  return { list, rows }
}
