import { nullable, t, type Static } from '#platform/contract.ts'
import { ANSWER_MIN_MAX, OPEN_HOURS_MAX } from './values.ts'

const TimeOfDay = t.String({
  pattern: '^(?:[01]\\d|2[0-3]):[0-5]\\d$|^24:00$',
  description: 'A time of day, like 09:30',
})
export const OpenHours = t.Object(
  {
    day: t.Integer({ minimum: 1, maximum: 7, description: 'Monday is 1' }),
    from: TimeOfDay,
    until: TimeOfDay,
  },
  { additionalProperties: false },
)
export type OpenHours = Static<typeof OpenHours>

export const OpenWeek = t.Array(OpenHours, {
  maxItems: OPEN_HOURS_MAX,
  description: 'Empty: open at all times',
})
export const OpenZone = t.String({ maxLength: 64, format: 'time-zone', description: 'An IANA time zone' })

/** Until when an answer is due. */
export function openMinutes(description: string) {
  return nullable(t.Integer({ minimum: 1, maximum: ANSWER_MIN_MAX, description }))
}

/** The answer targets of a mailbox: what is null is the team's. */
export const ownTargets = {
  first_answer_min: openMinutes('Minutes of open hours until the first answer is due; null for the team’s'),
  next_answer_min: openMinutes('Minutes of open hours until later answers are due; null for the team’s'),
  timezone: nullable({ ...OpenZone, description: 'An IANA time zone; null for the team’s' }),
  hours: nullable({ ...OpenWeek, description: 'Empty: open at all times; null for the team’s' }),
}
const OwnTargets = t.Object(ownTargets)
export type OwnTargets = Static<typeof OwnTargets>
