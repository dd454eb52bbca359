import type { SequenceSettings } from '#domains/sequences/contract.ts'
import { ownZone } from '../../ui/zones.ts'

/** Monday to Friday, in each lead's time zone. */
export const officeHours: NonNullable<SequenceSettings['window']> = {
  days: [1, 2, 3, 4, 5],
  from: '09:00',
  until: '17:00',
}
const DAILY_CAP = 50

/** Defaults of a new sequence: nothing is sent at night, and a mistake reaches few. */
export const proposedSettings: Partial<SequenceSettings> = {
  window: officeHours,
  timezone: ownZone,
  daily_cap: DAILY_CAP,
}

export const proposedInWords = `Sends Monday to Friday, ${officeHours.from} to ${officeHours.until} in the lead’s time zone, at most ${DAILY_CAP} a day. You can change this in the sequence settings.`
