import type { Handover } from './mail.ts'

export type WhatsAppFile = { name: string; type: string; bytes: Uint8Array }

/** One of the templates that WhatsApp has approved, with a value for each of its parameters. */
export type WhatsAppTemplateUse = {
  name: string
  language: string
  values: readonly { part: TemplatePart; name: string | null; value: string }[]
}
export type TemplatePart = 'header' | 'body'

/** One message to one person. `reference` is ours, and comes back with everything that is told of it. */
export type WhatsAppMessage = {
  /** A phone number, or `whatsapp:` and an ID. */
  to: string
  text: string
  template?: WhatsAppTemplateUse | undefined
  /** The text is its caption. */
  file?: WhatsAppFile | undefined
  reference: string
}

/** A template as WhatsApp lists it. */
export type ListedTemplate = {
  name: string
  language: string
  category: string
  status: string
  header: string | null
  body: string
  footer: string | null
}

export type WhatsApp = {
  kind: 'outbox' | 'cloud'
  /** How many may be under way at once. */
  lanes: number
  /**
   * What WhatsApp calls it. `confirmed`: nothing more will be told of it. Otherwise it has only been accepted, and may still never
   * be sent. A rejection means that it was certainly not taken, or `WhatsAppUncertain`.
   */
  send(
    message: WhatsAppMessage,
    handover?: Handover,
  ): Promise<{ provider_id: string | null; confirmed: boolean }>
  /** What somebody sent us. Undefined when it is larger than that, or no longer there. */
  media(id: string, bytesMax: number): Promise<{ type: string; bytes: Uint8Array } | undefined>
  /** The approved templates that can be used here, and how many others there are; undefined where none can be asked for. */
  templates(): Promise<{ templates: ListedTemplate[]; skipped: number } | undefined>
  check(): Promise<void>
  close(): Promise<void>
}

/** No answer came after the request had left: it may be on its way. */
export class WhatsAppUncertain extends Error {}

/** WhatsApp said no, and would say so again. */
export class WhatsAppRefused extends Error {}
