import type { Meeting, MeetingChange, NewMeeting } from '#domains/meetings/contract.ts'
import { api } from '../../api.ts'
import { queryClient } from '../../query-client.ts'
import { toastFault, toastWithUndo } from '../../ui/toast.ts'
import { holdMeetings, meetingQuery, patchMeeting, refreshMeetings } from './meetings-cache.ts'
import { guestOf } from './words.ts'

export async function bookMeeting(body: NewMeeting): Promise<Meeting> {
  return put(await api('POST /api/crm/meetings', { body }))
}

/** Only what builds on the meeting as we know it. */
export async function changeMeeting(meeting: Meeting, body: MeetingChange): Promise<Meeting> {
  const { id, updated_at } = meeting
  return put(await api('PATCH /api/crm/meetings/:id', { params: { id }, body, ifMatch: updated_at }))
}

export async function cancelMeeting({ id }: Meeting, reason: string): Promise<Meeting> {
  const words = reason.trim()
  return put(
    await api('POST /api/crm/meetings/:id/cancel', { params: { id }, body: words ? { reason: words } : {} }),
  )
}

type Verdict = 'HELD' | 'NO_SHOW' | 'BOOKED'

const verdictWords: Record<Verdict, (guest: string) => string> = {
  HELD: guest => `Held: the meeting with ${guest}`,
  NO_SHOW: guest => `${guest} did not come`,
  BOOKED: guest => `The meeting with ${guest} is open again`,
}

/** What became of it; can be taken back. */
export async function judge(meeting: Meeting, status: Verdict): Promise<void> {
  const before = meeting.status as Verdict
  if (await write(meeting, status))
    toastWithUndo(verdictWords[status](guestOf(meeting)), () => write({ ...meeting, status }, before))
}

/** Shows it at once; takes it back when the server refuses. */
async function write(meeting: Meeting, status: Verdict): Promise<boolean> {
  const { id } = meeting
  patchMeeting(id, { status })
  await holdMeetings()
  patchMeeting(id, { status })
  try {
    put(await api('PATCH /api/crm/meetings/:id', { params: { id }, body: { status } }))
    return true
  } catch (error) {
    patchMeeting(id, { status: meeting.status })
    toastFault(error, 'Not saved')
    void refreshMeetings()
    return false
  }
}

function put(meeting: Meeting): Meeting {
  patchMeeting(meeting.id, meeting)
  queryClient.setQueryData<Meeting>(meetingQuery(meeting.id).queryKey, meeting)
  void refreshMeetings()
  return meeting
}
