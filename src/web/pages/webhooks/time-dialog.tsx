import { Text, TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { inWords } from '../../problem.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { toast } from '../../ui/toast.ts'
import { fromLocalInput, toLocalInput } from '../../ui/local-time.ts'
import fieldsClasses from '../../ui/fields.module.css'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

type Props = {
  title: string
  about: string
  verb: string
  /** The days the list is filtered by, as instants; by default the last 24 hours. */
  initial: { from?: string; until?: string }
  /** Does it, and returns the text of the toast. */
  act: (window: { from: string; until: string }) => Promise<string>
  close: () => void
  /** Further filters. */
  children: ReactNode
}

/** Asks for a period to replay or resend. */
export function TimeDialog({ title, about, verb, initial, act, close, children }: Props) {
  const [from, setFrom] = useState(() => toLocalInput(initial.from ?? instant(-DAY_MS)))
  // The field has no seconds: includes the current minute.
  const [until, setUntil] = useState(() => toLocalInput(initial.until ?? instant(MINUTE_MS)))
  const [fault, setFault] = useState<{ from?: string; until?: string; whole?: string }>({})

  async function submit() {
    const window = { from: fromLocalInput(from), until: fromLocalInput(until) }
    if (!window.from) return setFault({ from: 'Enter a date and time' })
    if (!window.until) return setFault({ until: 'Enter a date and time' })
    if (window.from >= window.until) return setFault({ until: 'Must be after the start' })
    toast(await act({ from: window.from, until: window.until }))
    close()
  }

  return (
    <FormDialog
      title={title}
      size={460}
      verb={verb}
      act={submit}
      refused={error => setFault({ whole: inWords(error) })}
      fault={fault.whole}
      close={close}
    >
      <Text>{about}</Text>
      <div className={fieldsClasses.pair}>
        <TextInput
          type="datetime-local"
          label="From"
          value={from}
          error={fault.from}
          data-autofocus
          onChange={event => {
            setFrom(event.currentTarget.value)
            setFault({})
          }}
        />
        <TextInput
          type="datetime-local"
          label="Until"
          value={until}
          error={fault.until}
          onChange={event => {
            setUntil(event.currentTarget.value)
            setFault({})
          }}
        />
      </div>
      {children}
    </FormDialog>
  )
}

function instant(fromNowMs: number): string {
  return new Date(Date.now() + fromNowMs).toISOString()
}
