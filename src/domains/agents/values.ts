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
/** What an agent can do besides speaking or writing; others are the team's own. */
export const builtInTools = [
  'schedule_meeting',
  'look_up_lead',
  'update_field',
  'transfer',
  'end_call',
  'hand_over',
] as const
export type BuiltInTool = (typeof builtInTools)[number]
/** What makes sense only where somebody is on the phone, and only where they write. */
export const CALL_TOOLS: readonly BuiltInTool[] = ['transfer', 'end_call']
export const TEXT_TOOLS: readonly BuiltInTool[] = ['hand_over']
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
  'text',
] as const
export type VersionedField = (typeof versionedFields)[number]
/** Careful, until somebody says otherwise. */
export const DEFAULT_OUTBOUND = {
  consent: 'required',
  quiet_hours: { from: '20:00', until: '08:00' },
  attempts_max: 3,
  retry_after_min: 240,
} as const
export const ANSWERS_MAX = 100
export const TOPICS_MAX = 50
export const TOPIC_LENGTH_MAX = 200
/** What an agent may answer from: some thirty pages. */
export const FACTS_LENGTH_MAX = 50_000
export const TEXT_HOURS_MAX = 50
/** How an agent answers in text, unless its team says otherwise. */
export const DEFAULT_TEXT = {
  answers_max: 5,
  hours: null,
  topics: [] as string[],
  confidence_min: 0.6,
  facts: null,
  says_it_is_ai: true,
}
/** What a purchased agent may do unless its seller says otherwise. */
export const DEFAULT_LIMITS = { requests_per_minute: 60, concurrent_calls: 1 } as const
