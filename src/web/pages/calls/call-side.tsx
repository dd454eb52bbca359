import { Link } from '@tanstack/react-router'
import IconExternalLink from 'icon:external-link'
import type { ReactNode, RefObject } from 'react'
import type { Call } from '#domains/calls/contract.ts'
import { paths, patterns } from '../../paths.ts'
import { Panel, PanelNote } from '../../ui/panel.tsx'
import { exactly, Time } from '../../ui/time.tsx'
import { ANYONE } from '../../records/tasks/search.ts'
import { MeetingLink } from './meeting-link.tsx'
import { Notes } from './notes.tsx'
import { Outcome } from './outcome.tsx'
import {
  directionWords,
  durationInWords,
  followUpWords,
  isOver,
  kindWords,
  providerWords,
  safeAddress,
} from '../../records/calls/words.ts'
import factsClasses from '../../ui/facts.module.css'
import classes from './call-page.module.css'

type Props = { call: Call; notes: RefObject<HTMLTextAreaElement | null> }

/** Result, follow-up, notes and details. */
export function CallSide({ call, notes }: Props) {
  return (
    <div className={classes.side}>
      {isOver(call) && <Result call={call} />}
      {call.follow_up && <FollowUp of={call.follow_up} lead={call.lead_id} />}
      <Notes call={call} field={notes} />
      <Details call={call} />
    </div>
  )
}

function Result({ call }: { call: Call }) {
  const { summary, duration_sec, end_reason } = call
  const recording = safeAddress(call.recording_url)
  return (
    <Panel title="Result">
      <dl className={`${factsClasses.facts} ${classes.rows}`}>
        <Row label="Outcome">
          <Outcome call={call} />
        </Row>
        {duration_sec !== null && duration_sec > 0 && (
          <Row label="Duration">{durationInWords(duration_sec)}</Row>
        )}
        {end_reason && <Row label="End reason">{end_reason}</Row>}
        <Row label="Recording">
          {recording ? (
            <a href={recording} target="_blank" rel="noopener noreferrer" referrerPolicy="no-referrer">
              Listen <IconExternalLink size={14} aria-label="opens in a new tab" role="img" />
            </a>
          ) : (
            'None'
          )}
        </Row>
      </dl>
      <h3 className={classes.label}>Summary</h3>
      <p className={classes.summary} dir="auto">
        {summary ?? <span className={classes.dim}>No summary.</span>}
      </p>
    </Panel>
  )
}

type FollowUpProps = { of: NonNullable<Call['follow_up']>; lead: string | null }

function FollowUp({ of: { intent, reason, task_id, call_id, meeting_id, at }, lead }: FollowUpProps) {
  const waits = intent === 'retry' && !call_id && lead
  return (
    <Panel title="Follow-up">
      <PanelNote>
        {intent !== 'none' && (
          <b className={classes.strong}>
            {followUpWords[intent]}
            {at && (
              <>
                , <Time at={at} ahead />
              </>
            )}
            .{' '}
          </b>
        )}
        {intent !== 'meeting' && reason}
      </PanelNote>
      {(task_id || call_id || meeting_id || waits) && (
        <ul className={classes.ways}>
          {task_id && (
            <li>
              <Link to={paths.tasks} search={{ assignee_id: ANYONE, task: task_id }}>
                Open task
              </Link>
            </li>
          )}
          {call_id && (
            <li>
              <Link to={patterns.call} params={{ id: call_id }}>
                Open next call
              </Link>
            </li>
          )}
          {waits && (
            <li>
              <Link to={paths.calls} search={{ live: 'true', lead_id: waits }}>
                Show next call
              </Link>
            </li>
          )}
          {meeting_id && (
            <li>
              <MeetingLink id={meeting_id}>Open meeting</MeetingLink>
            </li>
          )}
        </ul>
      )}
    </Panel>
  )
}

function Details({ call }: { call: Call }) {
  return (
    <Panel title="Details">
      <dl className={`${factsClasses.facts} ${classes.rows}`}>
        <Row label="Type">{kindWords[call.kind]}</Row>
        <Row label="Direction">{directionWords[call.direction]}</Row>
        {call.from && <Row label="From">{call.from}</Row>}
        {call.to && <Row label="To">{call.to}</Row>}
        {call.scheduled_at && <Row label="Scheduled for">{exactly(call.scheduled_at)}</Row>}
        {call.status !== 'SCHEDULED' && <Row label="Started">{exactly(call.started_at)}</Row>}
        {call.attempt > 1 && <Row label="Attempt">{call.attempt}</Row>}
        {call.provider && <Row label="Provider">{providerWords[call.provider] ?? call.provider}</Row>}
      </dl>
    </Panel>
  )
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd dir="auto">{children}</dd>
    </div>
  )
}
