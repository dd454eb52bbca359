import type { Template, TemplateChange } from '#domains/templates/contract.ts'
import { TEMPLATE_NAME_LENGTH_MAX } from '#domains/templates/values.ts'
import { api } from '../../api.ts'
import { isProblem } from '../../problem.ts'
import { templates } from './store.ts'

const COPIES_TRIED_MAX = 20

/** Under the first free name. */
export async function duplicateTemplate(template: Template): Promise<Template> {
  const { name, subject, body, format } = template
  for (let number = 1; ; number++) {
    const end = number === 1 ? ' copy' : ` copy ${number}`
    const copy = name.slice(0, TEMPLATE_NAME_LENGTH_MAX - end.length) + end
    try {
      return await templates.create({ name: copy, subject, body, format })
    } catch (error) {
      if (!isProblem(error, 409) || number >= COPIES_TRIED_MAX) throw error
    }
  }
}

/** Refused unless it is based on the current version. */
export function saveTemplate(id: string, body: TemplateChange, ifMatch: string): Promise<Template> {
  return templates.act(id, () => api('PATCH /api/outreach/templates/:id', { params: { id }, body, ifMatch }))
}
