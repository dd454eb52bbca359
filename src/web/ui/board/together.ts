import { notifyManager } from '@tanstack/react-query'

/** The query cache notifies React later than a store. Update both at once, or a card would jump back and forth. */
export function together(writeCache: () => void, writeStore: () => void): void {
  notifyManager.batch(() => {
    writeCache()
    notifyManager.schedule(writeStore)
  })
}
