import { TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Enrolment } from '#domains/enrolments/contract.ts'
import { inWords } from '../../problem.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { exactly } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.ts'
import { fromLocalInput, toLocalInput } from '../../ui/local-time.ts'
import { reschedule } from '../enrolments/enrolment-writes.ts'

const DAY_MS = 86_400_000

type Props = { enrolment: Enrolment; lead: string; close: () => void }

/** Asks for a new time for the next step. */
export function Reschedule({ enrolment, lead, close }: Props) {
  const [at, setAt] = useState(() => toLocalInput(enrolment.next_step_at ?? tomorrow()))
  const [fault, setFault] = useState<string>()

  async function save() {
    const instant = fromLocalInput(at)
    if (!instant) return setFault('Enter a date and time')
    await reschedule(enrolment, instant)
    toast(`Next step for ${lead} rescheduled to ${exactly(instant)}`)
    close()
  }

  return (
    <FormDialog
      title={`Reschedule next step for ${lead}`}
      size="sm"
      verb="Reschedule"
      act={save}
      refused={error => setFault(inWords(error))}
      close={close}
    >
      <TextInput
        type="datetime-local"
        label="Date and time"
        description="In your time zone. The sending window and daily limit still apply."
        value={at}
        error={fault}
        data-autofocus
        onChange={event => {
          setAt(event.currentTarget.value)
          setFault(undefined)
        }}
      />
    </FormDialog>
  )
}

function tomorrow(): string {
  return new Date(Date.now() + DAY_MS).toISOString()
}
