import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { inWords } from '../problem.ts'
import { FormDialog } from './form-dialog.tsx'
import { fromLocalInput, toLocalInput } from './local-time.ts'

const DAY_MS = 86_400_000

type Props = {
  title: string
  verb: string
  /** Tomorrow at this time, unless told. */
  begin?: string | null
  description?: string
  mayBePast?: true
  act: (at: string) => unknown
  close: () => void
}

/** Asks for any date and time. */
export function MomentDialog({ title, verb, begin, description, mayBePast, act, close }: Props) {
  const [at, setAt] = useState(() => toLocalInput(begin ?? new Date(Date.now() + DAY_MS).toISOString()))
  const [fault, setFault] = useState<string>()
  async function save() {
    const instant = fromLocalInput(at)
    if (!instant) return setFault('Enter a date and time')
    if (!mayBePast && Date.parse(instant) <= Date.now()) return setFault('Enter a time in the future')
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
        description={['In your time zone', description].filter(Boolean).join('. ')}
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
