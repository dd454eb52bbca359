import {
  anyOf,
  ById,
  defineEndpoints,
  Email,
  Id,
  Instant,
  listOf,
  nullable,
  oneOf,
  paging,
  sortBy,
  t,
  Text,
  type Static,
} from '#platform/contract.ts'
import { defineEvent } from '#platform/events.ts'
import { recordEndpoints } from '#platform/record-endpoints.ts'
import { recordEvents } from '#platform/records.ts'
import { TestAnswer } from '#domains/deliveries/contract.ts'
import { AutoReply, Domain, KEY_PATTERN, LongLine, Slug, Target } from './parts.ts'
import { publicEndpoints } from './public-contract.ts'
import {
  ALLOWED_DOMAINS_MAX,
  existingPolicies,
  FIELDS_MAX,
  fieldTypes,
  formSorts,
  NOTIFY_MAX,
  OPTIONS_MAX,
  STEPS_MAX,
  submissionStatuses,
  suspicions,
} from './values.ts'

export const FormField = t.Object(
  {
    key: t.String({ pattern: KEY_PATTERN, description: 'Key of the answer; unique in the form' }),
    type: oneOf(fieldTypes),
    label: Text,
    help: t.Optional(nullable(Text)),
    placeholder: t.Optional(nullable(Text)),
    required: t.Optional(t.Boolean({ description: 'A required checkbox is a consent' })),
    options: t.Optional(t.Array(Text, { minItems: 1, maxItems: OPTIONS_MAX, uniqueItems: true })),
    default_value: t.Optional(nullable(Text)),
    prefill: t.Optional(
      t.Boolean({ description: 'Prefilled from ?<key>=… in the page URL; hidden fields always are' }),
    ),
    step: t.Optional(
      t.Integer({ minimum: 0, maximum: STEPS_MAX - 1, description: 'Step it belongs to, starting at 0' }),
    ),
  },
  { $id: 'FormField', additionalProperties: false },
)
export type FormField = Static<typeof FormField>

/** What a visitor sees, and what becomes of the answers. A version is a copy of it. */
const content = {
  title: Text,
  description: nullable(LongLine),
  fields: t.Array(FormField, { maxItems: FIELDS_MAX }),
  steps: t.Array(Text, {
    maxItems: STEPS_MAX,
    description: 'Step titles; empty: everything on one page',
  }),
  submit_label: Text,
  thank_you: LongLine,
  redirect_url: nullable(
    t.String({
      maxLength: 2000,
      pattern: '^https?://[^\\s<>"\\u0000-\\u001f]+$',
      description: 'Redirect URL, used instead of the thank-you text',
    }),
  ),
  field_mapping: t.Record(t.String({ pattern: KEY_PATTERN }), Target, {
    additionalProperties: false,
    maxProperties: FIELDS_MAX,
    description: 'Which answer fills which lead field. Empty: no lead is created.',
  }),
}
export const FormContent = t.Object(content, { additionalProperties: false })
export type FormContent = Static<typeof FormContent>

const writable = {
  name: Text,
  slug: Slug,
  ...content,
  webhook_url: nullable(t.String({ maxLength: 2000, description: 'https only' })),
  auto_reply: nullable(AutoReply),
  notify: t.Array(Email, { maxItems: NOTIFY_MAX, uniqueItems: true }),
  allowed_domains: t.Array(Domain, {
    maxItems: ALLOWED_DOMAINS_MAX,
    uniqueItems: true,
    description: 'Sites allowed to embed the form, like *.example.com',
  }),
  on_existing: oneOf(existingPolicies, 'What happens to the fields of an existing lead'),
  published: t.Boolean({
    description: 'Whether the page is live. Setting it to true publishes pending changes.',
  }),
}

export const Form = t.Object(
  {
    id: Id,
    ...writable,
    version: t.Integer({ description: 'Latest published version; 0 if none' }),
    draft_changed: t.Boolean({ description: 'Whether there are unpublished changes' }),
    published_at: nullable(Instant),
    created_at: Instant,
    updated_at: Instant,
    deleted_at: nullable(Instant),
  },
  { $id: 'Form' },
)
export type Form = Static<typeof Form>

/** In lists and when read: with what came in. */
const FormWithCounts = t.Intersect([
  Form,
  t.Object({
    submissions: t.Object({ received: t.Integer(), quarantined: t.Integer(), last_at: nullable(Instant) }),
    webhook_endpoint_id: nullable(Id),
  }),
])
export type FormWithCounts = Static<typeof FormWithCounts>

export const FormChange = t.Partial(t.Object(writable), { additionalProperties: false, minProperties: 1 })
export type FormChange = Static<typeof FormChange>

export const NewForm = t.Object(
  { ...t.Partial(t.Object(writable)).properties, name: Text },
  { additionalProperties: false },
)
export type NewForm = Static<typeof NewForm>

export const FormVersion = t.Object({
  version: t.Integer(),
  content: FormContent,
  published_at: Instant,
  published_by: nullable(t.String({ description: 'Name of the person who published it' })),
})
export type FormVersion = Static<typeof FormVersion>

/** Where somebody came from. */
export const Touch = t.Object(
  {
    utm: t.Record(t.String(), t.String()),
    referrer: nullable(t.String()),
    page_url: nullable(t.String()),
    at: Instant,
  },
  { $id: 'Touch' },
)
export type Touch = Static<typeof Touch>

export const Answer = t.Union([t.String(), t.Number(), t.Boolean(), t.Array(t.String())])
export type Answers = Record<string, Static<typeof Answer>>

export const Submission = t.Object(
  {
    id: Id,
    form_id: Id,
    form_version: t.Integer(),
    lead_id: nullable(Id),
    status: oneOf(submissionStatuses),
    reasons: t.Array(oneOf(suspicions)),
    notes: t.Array(t.Object({ path: t.String(), message: t.String() }), {
      description: 'Answers that could not be saved on the lead, and why',
    }),
    values: t.Record(t.String(), Answer),
    first_touch: nullable(Touch),
    last_touch: Touch,
    ip: nullable(t.String()),
    user_agent: nullable(t.String()),
    created_at: Instant,
    released_at: nullable(Instant),
  },
  { $id: 'Submission' },
)
export type Submission = Static<typeof Submission>

const formFilters = {
  q: t.Optional(t.String({ maxLength: 200 })),
  published: t.Optional(t.Boolean()),
  trashed: t.Optional(t.Boolean({ description: 'List trashed records instead of active ones' })),
}
export const ListForms = t.Object(
  { ...paging, sort: sortBy(formSorts), ...formFilters },
  { additionalProperties: false },
)
export type ListForms = Static<typeof ListForms>

const submissionFilters = {
  status: anyOf(oneOf(submissionStatuses)),
  from: t.Optional(Instant),
  until: t.Optional(Instant),
}
export const ListSubmissions = t.Object(
  { ...paging, sort: sortBy(['created_at']), ...submissionFilters },
  { additionalProperties: false },
)
export type ListSubmissions = Static<typeof ListSubmissions>

const read = { scope: 'forms:read' } as const
const write = { scope: 'forms:write' } as const

export const endpoints = defineEndpoints({
  ...recordEndpoints({
    one: 'Form',
    many: 'Forms',
    path: '/api/crm/forms',
    read,
    write,
    query: ListForms,
    listed: FormWithCounts,
    whole: FormWithCounts,
    create: NewForm,
    change: FormChange,
    summaries: {
      list: 'List, sort and search forms',
      create: 'Create a form; without fields it asks for a name, an email address and a message',
      change:
        'Update a form; visitors see content changes once published, everything else applies immediately',
      trash: 'Move a form to the trash for 30 days; its page goes offline immediately',
    },
  }),
  previewForm: {
    method: 'POST',
    path: '/api/crm/forms/preview',
    summary: 'Preview the hosted page for this content',
    auth: read,
    body: FormContent,
    output: t.Object({ html: t.String() }),
  },
  publishForm: {
    method: 'POST',
    path: '/api/crm/forms/:id/publish',
    summary: 'Publish the form as a new version',
    auth: write,
    params: ById,
    output: FormWithCounts,
    etag: true,
  },
  listFormVersions: {
    method: 'GET',
    path: '/api/crm/forms/:id/versions',
    summary: 'List published versions of a form, newest first',
    auth: read,
    params: ById,
    query: t.Object({ ...paging }, { additionalProperties: false }),
    output: listOf(FormVersion),
  },
  testFormWebhook: {
    method: 'POST',
    path: '/api/crm/forms/:id/webhook-test',
    summary: 'Send a sample submission to the webhook_url, or to the given URL, and return the response',
    auth: write,
    params: ById,
    body: t.Object(
      { webhook_url: t.Optional(t.String({ maxLength: 2000 })) },
      { additionalProperties: false },
    ),
    output: TestAnswer,
  },
  listSubmissions: {
    method: 'GET',
    path: '/api/crm/forms/:id/submissions',
    summary: 'List submissions of a form, newest first',
    auth: read,
    params: ById,
    query: ListSubmissions,
    output: listOf(Submission),
  },
  exportSubmissions: {
    method: 'GET',
    path: '/api/crm/forms/:id/submissions/export',
    summary: 'Export submissions of a form as CSV, safe from formula injection',
    auth: read,
    params: ById,
    query: t.Object({ ...submissionFilters }, { additionalProperties: false }),
    media: 'text/csv',
  },
  readSubmission: {
    method: 'GET',
    path: '/api/crm/submissions/:id',
    summary: 'Read a submission',
    auth: read,
    params: ById,
    output: Submission,
  },
  releaseSubmission: {
    method: 'POST',
    path: '/api/crm/submissions/:id/release',
    summary: 'Release a submission from quarantine',
    auth: write,
    params: ById,
    output: Submission,
  },
  deleteSubmission: {
    method: 'DELETE',
    path: '/api/crm/submissions/:id',
    summary: 'Permanently delete a submission',
    auth: write,
    params: ById,
  },
  ...publicEndpoints,
})

const live = { live: 'forms:read' } as const
export const formEvents = recordEvents('form', 'forms:read')
export const formPublished = defineEvent(
  'form.published',
  t.Object({ name: t.String(), version: t.Integer() }),
  live,
)

/** A new submission that is nobody's suspicion, or that somebody has released. */
export const formSubmitted = defineEvent(
  'form.submitted',
  t.Object({
    form_id: Id,
    form_name: t.String(),
    submission_id: Id,
    values: t.Record(t.String(), Answer),
    utm: t.Record(t.String(), t.String()),
    first_touch: nullable(Touch),
    last_touch: Touch,
  }),
  { ...live, bare: true },
)
export const submissionQuarantined = defineEvent(
  'form.quarantined',
  t.Object({ form_id: Id, form_name: t.String(), reasons: t.Array(t.String()) }),
  live,
)
/** Who released it from quarantine; `form.submitted` covers the submission itself. */
export const submissionReleased = defineEvent(
  'submission.released',
  t.Object({ form_id: Id, form_name: t.String() }),
  live,
)
export const submissionDeleted = defineEvent(
  'submission.deleted',
  t.Object({ form_id: Id, form_name: t.String() }),
  live,
)
