import { createStore } from '../ui/store.ts'

/** The one dialog of the frame that is open, if any. */
export const opened = createStore<'palette' | 'shortcuts' | 'new-lead' | 'navigation' | null>(null)

export function close(): void {
  opened.set(null)
}
