/** The fixed words of a lead, apart from the schemas so that the web app can carry them without a validator. */
export const callStatuses = [
  'NONE',
  'DIALING',
  'CONNECTED',
  'ENDED',
  'NO_ANSWER',
  'VOICEMAIL',
  'FAILED',
] as const
export const leadStatuses = ['NEW', 'WORKING', 'NURTURING', 'QUALIFIED', 'DISQUALIFIED', 'CUSTOMER'] as const
export const defaultPipelineStages = [
  'New',
  'Contacted',
  'Engage_AI',
  'Engage_Human',
  'Qualified',
  'Won',
  'Lost',
] as const
export const leadSorts = [
  'created_at',
  'updated_at',
  'last_activity_at',
  'last_name',
  'company',
  'email',
] as const

export const BULK_IDS_MAX = 500
export const PIPELINE_STAGES_MAX = 30
export const bulkStatuses = ['RUNNING', 'DONE', 'CANCELLED', 'FAILED'] as const

export type CallStatus = (typeof callStatuses)[number]
export type LeadStatus = (typeof leadStatuses)[number]
export type LeadSort = (typeof leadSorts)[number]
