export const plans = ['TRIAL', 'ACTIVE', 'EXPIRED'] as const
export type Plan = (typeof plans)[number]
export const entryKinds = ['grant', 'quota', 'purchase', 'use', 'refund', 'expiry'] as const
export type EntryKind = (typeof entryKinds)[number]
/** Credits of the month do not last; those that were bought do. The month's are used first. */
export const purses = ['monthly', 'purchased'] as const
export type Purse = (typeof purses)[number]
export const CREDITS_MAX = 1_000_000_000
/** Of a trial that the operator begins, where nothing else is configured. */
export const TRIAL_DAYS_DEFAULT = 14
