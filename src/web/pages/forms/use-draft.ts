import { useNavigate } from '@tanstack/react-router'
import type { FormWithCounts } from '#domains/forms/contract.ts'
import { api } from '../../api.ts'
import { patterns } from '../../paths.ts'
import { useKeptDraft } from '../../ui/use-kept-draft.ts'
import { createDraft, type Draft } from './draft.ts'
import { saveContent } from './form-writes.ts'

export function useDraft(form: FormWithCounts): Draft {
  const { id } = form
  const navigate = useNavigate()
  return useKeptDraft(form, newDraft, () => {
    void navigate({ to: patterns.form, params: { id }, search: {} })
  })
}

function newDraft(form: FormWithCounts): Draft {
  const { id } = form
  return createDraft(form, {
    save: (change, ifMatch) => saveContent(id, change, ifMatch),
    read: () => api('GET /api/crm/forms/:id', { params: { id } }),
  })
}
