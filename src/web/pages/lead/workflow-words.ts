import type { RecordWords, Told } from './timeline-entry.ts'

/** All events of workflows, for the timeline filter. */
export const workflowTypes = ['workflow.started', 'workflow.failed', 'workflow.run_changed']

/** A workflow event on the timeline of a lead, as the rest of a sentence. */
export function workflowWords({ type, subject, data, cause }: Told): RecordWords | undefined {
  const name = typeof data.name === 'string' && data.name.trim() ? data.name.trim() : 'a workflow'
  const record = { kind: 'workflow_run' as const, id: subject.id, name }
  switch (type) {
    case 'workflow.started':
      if (cause && cause.kind !== 'workflow') return { before: 'started', record, after: 'for this lead' }
      // The workflow is the cause, so its name already starts the sentence.
      return { before: 'started', record: { ...record, name: 'a run' }, after: 'for this lead' }
    case 'workflow.failed':
      return { before: 'could not finish', record: { ...record, name: 'a run' }, after: 'for this lead' }
    case 'workflow.run_changed':
      return { before: changed(data), record, after: 'for this lead' }
    default:
      return undefined
  }
}

/** Why it failed. */
export function workflowDetail({ type, data }: Pick<Told, 'type' | 'data'>): string | undefined {
  return type === 'workflow.failed' && typeof data.reason === 'string' ? data.reason : undefined
}

function changed({ before, after }: Record<string, unknown>): string {
  if (after === 'PAUSED') return 'paused'
  if (after === 'CANCELLED') return 'cancelled'
  return before === 'FAILED' ? 'retried' : 'resumed'
}
