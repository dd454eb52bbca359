export const workflowStatuses = ['DRAFT', 'ACTIVE', 'PAUSED'] as const
export type WorkflowStatus = (typeof workflowStatuses)[number]

/** RUNNING: it does something or waits for a time. PAUSED: it waits for a person. The others are its end. */
export const runStatuses = ['RUNNING', 'PAUSED', 'DONE', 'FAILED', 'CANCELLED'] as const
export type RunStatus = (typeof runStatuses)[number]

export const nodeTypes = ['condition', 'action', 'delay', 'split', 'merge', 'loop', 'break'] as const
export type NodeType = (typeof nodeTypes)[number]

export const actionNames = [
  'send_email',
  'send_sms',
  'create_task',
  'update_field',
  'assign_to_rep',
  'push_notification',
  'create_project',
  'generate_invoice',
  'call_webhook',
  'schedule_call',
  'reply',
  'update_conversation',
  'create_lead',
] as const
export type ActionName = (typeof actionNames)[number]

export const operators = [
  '>',
  '>=',
  '<',
  '<=',
  '==',
  '!=',
  'contains',
  'starts_with',
  'in',
  'exists',
] as const
export type Operator = (typeof operators)[number]

/** What is said of a node in a trace. */
export const outcomes = [
  'done',
  'yes',
  'no',
  'waiting',
  'held',
  'retrying',
  'failed',
  'skipped',
  'stopped',
] as const
export type Outcome = (typeof outcomes)[number]

export const NODES_MAX = 500
export const DEPTH_MAX = 10
export const PATHS_MAX = 20
export const TURNS_MAX = 100
export const STEPS_MAX = 1_000
export const FILTERS_MAX = 20
export const RETRIES_MAX = 10
export const DEFINITION_LENGTH_MAX = 200_000
export const DELAY_DAYS_MAX = 365
/** How many times workflows may trigger each other in a row before this counts as a loop. */
export const CHAIN_MAX = 10
export const START_LEADS_MAX = 500
/** Why a run was ended by nobody in particular. */
export const DELETED = 'The workflow was deleted.'
