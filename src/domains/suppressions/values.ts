export const suppressionChannels = ['email', 'phone'] as const
export type SuppressionChannel = (typeof suppressionChannels)[number]

/** Why somebody is not to be written to. What the person itself said weighs more than what a machine found out. */
export const suppressionReasons = [
  'unsubscribed',
  'complained',
  'bounced',
  'stop',
  'manual',
  'imported',
] as const
export type SuppressionReason = (typeof suppressionReasons)[number]

export const SUPPRESSION_IMPORT_ROWS_MAX = 100_000
