export const meetingStatuses = ['BOOKED', 'CANCELLED', 'HELD', 'NO_SHOW'] as const
export type MeetingStatus = (typeof meetingStatuses)[number]
/** Who asked for it. */
export const meetingOrigins = ['person', 'booking_page', 'agent', 'api', 'workflow'] as const
export type MeetingOrigin = (typeof meetingOrigins)[number]
/** NONE: its host has no calendar elsewhere. */
export const syncStates = ['NONE', 'PENDING', 'SYNCED', 'FAILED'] as const
export const meetingSorts = ['starts_at', 'created_at'] as const

export const DURATION_MIN = 5
export const DURATION_MAX = 8 * 60
export const BUFFER_MAX = 240
export const NOTICE_MAX = 30 * 24 * 60
export const HORIZON_DAYS_MAX = 365
export const HOURS_MAX = 28
export const EXCEPTIONS_MAX = 100
export const PER_DAY_MAX = 50
/** Of slots that are asked for at once. */
export const SLOT_DAYS_MAX = 62
/** Slots begin at these minutes after the beginning of working hours. */
export const SLOT_STEP_MIN = 15
