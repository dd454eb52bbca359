import { useNavigate } from '@tanstack/react-router'
import type { WorkflowInFull } from '#domains/workflows/contract.ts'
import { api } from '../api.ts'
import { patterns } from '../paths.ts'
import { useKeptDraft } from '../ui/use-kept-draft.ts'
import { createDraft, type Draft } from './draft.ts'
import { saveDraft } from '../records/workflows/workflow-writes.ts'

export function useDraft(workflow: WorkflowInFull): Draft {
  const { id } = workflow
  const navigate = useNavigate()
  return useKeptDraft(workflow, newDraft, () => {
    void navigate({ to: patterns.workflow, params: { id }, search: {} })
  })
}

function newDraft(workflow: WorkflowInFull): Draft {
  const { id } = workflow
  return createDraft(workflow, {
    save: (body, ifMatch) => saveDraft(id, body, ifMatch),
    read: () => api('GET /api/crm/workflows/:id', { params: { id } }),
  })
}
