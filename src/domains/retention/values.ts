/** What grows without end and is kept for a time. `null`: kept for ever. A team can choose up to DAYS_MAX. */
export const retentionRules = {
  events: { days: null, daysMin: 90 },
  workflow_runs: { days: 90, daysMin: 30 },
  webhook_deliveries: { days: 90, daysMin: 7 },
  inbound_events: { days: 90, daysMin: 30 },
  call_transcripts: { days: null, daysMin: 1 },
  enrolment_traces: { days: null, daysMin: 30 },
  mails: { days: 90, daysMin: 7 },
  notifications: { days: 90, daysMin: 7 },
  model_responses: { days: 90, daysMin: 30 },
} as const satisfies Record<string, { days: number | null; daysMin: number }>

export type RetentionKind = keyof typeof retentionRules

export const retentionKinds = Object.keys(retentionRules) as RetentionKind[]

/** Ten years. Longer is for ever. */
export const RETENTION_DAYS_MAX = 3_650
