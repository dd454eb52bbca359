import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Lead } from '#domains/leads/contract.ts'
import type { Refusal } from '#domains/softphone/values.ts'
import { paths, patterns } from '../../paths.ts'
import { useCan } from '../../queries.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { dayAndTime } from '../../ui/time.tsx'
import { leadName } from '../leads/fields.ts'
import { refusalAdvice, type Reason } from './refusals.ts'
import noticeClasses from '../../ui/notice.module.css'
import classes from './dialogs.module.css'

const SOURCE_LENGTH_MAX = 200

type Props = {
  reasons: readonly Reason[]
  lead: Lead
  busy: boolean
  /** Records consent, and calls if there is no other reason against it. */
  consent: (source: string) => void
  schedule: (at: string) => void
  close: () => void
}

/** All reasons against the call, and what to do about each. */
export function Refused({ reasons, lead, busy, consent, schedule, close }: Props) {
  const isLast = reasons.length === 1
  return (
    <div className={`${noticeClasses.box} ${classes.refused}`} role="alert" ref={inSight}>
      {reasons.map(({ code, message, next_at }) => (
        <div key={code} className={classes.reason}>
          <p className={classes.why}>{message}</p>
          <p>{refusalAdvice[code]}</p>
          {code === 'no_consent' && <Agreed busy={busy} calls={isLast} consent={consent} />}
          {/* Any other reason would still apply then. */}
          {code === 'quiet_hours' && next_at && isLast && (
            <Button size="xs" variant="default" loading={busy} onClick={() => schedule(next_at)}>
              Schedule for {dayAndTime(next_at)}
            </Button>
          )}
          <Way refusal={code} lead={lead} close={close} />
        </div>
      ))}
    </div>
  )
}

/** It is at the end of a dialog that may be taller than the window. */
function inSight(refused: HTMLDivElement | null): void {
  refused?.scrollIntoView({ block: 'nearest' })
}

type AgreedProps = { busy: boolean; calls: boolean; consent: (source: string) => void }

function Agreed({ busy, calls, consent }: AgreedProps) {
  const [source, setSource] = useState('')
  const [fault, setFault] = useState<string>()
  const canWrite = useCan('voice:write')
  if (!canWrite) return null
  const submit = () => (source.trim() ? consent(source.trim()) : setFault('Enter how they agreed'))
  return (
    <div className={classes.agreed}>
      <TextInput
        label="How did they agree?"
        placeholder="By email, on the website, in person"
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
        {calls ? 'Record consent and call' : 'Record consent'}
      </Button>
    </div>
  )
}

/** A link to where the reason can be resolved. */
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
        Open suppression list
      </LinkButton>
    )
  if (refusal === 'on_a_call')
    return (
      <LinkButton {...look} to={paths.calls} search={{ lead_id: lead.id, live: 'true' }}>
        Show call
      </LinkButton>
    )
  if (refusal === 'too_many_calls')
    return (
      <LinkButton {...look} to={paths.calls} search={{ live: 'true' }}>
        Show live calls
      </LinkButton>
    )
  return null
}
