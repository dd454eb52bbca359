import { api } from '../api.ts'
import { ApiProblem } from '../problem.ts'
import type { User } from '../queries.ts'
import { forgetWish, setWish, wishedBy, wishesFor } from './browser-wish.ts'

export type BrowserState = 'on' | 'off' | 'denied' | 'unsupported'

const WORKER_PATH = '/push-worker.js'
const SEEN_EVERY_MS = 86_400_000

export async function browserState(user: User): Promise<BrowserState> {
  if (!isSupported()) return 'unsupported'
  if (Notification.permission === 'denied') return 'denied'
  if (Notification.permission !== 'granted' || !wishesFor(user)) return 'off'
  const [subscription, { subscriptions }] = await Promise.all([current(), api('GET /api/notifications/push')])
  return subscriptions.some(({ endpoint }) => endpoint === subscription?.endpoint) ? 'on' : 'off'
}

export async function turnOn(user: User): Promise<BrowserState> {
  const permission = await Notification.requestPermission()
  if (permission !== 'granted') return permission === 'denied' ? 'denied' : 'off'
  const { public_key } = await api('GET /api/notifications/push')
  await enrol(user, public_key)
  setWish(user, true)
  return 'on'
}

/** For this team. The subscription stays: another team of the same user may use it. */
export async function turnOff(user: User): Promise<BrowserState> {
  const [subscription, { subscriptions }] = await Promise.all([current(), api('GET /api/notifications/push')])
  const known = subscriptions.find(({ endpoint }) => endpoint === subscription?.endpoint)
  if (known) await api('DELETE /api/notifications/push/:id', { params: { id: known.id } })
  setWish(user, false)
  return 'off'
}

/** Browsers lose subscriptions and servers lose sessions: restores on each visit what the user turned on. */
export async function keepOn(user: User): Promise<void> {
  if (!isSupported() || Notification.permission !== 'granted' || !wishesFor(user)) return
  const [subscription, { public_key, subscriptions }] = await Promise.all([
    current(),
    api('GET /api/notifications/push'),
  ])
  const known = subscriptions.find(({ endpoint }) => endpoint === subscription?.endpoint)
  const isFresh = known && Date.now() - Date.parse(known.seen_at) < SEEN_EVERY_MS
  if (!isFresh || !isFor(subscription, public_key)) await enrol(user, public_key)
}

/** After signing out nothing is shown here; the server drops this browser with the session. */
export async function leave(): Promise<void> {
  forgetWish()
  if (isSupported()) await (await current())?.unsubscribe()
}

function isSupported(): boolean {
  return (
    isSecureContext && 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
  )
}

async function current(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration()
  return (await registration?.pushManager.getSubscription()) ?? null
}

async function enrol(user: User, publicKey: string): Promise<void> {
  await navigator.serviceWorker.register(WORKER_PATH)
  const { pushManager } = await navigator.serviceWorker.ready
  const before = await pushManager.getSubscription()
  // A subscription of another user or key must end: their notifications would be shown to this user.
  const isOurs = isFor(before, publicKey) && wishedBy(user)
  if (before && !isOurs) await before.unsubscribe()
  const subscription = before && isOurs ? before : await made(pushManager, publicKey)
  const { endpoint, keys } = subscription.toJSON()
  const { p256dh = '', auth = '' } = keys ?? {}
  await api('POST /api/notifications/push', { body: { endpoint: endpoint ?? '', keys: { p256dh, auth } } })
}

async function made(pushManager: PushManager, applicationServerKey: string): Promise<PushSubscription> {
  try {
    return await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })
  } catch {
    // Some browsers have no push service, or have it turned off.
    const title = "This browser's push service didn't respond. It may be turned off in the browser settings."
    throw new ApiProblem({ status: 502, code: 'no_push_service', title })
  }
}

function isFor(subscription: PushSubscription | null, publicKey: string): boolean {
  const key = subscription?.options.applicationServerKey
  if (!key) return false
  const text = btoa(String.fromCharCode(...new Uint8Array(key)))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '') === publicKey
}
