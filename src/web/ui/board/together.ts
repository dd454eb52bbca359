import { notifyManager } from '@tanstack/react-query'

/** The cache tells React a moment later than a store does. Both at once, or a card would be seen jumping to and fro. */
export function together(writeCache: () => void, writeStore: () => void): void {
  notifyManager.batch(() => {
    writeCache()
    notifyManager.schedule(writeStore)
  })
}
