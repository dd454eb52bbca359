import { Text } from '@mantine/core'
import { useState } from 'react'
import type { Meeting } from '#domains/meetings/contract.ts'
import { inWords, isProblem } from '../../problem.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { toast } from '../../ui/toast.ts'
import { moveMeeting } from '../../records/meetings/meeting-writes.ts'
import { takenInstead } from '../../records/meetings/taken.ts'
import { endOf, instantOf, whenOf } from '../../records/meetings/when.ts'
import { WhenFields } from '../../records/meetings/when-fields.tsx'
import { durationOf, guestOf } from '../../records/meetings/words.ts'
import { shortDayIn, timeIn } from '../../ui/zones.ts'
import { meetings } from '../../records/meetings/store.ts'

/** Reschedules a meeting; the guest is notified. */
export function MoveDialog({ meeting, close }: { meeting: Meeting; close: () => void }) {
  const [when, setWhen] = useState(() => whenOf(meeting.starts_at))
  const [fault, setFault] = useState<string>()
  const [instead, setInstead] = useState<string[]>()
  const guest = guestOf(meeting)
  const minutes = durationOf(meeting)

  async function move() {
    const starts_at = instantOf(when)
    if (!starts_at) return setFault('Choose a time')
    if (starts_at === new Date(meeting.starts_at).toISOString()) return setFault('Choose a different time')
    setInstead(undefined)
    await moveMeeting(meeting, { starts_at, ends_at: endOf(starts_at, minutes) })
    toast(`Rescheduled to ${shortDayIn(starts_at)}, ${timeIn(starts_at)}`)
    close()
  }

  function refused(error: unknown) {
    const taken = takenInstead(error)
    if (taken) setInstead(taken)
    else
      setFault(
        isProblem(error, 412) ? 'Someone else changed this meeting. Check it and try again.' : inWords(error),
      )
    void meetings.refresh()
  }

  return (
    <FormDialog
      title={`Reschedule meeting with ${guest}`}
      size={540}
      yOffset="8vh"
      verb="Reschedule"
      act={move}
      refused={refused}
      close={close}
    >
      <WhenFields
        host_id={meeting.host_id}
        duration={minutes}
        when={when}
        set={next => {
          setWhen(next)
          setFault(undefined)
          setInstead(undefined)
        }}
        own={meeting}
        guest={{ name: guest, zone: meeting.timezone }}
        fault={fault}
        instead={instead}
      />
      {meeting.guest_email && <Text c="dimmed">{meeting.guest_email} will be notified.</Text>}
    </FormDialog>
  )
}
