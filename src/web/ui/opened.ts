import { createStore } from './store.ts'

/**
 * The open dialog of the frame, if any. `invite`, `new-task`, `new-form`, `new-sequence`, `new-workflow`, `new-agent`,
 * `new-call` and `new-candidates` are opened by their pages.
 */
export const opened = createStore<
  | 'palette'
  | 'shortcuts'
  | 'new-lead'
  | 'new-account'
  | 'new-opportunity'
  | 'new-project'
  | 'new-invoice'
  | 'new-meeting'
  | 'navigation'
  | 'invite'
  | 'new-task'
  | 'new-form'
  | 'new-sequence'
  | 'new-workflow'
  | 'new-agent'
  | 'new-call'
  | 'new-candidates'
  | null
>(null)

export function close(): void {
  opened.set(null)
}
