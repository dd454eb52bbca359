import { Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Consent } from '#domains/calls/contract.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { inWords } from '../../problem.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { leadName } from '../leads/fields.ts'
import { changeConsent } from './call-writes.ts'
import begin from '../../ui/begin-dialog.module.css'
import textClasses from '../../ui/text.module.css'

const SOURCE_LENGTH_MAX = 200
const NOTE_LENGTH_MAX = 20_000

type Props = { lead: Lead; consent: Consent; close: () => void }

/** Records whether agents may call a lead, and the source. */
export function ConsentDialog({ lead, consent, close }: Props) {
  const [given, setGiven] = useState(consent.given ?? true)
  const [source, setSource] = useState('')
  const [note, setNote] = useState('')
  const [faults, setFaults] = useState<{ source?: string; whole?: string }>({})

  async function save() {
    if (!source.trim()) return setFaults({ source: 'Enter how you know' })
    await changeConsent(lead.id, {
      given,
      source: source.trim(),
      ...(note.trim() && { note: note.trim() }),
    })
    close()
  }

  return (
    <FormDialog
      title={`May agents call ${leadName(lead)}?`}
      size={460}
      verb="Save"
      act={save}
      refused={error => setFaults({ whole: inWords(error) })}
      fault={faults.whole}
      close={close}
    >
      <fieldset className={begin.starters}>
        <legend>Consent</legend>
        <label className={begin.starter}>
          <input
            type="radio"
            name="given"
            checked={given}
            data-autofocus={given || undefined}
            onChange={() => setGiven(true)}
          />
          <span>Consent given</span>
        </label>
        <label className={begin.starter}>
          <input
            type="radio"
            name="given"
            checked={!given}
            data-autofocus={!given || undefined}
            onChange={() => setGiven(false)}
          />
          <span>
            Opted out
            <span className={textClasses.under}>No agent will call them, whatever its settings.</span>
          </span>
        </label>
      </fieldset>
      <TextInput
        label="How do you know?"
        placeholder="By email, on the website, in person"
        value={source}
        error={faults.source}
        maxLength={SOURCE_LENGTH_MAX}
        onChange={event => {
          setSource(event.currentTarget.value)
          setFaults({})
        }}
      />
      <Textarea
        label="Note"
        description="Optional."
        autosize
        minRows={2}
        maxRows={6}
        maxLength={NOTE_LENGTH_MAX}
        value={note}
        onChange={event => setNote(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
