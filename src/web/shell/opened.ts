import { createStore } from '../ui/store.ts'

/**
 * The one dialog of the frame that is open, if any; `invite` waits for the page of the members to take it, `new-task`
 * for that of the tasks.
 */
export const opened = createStore<
  | 'palette'
  | 'shortcuts'
  | 'new-lead'
  | 'new-account'
  | 'new-opportunity'
  | 'new-project'
  | 'navigation'
  | 'invite'
  | 'new-task'
  | null
>(null)

export function close(): void {
  opened.set(null)
}
