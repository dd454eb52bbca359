import {
  ById,
  defineEndpoints,
  Id,
  Instant,
  listOf,
  nullable,
  oneOf,
  paging,
  RowNumber,
  t,
  Text,
  type Static,
} from '#platform/contract.ts'
import { defineEvent } from '#platform/events.ts'
import { leadStatuses } from '#domains/leads/values.ts'
import { duplicatePolicies, IMPORT_COLUMNS_MAX, importStatuses } from './values.ts'

const FieldName = t.String({
  pattern: '^(?:custom\\.)?[a-z][a-z0-9_]{0,59}$',
  description:
    'A field of leads, `name` for first and last name in one, `owner` for an e-mail address, or custom.<key>',
})

/** What every new lead gets that its row says nothing about. */
const Defaults = t.Object(
  {
    owner_id: t.Optional(nullable(Id)),
    source: t.Optional(nullable(Text)),
    status: t.Optional(oneOf(leadStatuses)),
    pipeline_stage: t.Optional(Text),
  },
  { additionalProperties: false },
)

const writable = {
  mapping: t.Array(nullable(FieldName), {
    maxItems: IMPORT_COLUMNS_MAX,
    description: 'For each column of the file, in its order, the field it becomes; null: left out',
  }),
  duplicates: oneOf(duplicatePolicies, 'What becomes of a row whose key a lead has already'),
  duplicate_key: FieldName,
  automations: t.Boolean({ description: 'Whether workflows take notice of what comes in' }),
  defaults: Defaults,
}

export const Import = t.Object(
  {
    id: Id,
    file_name: t.String(),
    bytes: t.Integer(),
    status: oneOf(importStatuses),
    columns: t.Array(t.String(), { description: 'The header of the file' }),
    ...writable,
    total: t.Integer({ description: 'Rows of the file, without the header' }),
    processed: t.Integer(),
    created: t.Integer(),
    updated: t.Integer(),
    skipped: t.Integer({ description: 'Duplicates that were left alone' }),
    failed: t.Integer({ description: 'Rows with errors; the error file has them' }),
    error: nullable(t.String()),
    started_at: nullable(Instant),
    finished_at: nullable(Instant),
    created_at: Instant,
    updated_at: Instant,
  },
  { $id: 'Import' },
)
export type Import = Static<typeof Import>
export const ImportChange = t.Partial(t.Object(writable), { additionalProperties: false, minProperties: 1 })
export type ImportChange = Static<typeof ImportChange>

export const PreviewRow = t.Object({
  row: RowNumber,
  cells: t.Array(t.String()),
  errors: t.Array(
    t.Object({
      column: nullable(t.Integer({ description: 'Which column of the file; null: the row as a whole' })),
      message: t.String(),
    }),
  ),
})
export type PreviewRow = Static<typeof PreviewRow>

export const Preview = t.Object({
  checked: t.Integer({ description: 'How many rows were looked at' }),
  faulty: t.Integer({ description: 'How many of those have errors' }),
  rows: t.Array(PreviewRow, { description: 'The first rows' }),
  faulty_rows: t.Array(PreviewRow, { description: 'The first rows that have errors' }),
})
export type Preview = Static<typeof Preview>

const read = { scope: 'leads:read' } as const
const write = { scope: 'leads:write' } as const

export const endpoints = defineEndpoints({
  listImports: {
    method: 'GET',
    path: '/api/crm/imports',
    summary: 'Imports, newest first, with their progress',
    auth: read,
    query: t.Object(paging, { additionalProperties: false }),
    output: listOf(Import),
  },
  createImport: {
    method: 'POST',
    path: '/api/crm/imports',
    summary: 'Upload a CSV file of at most 50 MiB; nothing is imported until it is started',
    auth: write,
    query: t.Object({ file_name: t.Optional(Text) }, { additionalProperties: false }),
    upload: 'text/csv',
    output: Import,
    status: 201,
    etag: true,
  },
  readImport: {
    method: 'GET',
    path: '/api/crm/imports/:id',
    summary: 'How far an import has come',
    auth: read,
    params: ById,
    output: Import,
    etag: true,
  },
  changeImport: {
    method: 'PATCH',
    path: '/api/crm/imports/:id',
    summary: 'Say what the columns become and what is done with duplicates, before the import is started',
    auth: write,
    params: ById,
    body: ImportChange,
    output: Import,
    etag: true,
  },
  previewImport: {
    method: 'GET',
    path: '/api/crm/imports/:id/preview',
    summary: 'The first rows as they would be imported, with what is wrong in which cell',
    auth: read,
    params: ById,
    output: Preview,
  },
  startImport: {
    method: 'POST',
    path: '/api/crm/imports/:id/start',
    summary: 'Begin to import, in the background',
    auth: write,
    params: ById,
    output: Import,
    status: 200,
    etag: true,
  },
  cancelImport: {
    method: 'POST',
    path: '/api/crm/imports/:id/cancel',
    summary: 'Stop an import; what came in stays',
    auth: write,
    params: ById,
    output: Import,
    status: 200,
    etag: true,
  },
  exportImportErrors: {
    method: 'GET',
    path: '/api/crm/imports/:id/errors.csv',
    summary: 'The rows that were not imported, as they stood in the file, each with its errors',
    auth: read,
    params: ById,
    media: 'text/csv',
  },
  deleteImport: {
    method: 'DELETE',
    path: '/api/crm/imports/:id',
    summary: 'Forget an import that does not run; the leads it made stay',
    auth: write,
    params: ById,
  },
})

export const importUploaded = defineEvent(
  'import.uploaded',
  t.Object({ file_name: t.String(), rows: t.Integer() }),
  { live: 'leads:read' },
)
export const importProgressed = defineEvent(
  'import.progressed',
  t.Object({
    status: oneOf(importStatuses),
    total: t.Integer(),
    processed: t.Integer(),
    created: t.Integer(),
    updated: t.Integer(),
    skipped: t.Integer(),
    failed: t.Integer(),
  }),
  { live: 'leads:read' },
)
export const importDeleted = defineEvent('import.deleted', t.Object({ file_name: t.String() }), {
  live: 'leads:read',
})
