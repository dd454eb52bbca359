import type { WhatsAppMessage, WhatsAppTemplateUse } from '#platform/ports/whatsapp.ts'
import { kindOfFile } from '#platform/whatsapp-files.ts'

/** The part of a request that says what is sent. */
export function contentOf({ text, template, file }: WhatsAppMessage, media_id: string | undefined) {
  if (template) return { type: 'template', template: templateOf(template) }
  if (!file) return { type: 'text', text: { body: text, preview_url: false } }
  const kind = kindOfFile(file.type)
  const caption = text && { caption: text }
  if (kind === 'document')
    return { type: 'document', document: { id: media_id, ...caption, filename: file.name } }
  return { type: kind, [kind]: { id: media_id, ...caption } }
}

function templateOf({ name, language, values }: WhatsAppTemplateUse) {
  const parts = ['header', 'body'] as const
  const components = parts.flatMap(part => {
    const parameters = values
      .filter(value => value.part === part)
      .map(value => ({
        type: 'text',
        ...(value.name !== null && { parameter_name: value.name }),
        text: value.value,
      }))
    return parameters.length > 0 ? [{ type: part, parameters }] : []
  })
  return { name, language: { code: language }, ...(components.length > 0 && { components }) }
}
