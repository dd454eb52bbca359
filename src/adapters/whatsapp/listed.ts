import type { ListedTemplate } from '#platform/ports/whatsapp.ts'

export type GraphTemplate = {
  name?: string
  language?: string
  status?: string
  category?: string
  components?: GraphComponent[]
}

type GraphComponent = {
  type?: string
  format?: string
  text?: string
  buttons?: { type?: string; url?: string }[]
}

const APPROVED = 'APPROVED'
/** Without anything of its own for each message. */
const PLAIN_BUTTONS = ['QUICK_REPLY', 'PHONE_NUMBER', 'URL', 'VOICE_CALL']

/** Those that consist of text, and are approved. Pictures, one-time codes and links of their own are not supported. */
export function listed(found: readonly GraphTemplate[]): { templates: ListedTemplate[]; skipped: number } {
  const templates = found.flatMap(one => asListed(one) ?? [])
  return { templates, skipped: found.length - templates.length }
}

function asListed({
  name,
  language,
  status,
  category,
  components,
}: GraphTemplate): ListedTemplate | undefined {
  if (!name || !language || status !== APPROVED || !Array.isArray(components)) return undefined
  const of = (type: string) => components.find(one => one.type?.toUpperCase() === type)
  const [header, body, footer] = [of('HEADER'), of('BODY'), of('FOOTER')]
  const isPlain = components.every(
    ({ type = '', format, buttons = [] }) =>
      ['HEADER', 'BODY', 'FOOTER', 'BUTTONS'].includes(type.toUpperCase()) &&
      (format === undefined || format === 'TEXT') &&
      buttons.every(button => PLAIN_BUTTONS.includes(button.type ?? '') && !button.url?.includes('{{')),
  )
  if (!isPlain || typeof body?.text !== 'string' || category === 'AUTHENTICATION') return undefined
  return {
    name,
    language,
    status,
    category: category ?? 'UTILITY',
    header: header?.text ?? null,
    body: body.text,
    footer: footer?.text ?? null,
  }
}
