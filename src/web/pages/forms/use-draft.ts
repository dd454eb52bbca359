import { useNavigate } from '@tanstack/react-router'
import type { FormWithCounts } from '#domains/forms/contract.ts'
import { api } from '../../api.ts'
import { patterns } from '../../paths.ts'
import { forms } from '../../records/forms/store.ts'
import { useKeptDraft } from '../../ui/use-kept-draft.ts'
import { createDraft, type Draft } from './draft.ts'

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
    save: (change, ifMatch) =>
      forms.write(id, () => api('PATCH /api/crm/forms/:id', { params: { id }, body: change, ifMatch })),
    read: () => api('GET /api/crm/forms/:id', { params: { id } }),
  })
}
