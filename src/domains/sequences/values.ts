export const stepTypes = ['email', 'delay', 'task', 'sms'] as const
export type StepType = (typeof stepTypes)[number]
export const sequenceStatuses = ['DRAFT', 'ACTIVE', 'PAUSED'] as const
export type SequenceStatus = (typeof sequenceStatuses)[number]
/** 1 is Monday. */
export const weekdays = [1, 2, 3, 4, 5, 6, 7] as const
export const delayUnits = ['calendar_days', 'working_days'] as const

export const STEPS_MAX = 50
export const DELAY_DAYS_MAX = 365
export const CONDITION_LENGTH_MAX = 500
export const DAILY_CAP_MAX = 100_000
