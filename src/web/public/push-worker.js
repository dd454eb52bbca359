// Shows notifications while no page is in focus, and opens their target when clicked.
const pages = new BroadcastChannel('rapport.notifications')

self.addEventListener('install', () => self.skipWaiting())

self.addEventListener('push', event => {
  const { id, title, text, link } = read(event.data)
  const told = { body: text ?? '', tag: id, data: { id, link }, icon: '/favicon.svg' }
  event.waitUntil(self.registration.showNotification(title, told))
})

self.addEventListener('notificationclick', event => {
  const { id, link } = event.notification.data ?? {}
  event.notification.close()
  event.waitUntil(Promise.all([markRead(id), lead(id, link)]))
})

// Browsers require a notification for every push message, even an unreadable one.
function read(data) {
  try {
    const told = data.json()
    if (typeof told.title === 'string') return told
  } catch {
    // Falls through to a generic text.
  }
  return { id: undefined, title: 'Rapport', text: 'You have a new notification.', link: null }
}

async function markRead(id) {
  if (!id) return
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ ids: [id] })
  // Fails if signed out: it stays unread.
  await fetch('/api/notifications/read', { method: 'POST', headers, body }).catch(() => {})
  // The page may have counted before.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches its own origin alone
  pages.postMessage('read')
}

// An open page navigates without reloading; otherwise a new one is opened.
async function lead(id, link) {
  const path = inside(link)
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const page = pages.find(({ focused }) => focused) ?? pages.find(isApp)
  if (!page) return self.clients.openWindow(path)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a client is of our own origin
  page.postMessage({ type: 'notification.clicked', id, link: path })
  // Some browsers refuse focus if it is requested too late.
  return page.focus().catch(() => {})
}

function isApp({ url }) {
  return !/^\/(?:f|docs|signin|api)(?:\/|$)/.test(new URL(url).pathname)
}

function inside(link) {
  const url = new URL(link ?? '/', self.location.origin)
  return url.origin === self.location.origin ? url.pathname + url.search + url.hash : '/'
}
