import { SegmentedControl, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { DURATION_SEC_MAX, type CallDirection } from '#domains/calls/values.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { inWords } from '../../problem.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { toast } from '../../ui/toast.ts'
import { leadName } from '../leads/fields.ts'
import { fromLocalInput, toLocalInput } from '../../ui/local-time.ts'
import { logCall } from './call-writes.ts'
import { readDuration } from './words.ts'
import fieldsClasses from '../../ui/fields.module.css'

const OUTCOME_LENGTH_MAX = 200
const NOTES_LENGTH_MAX = 20_000

const results = [
  { value: 'ENDED', label: 'We spoke' },
  { value: 'NO_ANSWER', label: 'No answer' },
  { value: 'VOICEMAIL', label: 'Voicemail' },
] as const
type Result = (typeof results)[number]['value']

type Faults = { at?: string; long?: string; whole?: string }

/** Logs a call held without an agent. */
export function LogDialog({ lead, close }: { lead: Lead; close: () => void }) {
  const [direction, setDirection] = useState<CallDirection>('outbound')
  const [status, setStatus] = useState<Result>('ENDED')
  const [at, setAt] = useState(() => toLocalInput(new Date().toISOString()))
  const [long, setLong] = useState('')
  const [outcome, setOutcome] = useState('')
  const [notes, setNotes] = useState('')
  const [faults, setFaults] = useState<Faults>({})
  const spoke = status === 'ENDED'

  async function log() {
    const started_at = fromLocalInput(at)
    const duration_sec = spoke && long.trim() ? readDuration(long) : 0
    const wrong: Faults = {
      ...(!started_at && { at: 'Enter a date and time' }),
      ...(started_at && Date.parse(started_at) > Date.now() && { at: 'Must be in the past' }),
      ...((duration_sec === undefined || duration_sec > DURATION_SEC_MAX) && {
        long: 'Enter minutes, like 5 or 5:30',
      }),
    }
    setFaults(wrong)
    if (!started_at || duration_sec === undefined || Object.keys(wrong).length > 0) return
    await logCall({
      kind: 'manual',
      lead_id: lead.id,
      direction,
      started_at,
      status,
      ...(spoke && long.trim() && { duration_sec }),
      ...(outcome.trim() && { outcome: outcome.trim() }),
      ...(notes.trim() && { notes: notes.trim() }),
    })
    toast(`Logged the call with ${leadName(lead)}`)
    close()
  }

  return (
    <FormDialog
      title={`Log a call with ${leadName(lead)}`}
      size={480}
      verb="Log call"
      act={log}
      refused={error => setFaults({ whole: inWords(error) })}
      fault={faults.whole}
      close={close}
    >
      <SegmentedControl
        aria-label="Direction"
        value={direction}
        data={[
          { value: 'outbound', label: 'We called' },
          { value: 'inbound', label: 'They called' },
        ]}
        onChange={value => setDirection(value as CallDirection)}
      />
      <SegmentedControl
        aria-label="Result"
        value={status}
        data={[...results]}
        onChange={value => setStatus(value as Result)}
      />
      <div className={fieldsClasses.two}>
        <TextInput
          type="datetime-local"
          label="When"
          value={at}
          error={faults.at}
          onChange={event => setAt(event.currentTarget.value)}
        />
        {spoke && (
          <TextInput
            label="Duration"
            placeholder="Minutes"
            inputMode="decimal"
            value={long}
            error={faults.long}
            autoComplete="off"
            onChange={event => setLong(event.currentTarget.value)}
          />
        )}
      </div>
      <TextInput
        label="Outcome"
        placeholder={spoke ? 'Wants an offer by Friday' : 'Try again on Monday'}
        value={outcome}
        maxLength={OUTCOME_LENGTH_MAX}
        autoComplete="off"
        data-autofocus
        onChange={event => setOutcome(event.currentTarget.value)}
      />
      <Textarea
        label="Notes"
        autosize
        minRows={3}
        maxRows={10}
        maxLength={NOTES_LENGTH_MAX}
        value={notes}
        onChange={event => setNotes(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
