import type { LiveChange } from '#domains/live/contract.ts'
import { LIVE_PATH } from '../paths.ts'
import { stringifySearch } from '../search-text.ts'
import { createStore } from '../ui/store.ts'

/** `lost` is shown only after a while: short interruptions do not matter. */
export const liveState = createStore<'starting' | 'connected' | 'lost'>('starting')

const AGAIN_AFTER_MS = 1_000
const AGAIN_AFTER_MAX_MS = 30_000
const SHOWN_AFTER_MS = 2_500
const LONG_HIDDEN_MS = 60_000
/** The page was loaded before the stream opened: ask for the changes in between too. */
const LOADING_S = 15

type Listener = {
  change: (change: LiveChange) => void
  reset: () => void
  /** The server responds, but not with the stream: the session may have ended. */
  refused: () => void
}

/**
 * One stream per tab. We reconnect instead of the browser, which would use the same URL and so the same old position
 * to resume from.
 */
export function followLive(listener: Listener): () => void {
  let source: EventSource | undefined
  let lastId: string | undefined
  let failures = 0
  let isAgain = false
  let again: ReturnType<typeof setTimeout> | undefined
  let shown: ReturnType<typeof setTimeout> | undefined

  function connect() {
    source?.close()
    source = new EventSource(
      LIVE_PATH + stringifySearch(lastId ? { last_event_id: lastId } : { recent_s: LOADING_S }),
    )
    source.addEventListener('open', () => {
      failures = 0
      // Nothing was received before the connection broke, so there is no position to resume from.
      if (isAgain && !lastId) listener.reset()
      isAgain = true
      clearTimeout(shown)
      shown = undefined
      liveState.set('connected')
    })
    source.addEventListener('change', event => {
      lastId = event.lastEventId || lastId
      listener.change(JSON.parse(event.data))
    })
    source.addEventListener('reset', () => {
      lastId = undefined
      listener.reset()
    })
    source.addEventListener('error', () => {
      shown ??= setTimeout(() => liveState.set('lost'), SHOWN_AFTER_MS)
      if (source?.readyState === EventSource.CLOSED) listener.refused()
      source?.close()
      clearTimeout(again)
      again = setTimeout(connect, Math.min(AGAIN_AFTER_MS * 2 ** failures++, AGAIN_AFTER_MAX_MS))
    })
  }

  function connectNow() {
    clearTimeout(again)
    failures = 0
    connect()
  }

  function disconnect() {
    clearTimeout(again)
    source?.close()
    liveState.set('lost')
  }

  // After sleep a connection may be dead without an error: reconnect after being hidden for long.
  let hiddenSince = 0
  function onVisibility() {
    if (document.hidden) hiddenSince = Date.now()
    else if (Date.now() - hiddenSince > LONG_HIDDEN_MS) connectNow()
  }

  connect()
  addEventListener('online', connectNow)
  addEventListener('offline', disconnect)
  document.addEventListener('visibilitychange', onVisibility)
  return () => {
    removeEventListener('online', connectNow)
    removeEventListener('offline', disconnect)
    document.removeEventListener('visibilitychange', onVisibility)
    clearTimeout(again)
    clearTimeout(shown)
    source?.close()
  }
}
