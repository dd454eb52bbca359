import type { NewTemplate, Template, TemplateChange } from '#domains/templates/contract.ts'
import { TEMPLATE_NAME_LENGTH_MAX } from '#domains/templates/values.ts'
import { api } from '../../api.ts'
import { isProblem } from '../../problem.ts'
import { queryClient } from '../../query-client.ts'
import { toast, toastFault, toastWithUndo } from '../../ui/toast.ts'
import { putTemplate, refreshTemplates, templateQuery } from './templates-cache.ts'

const COPIES_TRIED_MAX = 20

export async function createTemplate(body: NewTemplate): Promise<Template> {
  const template = await api('POST /api/outreach/templates', { body })
  putTemplate(template)
  refreshTemplates()
  return template
}

/** Under the first name like it that is free. */
export async function duplicateTemplate(template: Template): Promise<Template> {
  const { name, subject, body, format } = template
  for (let number = 1; ; number++) {
    const end = number === 1 ? ' copy' : ` copy ${number}`
    const copy = name.slice(0, TEMPLATE_NAME_LENGTH_MAX - end.length) + end
    try {
      return await createTemplate({ name: copy, subject, body, format })
    } catch (error) {
      if (!isProblem(error, 409) || number >= COPIES_TRIED_MAX) throw error
    }
  }
}

/** Only what builds on the template as we know it. */
export async function saveTemplate(id: string, body: TemplateChange, ifMatch?: string): Promise<Template> {
  const template = await api('PATCH /api/outreach/templates/:id', {
    params: { id },
    body,
    ...(ifMatch && { ifMatch }),
  })
  putTemplate(template)
  refreshTemplates()
  return template
}

/** Into the trash, and `leave` the page of what is no longer there. */
export async function trashTemplate({ id, name }: Template, leave?: () => void): Promise<void> {
  try {
    await api('DELETE /api/outreach/templates/:id', { params: { id } })
    leave?.()
    refreshTemplates()
    toastWithUndo(`Moved ${name} to the trash`, () => bringBack(id))
  } catch (error) {
    toastFault(error, 'Not moved to the trash')
  }
}

export async function restoreTemplate(id: string): Promise<void> {
  try {
    const { name } = await bringBack(id)
    toast(`Restored ${name}`)
  } catch (error) {
    toastFault(error, 'Not restored')
  }
}

async function bringBack(id: string): Promise<Template> {
  const template = await api('POST /api/outreach/templates/:id/restore', { params: { id } })
  await queryClient.resetQueries(templateQuery(id))
  refreshTemplates()
  return template
}
