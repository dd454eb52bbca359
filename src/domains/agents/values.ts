export const agentKinds = ['voice'] as const
export const agentSorts = ['created_at', 'updated_at', 'name'] as const
export const TOOLS_MAX = 20
export const TOOL_PARAMETERS_MAX = 20
export const ATTEMPTS_MAX = 10
export const RETRY_AFTER_MAX = 7 * 24 * 60
export const RETRY_AFTER_MIN = 5
export const INSTRUCTIONS_LENGTH_MAX = 20_000
export const GREETING_LENGTH_MAX = 1_000
export const TOOL_DESCRIPTION_LENGTH_MAX = 1_000
export const TOOL_URL_LENGTH_MAX = 2_000
/** What an agent can do in a call besides speaking; others are the team's own. */
export const builtInTools = ['schedule_meeting', 'look_up_lead', 'transfer', 'end_call'] as const
export type BuiltInTool = (typeof builtInTools)[number]
export const parameterTypes = ['string', 'number', 'boolean'] as const
/** What makes somebody else of it: an agent with one of these changed is a new version. */
export const versionedFields = [
  'name',
  'instructions',
  'greeting',
  'model',
  'voice',
  'tools',
  'transfer_to',
  'outbound',
] as const
export type VersionedField = (typeof versionedFields)[number]
/** Careful, until somebody says otherwise. */
export const DEFAULT_OUTBOUND = {
  consent: 'required',
  quiet_hours: { from: '20:00', until: '08:00' },
  attempts_max: 3,
  retry_after_min: 240,
} as const
/** What a purchased agent may do unless its seller says otherwise. */
export const DEFAULT_LIMITS = { requests_per_minute: 60, concurrent_calls: 1 } as const
