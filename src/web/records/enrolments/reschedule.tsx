import { Modal, Stack, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import type { Enrolment } from '#domains/enrolments/contract.ts'
import { inWords } from '../../problem.ts'
import { DialogEnd } from '../../ui/dialog-end.tsx'
import { FocusBack } from '../../ui/focus-back.ts'
import { exactly } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.ts'
import { fromLocalInput, toLocalInput } from '../../ui/local-time.ts'
import { reschedule } from '../enrolments/enrolment-writes.ts'

const DAY_MS = 86_400_000

type Props = { enrolment: Enrolment; lead: string; close: () => void }

/** Asks when the next step should be done instead. */
export function Reschedule({ enrolment, lead, close }: Props) {
  const [at, setAt] = useState(() => toLocalInput(enrolment.next_step_at ?? tomorrow()))
  const [fault, setFault] = useState<string>()
  const [busy, setBusy] = useState(false)

  async function submit(event: FormEvent) {
    event.preventDefault()
    const instant = fromLocalInput(at)
    if (!instant) return setFault('Write a day and a time')
    setBusy(true)
    try {
      await reschedule(enrolment, instant)
      toast(`The next step for ${lead} is due ${exactly(instant)}`)
      close()
    } catch (error) {
      setFault(inWords(error))
      setBusy(false)
    }
  }

  return (
    <>
      <FocusBack />
      <Modal opened onClose={close} title={`The next step for ${lead}`} size="sm">
        <form onSubmit={event => void submit(event)} noValidate>
          <Stack gap="md">
            <TextInput
              type="datetime-local"
              label="Do it at"
              description="In your time zone. The sending window and the limit of the day still hold."
              value={at}
              error={fault}
              data-autofocus
              onChange={event => {
                setAt(event.currentTarget.value)
                setFault(undefined)
              }}
            />
            <DialogEnd close={close} busy={busy}>
              Reschedule
            </DialogEnd>
          </Stack>
        </form>
      </Modal>
    </>
  )
}

function tomorrow(): string {
  return new Date(Date.now() + DAY_MS).toISOString()
}
