import { useNavigate } from '@tanstack/react-router'
import type { WorkflowInFull } from '#domains/workflows/contract.ts'
import { patterns } from '../paths.ts'
import { workflows } from '../records/workflows/store.ts'
import { saveDraft } from '../records/workflows/workflow-writes.ts'
import { useDraft } from '../ui/draft/use-draft.ts'
import { createWorkflowDraft, type WorkflowDraft } from './draft.ts'

export function useWorkflowDraft(workflow: WorkflowInFull): WorkflowDraft {
  const { id } = workflow
  const navigate = useNavigate()
  return useDraft(workflow, newDraft, () => {
    void navigate({ to: patterns.workflow, params: { id }, search: {} })
  })
}

function newDraft(workflow: WorkflowInFull): WorkflowDraft {
  const { id } = workflow
  return createWorkflowDraft(workflow, {
    save: (body, ifMatch) => saveDraft(id, body, ifMatch),
    read: () => workflows.read(id),
  })
}
