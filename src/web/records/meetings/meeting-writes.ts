import type { Meeting } from '#domains/meetings/contract.ts'
import { api } from '../../api.ts'
import { meetings } from './store.ts'
import { guestOf } from './words.ts'

type When = Pick<Meeting, 'starts_at' | 'ends_at'>

/** The guest is notified immediately, so it requires the version shown here. */
export function moveMeeting({ id, updated_at: ifMatch }: Meeting, body: When): Promise<Meeting> {
  return meetings.act(id, () => api('PATCH /api/crm/meetings/:id', { params: { id }, body, ifMatch }))
}

export function cancelMeeting({ id }: Meeting, reason: string): Promise<Meeting> {
  const words = reason.trim()
  const body = words ? { reason: words } : {}
  return meetings.act(id, () => api('POST /api/crm/meetings/:id/cancel', { params: { id }, body }))
}

type Verdict = 'HELD' | 'NO_SHOW' | 'BOOKED'

const verdictWords: Record<Verdict, (guest: string) => string> = {
  HELD: guest => `Meeting with ${guest} marked as held`,
  NO_SHOW: guest => `Meeting with ${guest} marked as no show`,
  BOOKED: guest => `Outcome of the meeting with ${guest} cleared`,
}

/** Sets the outcome, with undo. */
export function judge(meeting: Meeting, status: Verdict): Promise<boolean> {
  return meetings.change(meeting.id, { status }, verdictWords[status](guestOf(meeting)))
}
