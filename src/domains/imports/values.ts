export const importStatuses = ['UPLOADING', 'READY', 'RUNNING', 'DONE', 'CANCELLED', 'FAILED'] as const
export type ImportStatus = (typeof importStatuses)[number]

/** What becomes of a row whose key a lead has already. */
export const duplicatePolicies = ['skip', 'update', 'create'] as const

/** Fields a column of the file may become; the team's own are `custom.<key>`. */
export const importFields = [
  'first_name',
  'last_name',
  'name',
  'email',
  'phone',
  'company',
  'title',
  'website',
  'timezone',
  'owner',
  'status',
  'pipeline_stage',
  'source',
] as const

/** By what a row and a lead are found to be the same; a custom field of kind text serves too. */
export const duplicateKeys = ['email', 'phone', 'website'] as const

export const IMPORT_BYTES_MAX = 50 * 1024 * 1024
export const IMPORT_ROWS_MAX = 500_000
export const IMPORT_COLUMNS_MAX = 200
export const PREVIEW_ROWS_MAX = 20
export const PREVIEW_CHECKED_MAX = 5_000
