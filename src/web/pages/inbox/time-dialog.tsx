import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { inWords } from '../../problem.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { fromLocalInput, toLocalInput } from '../../ui/local-time.ts'

const DAY_MS = 86_400_000

type Props = { title: string; verb: string; act: (at: string) => unknown; close: () => void }

/** Asks for any time in the future. */
export function TimeDialog({ title, verb, act, close }: Props) {
  const [at, setAt] = useState(() => toLocalInput(new Date(Date.now() + DAY_MS).toISOString()))
  const [fault, setFault] = useState<string>()
  async function save() {
    const instant = fromLocalInput(at)
    if (!instant) return setFault('Enter a date and time')
    if (Date.parse(instant) <= Date.now()) return setFault('Enter a time in the future')
    close()
    await act(instant)
  }
  return (
    <FormDialog
      title={title}
      size="sm"
      verb={verb}
      act={save}
      refused={error => setFault(inWords(error))}
      close={close}
    >
      <TextInput
        type="datetime-local"
        label="Date and time"
        description="In your time zone"
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
