import type { Draft as Body, WorkflowInFull } from '#domains/workflows/contract.ts'
import { createDraft, type Draft, type DraftServer } from '../ui/draft/draft.ts'
import { bodyOf, contentOf, type Content } from './content.ts'

/** A workflow being edited. The problems the server found are in the `base` of its state and refer to the `saved` content. */
export type WorkflowDraft = Draft<WorkflowInFull, Content>

export function createWorkflowDraft(
  workflow: WorkflowInFull,
  { save, read }: DraftServer<WorkflowInFull, Body>,
): WorkflowDraft {
  return createDraft<WorkflowInFull, Content, Body>(workflow, {
    server: { save: (body, ifMatch) => save(body as Body, ifMatch), read },
    contentOf,
    bodyOf,
    // The draft is replaced as a whole.
    changes: (_before, after) => after,
    together: [['trigger', 'filters', 'nodes']],
  })
}
