import {
  defineEndpoints,
  Id,
  Instant,
  nullable,
  oneOf,
  paging,
  sortBy,
  t,
  type Static,
} from '#platform/contract.ts'
import { defineEvent } from '#platform/events.ts'
import { recordEndpoints } from '#platform/record-endpoints.ts'
import { BODY_LENGTH_MAX, SUBJECT_LENGTH_MAX, TEMPLATE_NAME_LENGTH_MAX, templateFormats } from './values.ts'

const scope = { scope: 'outreach:write' } as const

/** Sequences and workflows name it by this: it is unique in the team. */
export const TemplateName = t.String({
  minLength: 1,
  maxLength: TEMPLATE_NAME_LENGTH_MAX,
  pattern: '^[A-Za-z0-9][A-Za-z0-9 _.-]*$',
})

const writable = {
  name: TemplateName,
  subject: t.String({
    maxLength: SUBJECT_LENGTH_MAX,
    pattern: '^[^\\u0000-\\u001f\\u007f]*$',
    description: 'Empty to send it as a reply to the previous email',
  }),
  body: t.String({ minLength: 1, maxLength: BODY_LENGTH_MAX, pattern: '^[^\\u0000]*$' }),
  format: oneOf(templateFormats),
}

export const Template = t.Object(
  {
    id: Id,
    ...writable,
    created_at: Instant,
    updated_at: Instant,
    deleted_at: nullable(Instant),
  },
  { $id: 'Template' },
)
export type Template = Static<typeof Template>

const NewTemplate = t.Object(
  {
    name: writable.name,
    subject: t.Optional(writable.subject),
    body: writable.body,
    format: t.Optional(writable.format),
  },
  { additionalProperties: false },
)
export type NewTemplate = Static<typeof NewTemplate>
const TemplateChange = t.Partial(t.Object(writable), { additionalProperties: false, minProperties: 1 })
export type TemplateChange = Static<typeof TemplateChange>

const ListTemplates = t.Object(
  {
    ...paging,
    sort: sortBy(['name', 'created_at', 'updated_at']),
    q: t.Optional(t.String({ maxLength: 200 })),
    trashed: t.Optional(t.Boolean()),
  },
  { additionalProperties: false },
)
export type ListTemplates = Static<typeof ListTemplates>

/** A text to be looked at, for a lead or somebody made up. */
export const PreviewRequest = t.Object(
  {
    subject: t.Optional(writable.subject),
    body: writable.body,
    format: t.Optional(writable.format),
    lead_id: t.Optional(nullable(Id)),
    icebreaker: t.Optional(t.String({ maxLength: 1_000 })),
    bare: t.Optional(
      t.Boolean({
        description:
          'Only the text itself, to go on writing with: without signature, footer and unsubscribe link, and nothing in it is a placeholder any more',
      }),
    ),
  },
  { additionalProperties: false },
)
export type PreviewRequest = Static<typeof PreviewRequest>

/** What a reader would see. */
export const Rendered = t.Object({
  subject: t.String(),
  html: t.String({ description: 'A complete HTML page, to display in a sandbox without scripts' }),
  text: t.String(),
  missing: t.Array(t.String(), {
    description: 'Placeholders without a value for this lead and without a default',
  }),
})
export type Rendered = Static<typeof Rendered>

/** What can be between {{ and }}. */
export const Placeholder = t.Object({
  name: t.String({ description: 'As written in a template, like firstName' }),
  label: t.String(),
  sample: t.String(),
})
export type Placeholder = Static<typeof Placeholder>

export const endpoints = defineEndpoints({
  ...recordEndpoints({
    one: 'Template',
    many: 'Templates',
    path: '/api/outreach/templates',
    read: scope,
    write: scope,
    query: ListTemplates,
    listed: Template,
    whole: Template,
    create: NewTemplate,
    change: TemplateChange,
    summaries: {
      list: 'List templates',
      change: 'Update a template; emails not yet generated use the new text',
    },
  }),
  listPlaceholders: {
    method: 'GET',
    path: '/api/outreach/placeholders',
    summary: 'List available placeholders: lead fields, the sender and the icebreaker',
    auth: scope,
    output: t.Object({ data: t.Array(Placeholder) }),
  },
})

const Fields = t.Record(t.String(), t.Unknown())
const live = { live: 'outreach:write' } as const
export const templateEvents = {
  created: defineEvent('template.created', t.Object({ template: Fields }), live),
  changed: defineEvent(
    'template.changed',
    t.Object({ before: Fields, after: Fields, name: t.Optional(t.String()) }),
    live,
  ),
  trashed: defineEvent('template.trashed', t.Object({ name: t.Optional(t.String()) }), live),
  restored: defineEvent('template.restored', t.Object({ name: t.Optional(t.String()) }), live),
}
