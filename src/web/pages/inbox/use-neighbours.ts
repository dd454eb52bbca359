import { useRef } from 'react'
import type { InboxSearch } from '../../records/conversations/search.ts'
import { useInboxList } from './use-inbox-list.ts'

/** The conversations before and after the open one. One that has left the list keeps its place there. */
export function useNeighbours(search: InboxSearch, id: string | undefined) {
  const { rows } = useInboxList(search)
  const place = useRef(-1)
  const at = rows.findIndex(row => row.id === id)
  if (at >= 0) place.current = at
  const isListed = at >= 0
  const idAt = (index: number) => rows[index]?.id
  return {
    next: () => idAt(isListed ? at + 1 : Math.max(place.current, 0)),
    previous: () => idAt(isListed ? at - 1 : Math.max(place.current - 1, 0)),
    /** The one to go on with when this one is done. */
    after: () => (isListed ? (idAt(at + 1) ?? idAt(at - 1)) : idAt(Math.max(place.current, 0))),
  }
}
