import { Button } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Enrolment } from '#domains/enrolments/contract.ts'
import type { Message } from '#domains/messages/contract.ts'
import { patterns } from '../../paths.ts'
import { useMembers } from '../../queries.ts'
import { Confirm } from '../../ui/seldom-dialogs.tsx'
import { Bar, Fault } from '../../ui/states.tsx'
import { exactly, Time } from '../../ui/time.tsx'
import { LeadLink, useLeadName } from '../../records/leads/lead-link.tsx'
import { Reschedule } from '../../records/enrolments/reschedule.tsx'
import { heardOf, outcomeWords, stateOf, titleOf, whyOf } from '../../records/enrolments/words.ts'
import { Badge } from '../../ui/badge.tsx'
import { Beside, BesideWaiting, Fact, Facts, Part } from '../../ui/drawer.tsx'
import { NextAttempt } from '../../records/deliveries/next-attempt.tsx'
import { ShowOlder } from '../../ui/log-rows.tsx'
import {
  pauseEnrolment,
  resumeEnrolment,
  skipStep,
  stopEnrolment,
} from '../../records/enrolments/enrolment-writes.ts'
import { Icebreakers } from './icebreakers.tsx'
import { messagesOfQuery, traceQuery, versionsQuery } from '../../records/sequences/sequences-cache.ts'
import { TraceList } from '../../records/sequences/trace-list.tsx'
import {
  holdOf,
  holdWords,
  outreachWords,
  stepTitle,
  stopWords,
  waitsForPerson,
} from '../../records/sequences/words.ts'
import classes from '../../ui/drawer.module.css'
import textClasses from '../../ui/text.module.css'
import cardClasses from '../../ui/card.module.css'
import rowsClasses from '../../ui/rows.module.css'
import { enrolments } from '../../records/enrolments/store.ts'

/** One enrolment: its status, its messages, and every decision with its reason. */
export function EnrolmentDrawer({ id, close }: { id: string; close: () => void }) {
  const query = useQuery(enrolments.query(id))
  const name = useLeadName(query.data?.lead_id ?? null)
  return (
    <Beside title={name ?? 'Lead'} close={close}>
      {query.data ? (
        <Shown key={id} enrolment={query.data} name={name ?? 'this lead'} />
      ) : query.error ? (
        <Fault error={query.error} retry={() => void query.refetch()} />
      ) : (
        <BesideWaiting label="Loading lead" />
      )}
    </Beside>
  )
}

function Shown({ enrolment, name }: { enrolment: Enrolment; name: string }) {
  const { id, lead_id, sequence_id, status, version, step_index, next_step_at, ended_at } = enrolment
  const held = holdOf(enrolment)
  const enrolledBy = useMembers().find(member => member.id === enrolment.enrolled_by)?.name
  const versions = useQuery(versionsQuery(sequence_id)).data
  const steps = versions?.find(each => each.version === version)?.steps ?? []
  const step = steps[step_index]
  return (
    <div className={classes.parts}>
      <section className={classes.part} aria-label="Status">
        <div className={classes.verdict}>
          <Badge words={outreachWords[status]} />
          {!ended_at && <Acts enrolment={enrolment} name={name} />}
        </div>
        {held && !ended_at && (
          <p className={waitsForPerson(held) ? textClasses.bad : undefined}>{holdWords[held]}.</p>
        )}
        {enrolment.stop_reason && <p>{stopWords[enrolment.stop_reason]}.</p>}
      </section>
      <Facts>
        <Fact name="Lead">
          <LeadLink id={lead_id} />
        </Fact>
        {!ended_at && step && (
          <Fact name="Next step">
            {step_index + 1} {stepTitle(step)}
          </Fact>
        )}
        {!ended_at && next_step_at && !(held && waitsForPerson(held)) && (
          <Fact name="Due">
            <NextAttempt at={next_step_at} /> ({exactly(next_step_at)})
          </Fact>
        )}
        <Fact name="Version">{version}</Fact>
        <Fact name="Enrolled">
          <Time at={enrolment.created_at} />
          {enrolledBy && ` by ${enrolledBy}`}
        </Fact>
        {ended_at && (
          <Fact name="Ended">
            <Time at={ended_at} />
          </Fact>
        )}
      </Facts>
      <Icebreakers enrolment={enrolment} steps={steps} />
      <Messages id={id} />
      <Trace id={id} />
    </div>
  )
}

function Acts({ enrolment, name }: { enrolment: Enrolment; name: string }) {
  const [open, setOpen] = useState<'stop' | 'reschedule' | null>(null)
  const close = () => setOpen(null)
  return (
    <div className={cardClasses.acts}>
      {enrolment.paused_at ? (
        <Button size="xs" onClick={() => void resumeEnrolment(enrolment, name)}>
          Resume
        </Button>
      ) : (
        <Button size="xs" variant="default" onClick={() => void pauseEnrolment(enrolment, name)}>
          Pause
        </Button>
      )}
      <Button size="xs" variant="default" onClick={() => setOpen('reschedule')}>
        Reschedule
      </Button>
      <Button size="xs" variant="default" onClick={() => void skipStep(enrolment, name)}>
        Skip step
      </Button>
      <Button size="xs" variant="default" onClick={() => setOpen('stop')}>
        Stop
      </Button>
      {open === 'reschedule' && <Reschedule enrolment={enrolment} lead={name} close={close} />}
      {open === 'stop' && (
        <Confirm
          title={`Stop the sequence for ${name}?`}
          verb={`Stop for ${name}`}
          act={() => stopEnrolment(enrolment, name)}
          close={close}
        >
          This sequence sends nothing more to this lead, on any channel. It cannot be resumed, but you can
          enrol the lead again.
        </Confirm>
      )}
    </div>
  )
}

function Messages({ id }: { id: string }) {
  const { data } = useQuery(messagesOfQuery(id))
  if (!data) return <Bar width="100%" height={60} />
  if (data.length === 0) return null
  return (
    <Part title="Messages">
      <ul className={`${rowsClasses.rows} ${classes.list}`} aria-label="Messages">
        {data.map(message => (
          <MessageLine key={message.id} message={message} />
        ))}
      </ul>
    </Part>
  )
}

function MessageLine({ message }: { message: Message }) {
  const { id, sent_at, due_at, status } = message
  const heard = [...new Set(heardOf(message).map(({ what }) => outcomeWords[what]))]
  const why = status === 'SENT' ? undefined : whyOf(message)
  return (
    <li>
      <div className={classes.line}>
        <Badge words={stateOf(message)} />
        <span className={classes.what}>
          <Link to={patterns.outbox} search={{ message: id }}>
            {titleOf(message)}
          </Link>
        </span>
        {sent_at ? <Time at={sent_at} /> : <Time at={due_at} ahead />}
      </div>
      {heard.length > 0 && <p className={textClasses.dim}>{heard.join(', ')}</p>}
      {why && <p className={textClasses.bad}>{why}</p>}
    </li>
  )
}

function Trace({ id }: { id: string }) {
  const query = useInfiniteQuery(traceQuery(id))
  const entries = query.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <Part title="Activity">
      {query.isPending && <Bar width="100%" height={120} />}
      {query.isError && entries.length === 0 && (
        <Fault error={query.error} retry={() => void query.refetch()} />
      )}
      {entries.length > 0 && <TraceList label="Decisions" entries={entries} />}
      <ShowOlder query={query} />
    </Part>
  )
}
