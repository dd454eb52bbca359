import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Lead } from '#domains/leads/contract.ts'
import type { Refusal } from '#domains/softphone/values.ts'
import { paths, patterns } from '../../paths.ts'
import { inWords, isProblem } from '../../problem.ts'
import { useCan } from '../../queries.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { exactly } from '../../ui/time.tsx'
import { leadName } from '../leads/fields.ts'
import { nextTime, refusalAdvice, refusalOf } from './refusals.ts'
import classes from './dialogs.module.css'

const SOURCE_LENGTH_MAX = 200

type Props = {
  error: unknown
  lead: Lead
  busy: boolean
  /** Notes that they agreed, and calls. */
  consent: (source: string) => void
  schedule: (at: string) => void
  close: () => void
}

/** Why the agent does not call, and what to do about it. */
export function Refused({ error, lead, busy, consent, schedule, close }: Props) {
  const refusal = refusalOf(error)
  const next = nextTime(error)
  const why = refusal && isProblem(error) ? error.message : inWords(error)
  return (
    <div className={classes.refused} role="alert" ref={inSight}>
      <p className={classes.why}>{why}</p>
      {refusal && <p>{refusalAdvice[refusal]}</p>}
      {refusal === 'no_consent' && <Agreed busy={busy} consent={consent} />}
      {refusal === 'quiet_hours' && next && (
        <Button size="xs" variant="default" loading={busy} onClick={() => schedule(next)}>
          Schedule it for {exactly(next)}
        </Button>
      )}
      {refusal && <Way refusal={refusal} lead={lead} close={close} />}
    </div>
  )
}

/** It stands at the end of a dialog that may be longer than the window. */
function inSight(refused: HTMLDivElement | null): void {
  refused?.scrollIntoView({ block: 'nearest' })
}

function Agreed({ busy, consent }: { busy: boolean; consent: (source: string) => void }) {
  const [source, setSource] = useState('')
  const [fault, setFault] = useState<string>()
  const canWrite = useCan('voice:write')
  if (!canWrite) return null
  const submit = () => (source.trim() ? consent(source.trim()) : setFault('Say how they agreed'))
  return (
    <div className={classes.agreed}>
      <TextInput
        label="How did they agree?"
        placeholder="By mail, on the website, in person"
        value={source}
        error={fault}
        maxLength={SOURCE_LENGTH_MAX}
        onChange={event => {
          setSource(event.currentTarget.value)
          setFault(undefined)
        }}
        onKeyDown={event => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          submit()
        }}
      />
      <Button variant="default" loading={busy} onClick={submit}>
        Note consent and call
      </Button>
    </div>
  )
}

/** Where the reason can be done away with. */
function Way({ refusal, lead, close }: { refusal: Refusal; lead: Lead; close: () => void }) {
  const canSeeOutreach = useCan('outreach:write')
  const look = { size: 'xs', variant: 'default', onClick: close } as const
  if (refusal === 'no_phone')
    return (
      <LinkButton {...look} to={patterns.lead} params={{ id: lead.id }} search={{}}>
        Open {leadName(lead)}
      </LinkButton>
    )
  if (refusal === 'suppressed' && canSeeOutreach)
    return (
      <LinkButton {...look} to={paths.suppressions} search={lead.phone ? { q: lead.phone } : {}}>
        Open the do-not-contact list
      </LinkButton>
    )
  if (refusal === 'on_a_call')
    return (
      <LinkButton {...look} to={paths.calls} search={{ lead_id: lead.id, live: 'true' }}>
        Show that call
      </LinkButton>
    )
  if (refusal === 'too_many_calls')
    return (
      <LinkButton {...look} to={paths.calls} search={{ live: 'true' }}>
        Show the live calls
      </LinkButton>
    )
  return null
}
