import { createStore } from '../ui/store.ts'

/** The one dialog of the frame that is open, if any; `invite` waits for the page of the members to take it. */
export const opened = createStore<'palette' | 'shortcuts' | 'new-lead' | 'navigation' | 'invite' | null>(null)

export function close(): void {
  opened.set(null)
}
