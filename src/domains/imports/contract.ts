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
  description: "A lead field, `name` for full names, `owner` for a member's email address, or custom.<key>",
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
    description: 'The lead field for each column, in order; null to skip it',
  }),
  duplicates: oneOf(duplicatePolicies, 'What happens to rows that match an existing lead'),
  duplicate_key: FieldName,
  automations: t.Boolean({ description: 'Whether imported leads trigger workflows' }),
  defaults: Defaults,
}

export const Import = t.Object(
  {
    id: Id,
    file_name: t.String(),
    bytes: t.Integer(),
    status: oneOf(importStatuses),
    columns: t.Array(t.String(), { description: 'Column headers of the file' }),
    ...writable,
    total: t.Integer({ description: 'Number of rows, without the header' }),
    processed: t.Integer(),
    created: t.Integer(),
    updated: t.Integer(),
    skipped: t.Integer({ description: 'Duplicates skipped' }),
    failed: t.Integer({ description: 'Rows with errors; see the error file' }),
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
      column: nullable(t.Integer({ description: 'Column of the file; null for the whole row' })),
      message: t.String(),
    }),
  ),
})
export type PreviewRow = Static<typeof PreviewRow>

export const Preview = t.Object({
  checked: t.Integer({ description: 'Number of rows checked' }),
  faulty: t.Integer({ description: 'Number of checked rows with errors' }),
  rows: t.Array(PreviewRow, { description: 'The first rows' }),
  faulty_rows: t.Array(PreviewRow, { description: 'The first rows with errors' }),
})
export type Preview = Static<typeof Preview>

const read = { scope: 'leads:read' } as const
const write = { scope: 'leads:write' } as const

export const endpoints = defineEndpoints({
  listImports: {
    method: 'GET',
    path: '/api/crm/imports',
    summary: 'List imports with their progress, newest first',
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
    summary: 'Read an import and its progress',
    auth: read,
    params: ById,
    output: Import,
    etag: true,
  },
  changeImport: {
    method: 'PATCH',
    path: '/api/crm/imports/:id',
    summary: 'Set the column mapping and duplicate handling before starting an import',
    auth: write,
    params: ById,
    body: ImportChange,
    output: Import,
    etag: true,
  },
  previewImport: {
    method: 'GET',
    path: '/api/crm/imports/:id/preview',
    summary: 'Preview the first rows as they would be imported, with errors by cell',
    auth: read,
    params: ById,
    output: Preview,
  },
  startImport: {
    method: 'POST',
    path: '/api/crm/imports/:id/start',
    summary: 'Start an import in the background',
    auth: write,
    params: ById,
    output: Import,
    status: 200,
    etag: true,
  },
  cancelImport: {
    method: 'POST',
    path: '/api/crm/imports/:id/cancel',
    summary: 'Cancel an import; rows already imported stay',
    auth: write,
    params: ById,
    output: Import,
    status: 200,
    etag: true,
  },
  exportImportErrors: {
    method: 'GET',
    path: '/api/crm/imports/:id/errors.csv',
    summary: 'Download the rows that were not imported, as in the file, with their errors',
    auth: read,
    params: ById,
    media: 'text/csv',
  },
  deleteImport: {
    method: 'DELETE',
    path: '/api/crm/imports/:id',
    summary: 'Delete an import that is not running; its leads stay',
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
