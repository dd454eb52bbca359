import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import type { CallInList, Consent } from '#domains/calls/contract.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { paths, patterns } from '../../paths.ts'
import { useCan } from '../../queries.ts'
import { useCommands } from '../../ui/commands.ts'
import { Panel, PanelAdd, PanelLine, PanelNote, PanelRecords } from '../../ui/panel.tsx'
import { Dotted } from '../../ui/stage.tsx'
import { Time } from '../../ui/time.tsx'
import { callsOfLeadQuery, consentQuery } from '../../records/calls/calls-cache.ts'
import { clockOf, consentWords, directionWords, isLive, statusWords } from '../../records/calls/words.ts'
import textClasses from '../../ui/text.module.css'
import classes from './lead-calls.module.css'

const LogDialog = lazy(() =>
  import('../../records/calls/log-dialog.tsx').then(({ LogDialog }) => ({ default: LogDialog })),
)
const ConsentDialog = lazy(() =>
  import('../../records/calls/consent-dialog.tsx').then(({ ConsentDialog }) => ({ default: ConsentDialog })),
)

/** Whether agents may call this lead, and its calls. */
export function LeadCalls({ lead }: { lead: Lead }) {
  return useCan('voice:read') ? <Shown lead={lead} /> : null
}

function Shown({ lead }: { lead: Lead }) {
  const canWrite = useCan('voice:write')
  const { data, isError } = useQuery(callsOfLeadQuery(lead.id))
  const consent = useQuery(consentQuery(lead.id)).data
  const [open, setOpen] = useState<'log' | 'consent'>()
  const close = () => setOpen(undefined)
  useCommands(
    canWrite
      ? [
          {
            id: 'log-call',
            group: 'This page',
            label: 'Log a call',
            words: 'phone write down',
            run: () => setOpen('log'),
          },
        ]
      : [],
  )
  return (
    <Panel title="Calls" action={canWrite && <PanelAdd run={() => setOpen('log')}>Log a call</PanelAdd>}>
      <Agreed consent={consent} change={canWrite ? () => setOpen('consent') : undefined} />
      <PanelRecords what="calls" records={data?.data} isError={isError} waiting={1}>
        {call => <Line key={call.id} call={call} />}
      </PanelRecords>
      {data?.next_cursor && (
        <PanelNote>
          <Link to={paths.calls} search={{ lead_id: lead.id }}>
            Show all
          </Link>
        </PanelNote>
      )}
      <Suspense fallback={null}>
        {open === 'log' && <LogDialog lead={lead} close={close} />}
        {open === 'consent' && consent && <ConsentDialog lead={lead} consent={consent} close={close} />}
      </Suspense>
    </Panel>
  )
}

type AgreedProps = { consent: Consent | undefined; change: (() => void) | undefined }

function Agreed({ consent, change }: AgreedProps) {
  const words = consent && consentWords(consent)
  return (
    <p className={classes.consent}>
      {words && <Dotted tone={words.tone}>{words.label}</Dotted>}
      {consent?.source && consent.at && (
        <span className={`${textClasses.dim} ${textClasses.cut}`} title={consent.note ?? consent.source}>
          {consent.source}, <Time at={consent.at} />
        </span>
      )}
      {change && (
        <Button
          size="xs"
          variant="subtle"
          color="gray"
          className={classes.change}
          aria-label="Change consent"
          disabled={!consent}
          onClick={change}
        >
          Change
        </Button>
      )}
    </p>
  )
}

function Line({ call }: { call: CallInList }) {
  const { tone, label } = statusWords[call.status]
  const about = [
    call.duration_sec && !isLive(call) ? clockOf(call.duration_sec) : undefined,
    call.outcome ?? undefined,
  ].filter(Boolean)
  return (
    <PanelLine
      about={
        <>
          {call.status === 'SCHEDULED' && call.scheduled_at ? (
            <Time at={call.scheduled_at} ahead />
          ) : (
            <Time at={call.started_at} />
          )}
          {about.length > 0 && ` · ${about.join(' · ')}`}
        </>
      }
      mark={<Dotted tone={tone}>{label}</Dotted>}
    >
      <Link to={patterns.call} params={{ id: call.id }}>
        {directionWords[call.direction]}
      </Link>
    </PanelLine>
  )
}
