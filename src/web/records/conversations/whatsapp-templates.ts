import { queryOptions } from '@tanstack/react-query'
import type { WhatsAppTemplate } from '#domains/conversations/contract.ts'
import { api } from '../../api.ts'
import { cacheKeys } from '../../queries.ts'

const PAGE_SIZE = 200

export const whatsappTemplatesQuery = queryOptions({
  queryKey: cacheKeys.whatsappTemplates,
  queryFn: async ({ signal }): Promise<WhatsAppTemplate[]> => {
    const templates: WhatsAppTemplate[] = []
    let cursor: string | null = null
    do {
      const query = { limit: PAGE_SIZE, ...(cursor && { cursor }) }
      const page: { data: WhatsAppTemplate[]; next_cursor: string | null } = await api(
        'GET /api/conversations/whatsapp-templates',
        { query, signal },
      )
      templates.push(...page.data)
      cursor = page.next_cursor
    } while (cursor)
    return templates.toSorted((a, b) => a.name.localeCompare(b.name))
  },
})

/** What its reader sees; a place without a value stays as it is. */
export function filledTemplate(template: WhatsAppTemplate, values: readonly string[]): string {
  const { header, body, footer, parameters } = template
  const filled = (part: 'header' | 'body', text: string) =>
    text.replace(/\{\{\s*(\w+)\s*\}\}/g, (place, name: string) => {
      const at = parameters.findIndex(each => each.part === part && each.name === name)
      return values[at]?.trim() || place
    })
  return [header && filled('header', header), filled('body', body), footer].filter(Boolean).join('\n\n')
}
