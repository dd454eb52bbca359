import {
  anyOf,
  ById,
  defineEndpoints,
  Email,
  Id,
  Instant,
  listOf,
  LongText,
  nullable,
  oneOf,
  paging,
  Phone,
  sortBy,
  t,
  Text,
  WebAddress,
  type Static,
} from '#platform/contract.ts'
import { actorKinds } from '#platform/context.ts'
import { Custom, CustomFields } from '#platform/custom-fields.ts'
import { defineEvent } from '#platform/events.ts'
import { Filter, FilterParameter } from '#platform/filters/filter.ts'
import { outlineEndpoint, queryEndpoint, recordEndpoints } from '#platform/record-endpoints.ts'
import {
  BULK_IDS_MAX,
  bulkStatuses,
  callStatuses,
  leadSorts,
  leadStatuses,
  PIPELINE_STAGES_MAX,
} from './values.ts'

const STAGE_LENGTH_MAX = 60

const Stage = t.String({ minLength: 1, maxLength: STAGE_LENGTH_MAX, pattern: '^[^\\u0000-\\u001f\\u007f]+$' })
const Utm = t.Record(
  t.String({ pattern: '^[a-z_]{1,40}$' }),
  t.String({ maxLength: 500, pattern: '^[^\\u0000]*$' }),
  {
    additionalProperties: false,
    maxProperties: 20,
  },
)

/** What a person or an app may write. */
const writable = {
  first_name: nullable(Text),
  last_name: nullable(Text),
  email: nullable(Email),
  phone: nullable(Phone),
  company: nullable(Text),
  title: nullable(Text),
  website: nullable(WebAddress),
  timezone: nullable(t.String({ maxLength: 64, format: 'time-zone', description: 'An IANA time zone' })),
  owner_id: nullable(Id),
  account_id: nullable(Id),
  status: oneOf(leadStatuses),
  call_status: oneOf(callStatuses),
  pipeline_stage: Stage,
  source: nullable(Text),
  utm: Utm,
  custom: Custom,
}

export const Lead = t.Object(
  {
    id: Id,
    ...writable,
    last_activity_at: nullable(Instant),
    created_at: Instant,
    updated_at: Instant,
    deleted_at: nullable(Instant),
  },
  { $id: 'Lead' },
)
export type Lead = Static<typeof Lead>

export const LeadChange = t.Partial(t.Object(writable), { additionalProperties: false, minProperties: 1 })
export type LeadChange = Static<typeof LeadChange>

/** A new lead needs something to know it by; `leads/model.ts` says so. */
export const NewLead = t.Partial(t.Object(writable), { additionalProperties: false })
export type NewLead = Static<typeof NewLead>

const ColumnName = t.String({
  pattern: '^(?:custom\\.)?[a-z][a-z0-9_]{0,59}$',
  description: 'A field, or custom.<key>; all fields if absent',
})

/** What narrows a list of leads, and everything that is counted or changed by the same words. */
export const leadFilters = {
  q: t.Optional(
    t.String({ maxLength: 200, description: 'Search names, email addresses, phone numbers and companies' }),
  ),
  id: anyOf(Id),
  status: anyOf(oneOf(leadStatuses)),
  call_status: anyOf(oneOf(callStatuses)),
  pipeline_stage: anyOf(Stage),
  owner_id: anyOf(t.Union([Id, t.Literal('none')])),
  account_id: anyOf(Id),
  source: anyOf(Text),
  company: anyOf(Text),
  email: anyOf(Email),
  phone: anyOf(Phone),
  created_after: t.Optional(Instant),
  created_before: t.Optional(Instant),
  trashed: t.Optional(t.Boolean({ description: 'List trashed records instead of active ones' })),
  filter: FilterParameter,
}
const ListLeads = t.Object(
  { ...paging, sort: sortBy(leadSorts), ...leadFilters },
  { additionalProperties: false },
)
export type ListLeads = Static<typeof ListLeads>

export const LeadFilters = t.Object(leadFilters, { additionalProperties: false })
export type LeadFilters = Static<typeof LeadFilters>

/** Which leads something is done with: the parameters of the list, or a filter. */
export const WhichLeads = t.Union([LeadFilters, Filter])
export type WhichLeads = Static<typeof WhichLeads>

const OutlineQuery = t.Object({ sort: sortBy(leadSorts), ...leadFilters }, { additionalProperties: false })

/** The team's own pipeline and fields. */
export const LeadSettings = t.Object({
  pipeline_stages: t.Array(Stage, { minItems: 1, maxItems: PIPELINE_STAGES_MAX, uniqueItems: true }),
  custom_fields: CustomFields,
  updated_at: Instant,
})
export type LeadSettings = Static<typeof LeadSettings>
export type CustomField = LeadSettings['custom_fields'][number]

export const TimelineEntry = t.Object(
  {
    id: Id,
    type: t.String({ description: 'Event type, like lead.changed' }),
    at: Instant,
    subject: t.Object(
      { kind: t.String(), id: t.String() },
      { description: 'The lead or the related record it happened to' },
    ),
    cause: t.Object({
      kind: oneOf(actorKinds),
      id: nullable(t.String()),
      name: nullable(t.String()),
    }),
    data: t.Record(t.String(), t.Unknown()),
  },
  { $id: 'TimelineEntry' },
)
export type TimelineEntry = Static<typeof TimelineEntry>

export const BulkChange = t.Object(
  {
    ids: t.Array(Id, { minItems: 1, maxItems: BULK_IDS_MAX, uniqueItems: true }),
    set: t.Optional(LeadChange),
    /** To the trash, or back from it. */
    trashed: t.Optional(t.Boolean()),
  },
  { additionalProperties: false },
)

/** One change for everything that matches, however many: done block by block, and cancelled between two blocks. */
export const BulkJob = t.Object(
  {
    id: Id,
    filter: WhichLeads,
    set: t.Optional(LeadChange),
    trashed: t.Optional(t.Boolean()),
    status: oneOf(bulkStatuses),
    total: t.Integer({ description: 'Number of matching leads at the start' }),
    processed: t.Integer(),
    changed: t.Integer(),
    error: nullable(t.String()),
    created_at: Instant,
    updated_at: Instant,
    finished_at: nullable(Instant),
  },
  { $id: 'BulkJob' },
)
export type BulkJob = Static<typeof BulkJob>

const NewBulkJob = t.Object(
  { filter: WhichLeads, set: t.Optional(LeadChange), trashed: t.Optional(t.Boolean()) },
  { additionalProperties: false },
)
export type NewBulkJob = Static<typeof NewBulkJob>

export const endpoints = defineEndpoints({
  ...recordEndpoints({
    one: 'Lead',
    many: 'Leads',
    path: '/api/crm/leads',
    read: { scope: 'leads:read' },
    write: { scope: 'leads:write' },
    query: ListLeads,
    listed: Lead,
    whole: Lead,
    create: NewLead,
    change: LeadChange,
  }),
  ...outlineEndpoint('Leads', '/api/crm/leads', { scope: 'leads:read' }, OutlineQuery),
  ...queryEndpoint('Leads', '/api/crm/leads', { scope: 'leads:read' }, sortBy(leadSorts), Lead),
  bulkChangeLeads: {
    method: 'POST',
    path: '/api/crm/leads/bulk',
    summary: 'Update, trash or restore up to 500 leads in one transaction',
    auth: { scope: 'leads:write' },
    body: BulkChange,
    output: t.Object({ changed: t.Integer(), data: t.Array(Lead) }),
    status: 200,
  },
  listBulkChanges: {
    method: 'GET',
    path: '/api/crm/leads/bulk-changes',
    summary: 'List bulk changes with their progress, newest first',
    auth: { scope: 'leads:read' },
    query: t.Object({ ...paging, status: anyOf(oneOf(bulkStatuses)) }, { additionalProperties: false }),
    output: listOf(BulkJob),
  },
  createBulkChange: {
    method: 'POST',
    path: '/api/crm/leads/bulk-changes',
    summary: 'Update, trash or restore all matching leads in the background',
    auth: { scope: 'leads:write' },
    body: NewBulkJob,
    output: BulkJob,
    status: 201,
  },
  readBulkChange: {
    method: 'GET',
    path: '/api/crm/leads/bulk-changes/:id',
    summary: 'Read a bulk change and its progress',
    auth: { scope: 'leads:read' },
    params: ById,
    output: BulkJob,
  },
  cancelBulkChange: {
    method: 'POST',
    path: '/api/crm/leads/bulk-changes/:id/cancel',
    summary: 'Cancel a bulk change; changes already made stay',
    auth: { scope: 'leads:write' },
    params: ById,
    output: BulkJob,
    status: 200,
  },
  exportLeads: {
    method: 'GET',
    path: '/api/crm/leads/export',
    summary: 'Export matching leads as CSV, safe from formula injection',
    auth: { scope: 'leads:read' },
    query: t.Object(
      { sort: sortBy(leadSorts), ...leadFilters, columns: anyOf(ColumnName) },
      { additionalProperties: false },
    ),
    media: 'text/csv',
  },
  readTimeline: {
    method: 'GET',
    path: '/api/crm/leads/:id/timeline',
    summary: "List a lead's timeline, newest first, with the cause of each entry",
    auth: { scope: 'leads:read' },
    params: ById,
    query: t.Object({ ...paging, type: anyOf(t.String({ maxLength: 60 })) }, { additionalProperties: false }),
    output: listOf(TimelineEntry),
  },
  noteLead: {
    method: 'POST',
    path: '/api/crm/leads/:id/notes',
    summary: "Add a note to a lead's timeline",
    auth: { scope: 'leads:write' },
    params: ById,
    body: t.Object({ text: LongText }, { additionalProperties: false }),
    output: TimelineEntry,
    status: 201,
    location: '/api/crm/notes/{id}',
  },
  readNote: {
    method: 'GET',
    path: '/api/crm/notes/:id',
    summary: "Read a note on a lead's timeline",
    auth: { scope: 'leads:read' },
    params: ById,
    output: TimelineEntry,
  },
  readLeadSettings: {
    method: 'GET',
    path: '/api/crm/leads/settings',
    summary: "Read the team's pipeline stages and custom fields",
    auth: { scope: 'leads:read' },
    output: LeadSettings,
    etag: true,
  },
  changeLeadSettings: {
    method: 'PATCH',
    path: '/api/crm/leads/settings',
    summary: "Update the team's pipeline stages and custom fields",
    auth: { role: 'ADMIN' },
    body: t.Partial(t.Pick(LeadSettings, ['pipeline_stages', 'custom_fields']), {
      additionalProperties: false,
      minProperties: 1,
    }),
    output: LeadSettings,
    etag: true,
  },
})

const Fields = t.Record(t.String(), t.Unknown())
const live = { live: 'leads:read' } as const

export const leadCreated = defineEvent('lead.created', t.Object({ lead: Fields }), live)
export const leadChanged = defineEvent('lead.changed', t.Object({ before: Fields, after: Fields }), live)
/** A lead's pipeline stage or an opportunity's stage; `of` says which. */
export const dealStageChanged = defineEvent(
  'deal.stage_changed',
  t.Object({
    of: oneOf(['lead', 'opportunity']),
    name: t.Optional(t.String()),
    before: t.Object({ stage: t.String() }),
    after: t.Object({ stage: t.String() }),
  }),
  live,
)
export const leadTrashed = defineEvent('lead.trashed', t.Object({}), live)
export const leadRestored = defineEvent('lead.restored', t.Object({}), live)
export const bulkProgressed = defineEvent(
  'bulk_change.progressed',
  t.Object({
    status: oneOf(bulkStatuses),
    processed: t.Integer(),
    changed: t.Integer(),
    total: t.Integer(),
  }),
  live,
)
export const leadNoted = defineEvent('lead.noted', t.Object({ text: t.String() }), live)
export const leadSettingsChanged = defineEvent(
  'lead_settings.changed',
  t.Object({ before: Fields, after: Fields }),
  live,
)
