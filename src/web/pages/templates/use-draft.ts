import { useNavigate } from '@tanstack/react-router'
import type { Template } from '#domains/templates/contract.ts'
import { patterns } from '../../paths.ts'
import { templates } from '../../records/templates/store.ts'
import { saveTemplate } from '../../records/templates/template-writes.ts'
import { useDraft } from '../../ui/draft/use-draft.ts'
import { createTemplateDraft, type TemplateDraft } from './draft.ts'

export function useTemplateDraft(template: Template): TemplateDraft {
  const { id } = template
  const navigate = useNavigate()
  return useDraft(template, newDraft, () => {
    void navigate({ to: patterns.template, params: { id }, search: {} })
  })
}

function newDraft(template: Template): TemplateDraft {
  const { id } = template
  return createTemplateDraft(template, {
    save: (change, ifMatch) => saveTemplate(id, change, ifMatch),
    read: () => templates.read(id),
  })
}
