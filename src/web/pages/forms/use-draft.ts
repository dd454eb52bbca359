import { useNavigate } from '@tanstack/react-router'
import type { FormWithCounts } from '#domains/forms/contract.ts'
import { api } from '../../api.ts'
import { patterns } from '../../paths.ts'
import { forms } from '../../records/forms/store.ts'
import { useDraft } from '../../ui/draft/use-draft.ts'
import { createFormDraft, type FormDraft } from './draft.ts'

export function useFormDraft(form: FormWithCounts): FormDraft {
  const { id } = form
  const navigate = useNavigate()
  return useDraft(form, newDraft, () => void navigate({ to: patterns.form, params: { id }, search: {} }))
}

function newDraft(form: FormWithCounts): FormDraft {
  const { id } = form
  return createFormDraft(form, {
    save: (body, ifMatch) =>
      forms.write(id, () => api('PATCH /api/crm/forms/:id', { params: { id }, body, ifMatch })),
    read: () => forms.read(id),
  })
}
