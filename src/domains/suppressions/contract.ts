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
  Phone,
  RowNumber,
  t,
  Text,
  type Static,
} from '#platform/contract.ts'
import { defineEvent } from '#platform/events.ts'
import { suppressionChannels, suppressionReasons } from './values.ts'

const scope = { scope: 'outreach:write' } as const

/** Somebody who is not to be written to, on one channel. */
export const Suppression = t.Object(
  {
    id: Id,
    channel: oneOf(suppressionChannels),
    address: t.String({ description: 'An email address in lower case, or a phone number in E.164 format' }),
    reason: oneOf(suppressionReasons),
    source: t.String({ description: 'Origin: a person, an unsubscribe link, a provider or a file' }),
    note: nullable(t.String()),
    created_at: Instant,
    lifted_at: nullable(Instant),
  },
  { $id: 'Suppression' },
)
export type Suppression = Static<typeof Suppression>

const NewSuppression = t.Object(
  { email: t.Optional(Email), phone: t.Optional(Phone), note: t.Optional(nullable(Text)) },
  { additionalProperties: false, minProperties: 1, description: 'email or phone, or both' },
)
export type NewSuppression = Static<typeof NewSuppression>

const filters = {
  q: t.Optional(t.String({ maxLength: 254, description: 'Start of an email address or phone number' })),
  channel: anyOf(oneOf(suppressionChannels)),
  reason: anyOf(oneOf(suppressionReasons)),
}
const ListSuppressions = t.Object(
  { ...paging, ...filters, lifted: t.Optional(t.Boolean({ description: 'Entries that have been removed' })) },
  { additionalProperties: false },
)
export type ListSuppressions = Static<typeof ListSuppressions>

export const SuppressionImport = t.Object({
  added: t.Integer(),
  known: t.Integer({ description: 'Rows that were already on the list' }),
  faults: t.Array(t.Object({ row: RowNumber, message: t.String() }), {
    description: 'The first hundred rows without a valid email address or phone number',
  }),
  faulty: t.Integer(),
})
export type SuppressionImport = Static<typeof SuppressionImport>

export const endpoints = defineEndpoints({
  listSuppressions: {
    method: 'GET',
    path: '/api/outreach/suppressions',
    summary: 'List suppressed addresses and numbers with the reason, newest first',
    auth: scope,
    query: ListSuppressions,
    output: listOf(Suppression),
  },
  createSuppression: {
    method: 'POST',
    path: '/api/outreach/suppressions',
    summary: 'Suppress an email address or phone number',
    auth: scope,
    body: NewSuppression,
    output: Suppression,
    status: 201,
  },
  readSuppression: {
    method: 'GET',
    path: '/api/outreach/suppressions/:id',
    summary: 'Read an entry',
    auth: scope,
    params: ById,
    output: Suppression,
  },
  liftSuppression: {
    method: 'DELETE',
    path: '/api/outreach/suppressions/:id',
    summary: 'Remove a suppression; the entry is kept as history',
    auth: scope,
    params: ById,
  },
  importSuppressions: {
    method: 'POST',
    path: '/api/outreach/suppressions/import',
    summary:
      'Import email addresses and phone numbers from a CSV file with the columns email, phone and note',
    auth: scope,
    upload: 'text/csv',
    output: SuppressionImport,
    status: 200,
  },
  exportSuppressions: {
    method: 'GET',
    path: '/api/outreach/suppressions/export',
    summary: 'Export the suppression list as CSV, safe from formula injection',
    auth: scope,
    query: t.Object(filters, { additionalProperties: false }),
    media: 'text/csv',
  },
})

const Told = t.Object({
  channel: oneOf(suppressionChannels),
  address: t.String(),
  reason: oneOf(suppressionReasons),
  source: t.String(),
})
const live = { live: 'outreach:write' } as const
export const suppressionAdded = defineEvent('suppression.added', Told, live)
export const suppressionLifted = defineEvent('suppression.lifted', Told, live)
/** A file brought these: one event for all of them. */
export const suppressionsImported = defineEvent(
  'suppression.imported',
  t.Object({ added: t.Integer(), known: t.Integer(), faulty: t.Integer() }),
  live,
)
