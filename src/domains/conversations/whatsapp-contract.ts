import {
  ById,
  defineEndpoints,
  Id,
  Instant,
  listOf,
  nullable,
  oneOf,
  paging,
  t,
  type Static,
} from '#platform/contract.ts'
import { defineEvent } from '#platform/events.ts'
import { TEMPLATE_NAME_LENGTH_MAX, TEMPLATE_VALUE_LENGTH_MAX, TEMPLATE_VALUES_MAX } from './values.ts'

const HEADER_LENGTH_MAX = 60
const BODY_LENGTH_MAX = 1_024
const FOOTER_LENGTH_MAX = 60

export const templateParts = ['header', 'body'] as const
export const templateSources = ['synced', 'entered'] as const

const name = t.String({
  pattern: `^[a-z0-9_]{1,${TEMPLATE_NAME_LENGTH_MAX}}$`,
  description: 'As in WhatsApp',
})
const language = t.String({ pattern: '^[a-z]{2,3}(?:_[A-Za-z]{2,4})?$', description: 'Like en or pt_BR' })
const text = (maxLength: number) => t.String({ minLength: 1, maxLength, pattern: '^[^\\u0000]*$' })

/** A message that WhatsApp has approved, with places for values: {{1}} or {{name}}. */
export const WhatsAppTemplate = t.Object(
  {
    id: Id,
    name: t.String(),
    language: t.String(),
    category: t.String({ description: 'By WhatsApp: MARKETING or UTILITY' }),
    header: nullable(t.String()),
    body: t.String(),
    footer: nullable(t.String()),
    parameters: t.Array(
      t.Object({ part: oneOf(templateParts), name: t.String({ description: 'Like 1 or first_name' }) }),
      { description: 'In the order of `values`' },
    ),
    source: oneOf(templateSources),
    created_at: Instant,
    updated_at: Instant,
  },
  { $id: 'WhatsAppTemplate' },
)
export type WhatsAppTemplate = Static<typeof WhatsAppTemplate>

const NewWhatsAppTemplate = t.Object(
  {
    name,
    language,
    category: t.Optional(oneOf(['MARKETING', 'UTILITY'])),
    header: t.Optional(nullable(text(HEADER_LENGTH_MAX))),
    body: text(BODY_LENGTH_MAX),
    footer: t.Optional(nullable(text(FOOTER_LENGTH_MAX))),
  },
  { additionalProperties: false },
)
export type NewWhatsAppTemplate = Static<typeof NewWhatsAppTemplate>

/** In a reply by WhatsApp, instead of `text`. Name and language are required; what is missing is named by the reply. */
export const TemplateChoice = t.Object(
  {
    name: t.Optional(
      t.String({
        minLength: 1,
        maxLength: TEMPLATE_NAME_LENGTH_MAX,
        pattern: '^[^\\u0000]*$',
        description: 'Required',
      }),
    ),
    language: t.Optional(
      t.String({ minLength: 1, maxLength: 20, pattern: '^[^\\u0000]*$', description: 'Required' }),
    ),
    values: t.Optional(
      t.Array(
        t.String({
          minLength: 1,
          maxLength: TEMPLATE_VALUE_LENGTH_MAX,
          pattern: '^[^\\u0000-\\u001f\\u007f]*$',
          description: 'One line',
        }),
        { maxItems: TEMPLATE_VALUES_MAX },
      ),
    ),
  },
  { additionalProperties: false },
)
export type TemplateChoice = Static<typeof TemplateChoice>

export const whatsappEndpoints = defineEndpoints({
  listWhatsAppTemplates: {
    method: 'GET',
    path: '/api/conversations/whatsapp-templates',
    summary: 'List WhatsApp templates, newest first',
    auth: { scope: 'conversations:read' },
    query: t.Object(paging, { additionalProperties: false }),
    output: listOf(WhatsAppTemplate),
  },
  createWhatsAppTemplate: {
    method: 'POST',
    path: '/api/conversations/whatsapp-templates',
    summary: 'Enter a template that WhatsApp has approved; its name and language are unique in the team',
    auth: { role: 'ADMIN' },
    body: NewWhatsAppTemplate,
    output: WhatsAppTemplate,
    status: 201,
  },
  readWhatsAppTemplate: {
    method: 'GET',
    path: '/api/conversations/whatsapp-templates/:id',
    summary: 'Read a WhatsApp template',
    auth: { scope: 'conversations:read' },
    params: ById,
    output: WhatsAppTemplate,
  },
  deleteWhatsAppTemplate: {
    method: 'DELETE',
    path: '/api/conversations/whatsapp-templates/:id',
    summary: 'Remove a WhatsApp template from this list; WhatsApp keeps it',
    auth: { role: 'ADMIN' },
    params: ById,
  },
  syncWhatsAppTemplates: {
    method: 'POST',
    path: '/api/conversations/whatsapp-templates/sync',
    summary: "Replace the synced templates by those that WhatsApp has approved for the operator's account",
    auth: { role: 'ADMIN' },
    output: t.Object({
      count: t.Integer({ description: 'Templates that can be used now' }),
      skipped: t.Integer({ description: 'Not approved, or with pictures, codes or links of their own' }),
    }),
    status: 200,
  },
})

const live = { live: 'conversations:read' } as const
const named = t.Object({ name: t.String(), language: t.String() })

export const whatsappTemplateEvents = {
  created: defineEvent('whatsapp_template.created', named, live),
  deleted: defineEvent('whatsapp_template.deleted', named, live),
  synced: defineEvent('whatsapp_template.synced', t.Object({ count: t.Integer() }), live),
}
