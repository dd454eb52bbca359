import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { Enrolment } from '#domains/enrolments/contract.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { useCan } from '../../queries.ts'
import { MoreButton } from '../../ui/more-button.tsx'
import { Panel, PanelNote, PanelWaiting } from '../../ui/panel.tsx'
import { Dotted } from '../../ui/stage.tsx'
import { Time } from '../../ui/time.tsx'
import { leadName } from '../../records/leads/fields.ts'
import { EnrolmentMenu } from '../../records/enrolments/enrolment-menu.tsx'
import { SequenceLink, useSequenceName } from '../../records/enrolments/sequence-link.tsx'
import { holdAdvice, holdOf } from '../../records/enrolments/words.ts'
import { holdWords, outreachWords, stopWords, waitsForPerson } from '../../records/sequences/words.ts'
import { enrolmentsOfQuery } from './lead-outreach-cache.ts'
import fieldsClasses from '../../ui/fields.module.css'
import classes from './lead-outreach.module.css'

const Trace = lazy(() => import('./lead-outreach-trace.tsx').then(({ Trace }) => ({ default: Trace })))

/** The sequences this lead is or was in: the next step and its time, or why there is none. */
export function LeadOutreach({ lead }: { lead: Lead }) {
  return useCan('outreach:write') ? <Shown lead={lead} /> : null
}

function Shown({ lead }: { lead: Lead }) {
  const query = useInfiniteQuery(enrolmentsOfQuery(lead.id))
  const enrolments = query.data?.pages.flatMap(page => page.data)
  const active = enrolments?.filter(({ ended_at }) => ended_at === null).length ?? 0
  const name = leadName(lead)
  return (
    <div className={fieldsClasses.wide}>
      <Panel
        title="Outreach"
        beside={active > 0 && `in ${active === 1 ? 'a sequence' : `${active} sequences`}`}
      >
        {query.isError && !enrolments && <PanelNote>Couldn't load sequences.</PanelNote>}
        {!enrolments && !query.isError && <PanelWaiting lines={1} />}
        {enrolments?.length === 0 && <PanelNote>Not in a sequence yet.</PanelNote>}
        {enrolments && enrolments.length > 0 && (
          <ul aria-label="This lead's sequences">
            {enrolments.map(enrolment => (
              <Line key={enrolment.id} enrolment={enrolment} lead={name} />
            ))}
          </ul>
        )}
        {query.hasNextPage && (
          <PanelNote>
            <MoreButton list={query} label="Show older" size="xs" />
          </PanelNote>
        )}
      </Panel>
    </div>
  )
}

function Line({ enrolment, lead }: { enrolment: Enrolment; lead: string }) {
  const [isOpen, setIsOpen] = useState(false)
  const sequence = useSequenceName(enrolment.sequence_id) ?? 'this sequence'
  return (
    <li className={classes.line}>
      <div className={classes.head}>
        <span className={classes.what}>
          <SequenceLink id={enrolment.sequence_id} />
          <Dotted tone={outreachWords[enrolment.status].tone}>{outreachWords[enrolment.status].label}</Dotted>
        </span>
        <Button
          size="xs"
          variant="subtle"
          color="gray"
          aria-expanded={isOpen}
          aria-label={`Why: ${sequence}`}
          onClick={() => setIsOpen(!isOpen)}
        >
          Why
        </Button>
        {!enrolment.ended_at && <EnrolmentMenu enrolment={enrolment} lead={lead} sequence={sequence} />}
      </div>
      <p className={classes.next}>
        <Next enrolment={enrolment} />
      </p>
      {isOpen && (
        <div className={classes.trace}>
          <Suspense fallback={<PanelWaiting />}>
            <Trace id={enrolment.id} />
          </Suspense>
        </div>
      )}
    </li>
  )
}

/** The next step and its time, why it is on hold, or how it ended. */
function Next({ enrolment }: { enrolment: Enrolment }) {
  const { ended_at, stop_reason, step_index, next_step_at } = enrolment
  const held = holdOf(enrolment)
  if (ended_at)
    return (
      <>
        {stop_reason ? stopWords[stop_reason] : 'Ended'}, <Time at={ended_at} />
      </>
    )
  return (
    <>
      Step {step_index + 1}
      {held ? (
        <>
          : <b data-bad={waitsForPerson(held) || undefined}>{holdWords[held]}.</b> {holdAdvice[held]}
        </>
      ) : (
        ' is next'
      )}
      {next_step_at && (
        <>
          {held ? ' Due ' : ', '}
          <Time at={next_step_at} ahead />
        </>
      )}
    </>
  )
}
