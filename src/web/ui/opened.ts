import { createStore } from './store.ts'

/**
 * The one dialog of the frame that is open, if any; `invite` waits for the page of the members to take it, `new-task`
 * for that of the tasks, `new-form` for that of the forms, `new-sequence` for that of the sequences, `new-workflow` for that of the
 * workflows, `new-agent` for that of the agents, `new-call` for that of the calls, `new-candidates` for that of the candidates.
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
