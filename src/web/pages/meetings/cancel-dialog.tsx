import { Button, Group, Modal, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import type { Meeting } from '#domains/meetings/contract.ts'
import { FocusBack } from '../../ui/focus-back.ts'
import { toast } from '../../ui/toast.ts'
import { useSubmit } from '../../ui/use-submit.ts'
import { cancelMeeting } from '../../records/meetings/meeting-writes.ts'
import { guestOf } from '../../records/meetings/words.ts'
import { dayIn, timesOf } from '../../ui/zones.ts'

const REASON_LENGTH_MAX = 2_000

/** The guest is notified immediately, so there is no undo. */
export function CancelDialog({ meeting, close }: { meeting: Meeting; close: () => void }) {
  const [reason, setReason] = useState('')
  const guest = guestOf(meeting)
  const { busy, submit } = useSubmit(async () => {
    await cancelMeeting(meeting, reason)
    toast(`Cancelled the meeting with ${guest}`)
    close()
  }, "Couldn't cancel the meeting")

  return (
    <>
      <FocusBack />
      <Modal opened onClose={close} title={`Cancel meeting with ${guest}?`} size="sm">
        <form onSubmit={submit}>
          <Text>
            {meeting.title}, {dayIn(meeting.starts_at)}, {timesOf(meeting)}. The time becomes free again
            {meeting.guest_email && ` and ${meeting.guest_email} is notified`}. This cannot be undone.
          </Text>
          <Textarea
            mt="md"
            label="Reason"
            description={meeting.guest_email ? 'Optional. Sent to the guest.' : 'Optional.'}
            rows={3}
            value={reason}
            maxLength={REASON_LENGTH_MAX}
            data-autofocus
            onChange={event => setReason(event.currentTarget.value)}
          />
          <Group justify="flex-end" mt="lg" gap="sm">
            <Button variant="default" onClick={close}>
              Keep meeting
            </Button>
            <Button type="submit" color="red" loading={busy}>
              Cancel meeting
            </Button>
          </Group>
        </form>
      </Modal>
    </>
  )
}
