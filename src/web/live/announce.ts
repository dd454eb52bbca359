import type { LiveChange } from '#domains/live/contract.ts'
import { api } from '../api.ts'
import { callOut } from '../notifications/announcements.ts'
import { markRead } from '../notifications/queries.ts'
import { settled } from '../records/settled.ts'

const AT_ONCE_MAX = 3
/** The event is recorded a moment after the notification. Both times are the server's. */
const SLACK_MS = 2_000

/** In any window of this browser: after a reload, the stream repeats the last moments. */
const ANNOUNCED = 'rapport.announced'
const REMEMBERED_MAX = 50
let since: number | undefined
let lead: (link: string) => void = () => {}

/** Announces a new notification once. What arrived while the page was hidden is only counted at the bell. */
export function announce(change: LiveChange, open: (link: string) => void): void {
  if (change.type !== 'notification.added' || document.hidden) return
  lead = open
  since ??= Date.parse(change.at) - SLACK_MS
  announceSoon()
}

// Every member hears that something is new, not for whom: those it is not for ask in vain, so not at every message.
const announceSoon = settled(() => {
  // The bell asks as well, and reports errors.
  void sayNews().catch(() => {})
})

async function sayNews(): Promise<void> {
  const from = since ?? 0
  since = undefined
  const { data } = await api('GET /api/notifications', { query: { unread: true, limit: AT_ONCE_MAX } })
  const announced = remembered()
  const news = data.filter(({ id, created_at }) => !announced.includes(id) && Date.parse(created_at) >= from)
  remember([...news.map(({ id }) => id), ...announced].slice(0, REMEMBERED_MAX))
  for (const { id, title, link } of news.toReversed()) {
    // It is about what is on screen.
    if (link === location.pathname) {
      void markRead([id])
      continue
    }
    callOut(title, link === null ? 'Mark as read' : 'Open', () => {
      void markRead([id])
      if (link !== null) lead(link)
    })
  }
}

function remembered(): string[] {
  const kept = localStorage.getItem(ANNOUNCED)
  return kept ? kept.split(' ') : []
}

function remember(ids: readonly string[]): void {
  if (ids.length > 0) localStorage.setItem(ANNOUNCED, ids.join(' '))
}
