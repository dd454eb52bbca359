import { Modal, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import type { Consent } from '#domains/calls/contract.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { inWords } from '../../problem.ts'
import { DialogEnd } from '../../ui/dialog-end.tsx'
import { FocusBack } from '../../ui/focus-back.ts'
import { leadName } from '../leads/fields.ts'
import { changeConsent } from './call-writes.ts'
import begin from '../../ui/begin-dialog.module.css'

const SOURCE_LENGTH_MAX = 200
const NOTE_LENGTH_MAX = 20_000

type Props = { lead: Lead; consent: Consent; close: () => void }

/** Whether agents may call a lead, and how one knows. */
export function ConsentDialog({ lead, consent, close }: Props) {
  const [given, setGiven] = useState(consent.given ?? true)
  const [source, setSource] = useState('')
  const [note, setNote] = useState('')
  const [faults, setFaults] = useState<{ source?: string; whole?: string }>({})
  const [busy, setBusy] = useState(false)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (!source.trim()) return setFaults({ source: 'Say how you know' })
    setBusy(true)
    try {
      await changeConsent(lead.id, {
        given,
        source: source.trim(),
        ...(note.trim() && { note: note.trim() }),
      })
      close()
    } catch (error) {
      setFaults({ whole: inWords(error) })
      setBusy(false)
    }
  }

  return (
    <>
      <FocusBack />
      <Modal opened onClose={close} title={`May agents call ${leadName(lead)}?`} size={460}>
        <form onSubmit={event => void submit(event)} noValidate>
          <Stack gap="md">
            <fieldset className={begin.starters}>
              <legend>What they said</legend>
              <label className={begin.starter}>
                <input
                  type="radio"
                  name="given"
                  checked={given}
                  data-autofocus={given || undefined}
                  onChange={() => setGiven(true)}
                />
                <span>They agreed</span>
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
                  They do not want it
                  <span className={begin.about}>No agent calls them, whatever its own rules say.</span>
                </span>
              </label>
            </fieldset>
            <TextInput
              label="How do you know?"
              placeholder="By mail, on the website, in person"
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
              description="May stay empty."
              autosize
              minRows={2}
              maxRows={6}
              maxLength={NOTE_LENGTH_MAX}
              value={note}
              onChange={event => setNote(event.currentTarget.value)}
            />
            {faults.whole && (
              <Text role="alert" c="var(--mantine-color-error)">
                {faults.whole}
              </Text>
            )}
            <DialogEnd close={close} busy={busy}>
              Save
            </DialogEnd>
          </Stack>
        </form>
      </Modal>
    </>
  )
}
