import { useEffect } from 'react'
import type { Conversation } from '#domains/conversations/contract.ts'
import { markRead } from '../records/conversations/conversation-writes.ts'
import { refreshLists } from '../records/conversations/refresh.ts'

/** What is on screen is read; in a hidden tab, once it is looked at. */
export function useMarkRead({ id, unread }: Conversation): void {
  useEffect(() => {
    if (!unread) return
    function look() {
      if (document.hidden) return
      document.removeEventListener('visibilitychange', look)
      void markRead(id).then(refreshLists)
    }
    document.addEventListener('visibilitychange', look)
    look()
    return () => document.removeEventListener('visibilitychange', look)
  }, [id, unread])
}
