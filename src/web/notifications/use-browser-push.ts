import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useUser } from '../queries.ts'
import { wishesFor } from './browser-wish.ts'
import { refresh } from './queries.ts'

/** Not urgent: after the page has loaded. */
const QUIET_MS = 1_500

/** Opens system notifications that were clicked, and keeps the browser subscribed. */
export function useBrowserPush(): void {
  const user = useUser()
  const { history } = useRouter()
  useEffect(() => {
    if (!('serviceWorker' in navigator)) return
    function follow({ data }: MessageEvent) {
      if (data?.type !== 'notification.clicked') return
      refresh()
      if (typeof data.link === 'string') history.push(data.link)
    }
    navigator.serviceWorker.addEventListener('message', follow)
    return () => navigator.serviceWorker.removeEventListener('message', follow)
  }, [history])
  useEffect(() => {
    if (!wishesFor(user)) return
    const timer = setTimeout(() => {
      // Retried at the next visit.
      void import('./browser-push.ts').then(({ keepOn }) => keepOn(user)).catch(() => {})
    }, QUIET_MS)
    return () => clearTimeout(timer)
  }, [user])
}
