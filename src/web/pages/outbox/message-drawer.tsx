import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import IconRobot from 'icon:robot'
import { useState } from 'react'
import type { MessageContent } from '#domains/messages/contract.ts'
import { patterns } from '../../paths.ts'
import { MailFrame } from '../../ui/mail-frame.tsx'
import { Fault } from '../../ui/states.tsx'
import { exactly, Time } from '../../ui/time.tsx'
import { plural } from '../../ui/words.ts'
import { LeadLink, useLeadName } from '../../records/leads/lead-link.tsx'
import { holdWords, outreachWords, stopWords } from '../../records/sequences/words.ts'
import { Badge } from '../../ui/badge.tsx'
import { Beside, BesideWaiting, Fact, Facts, Part } from '../../ui/drawer.tsx'
import { InertText } from '../../ui/inert-text.tsx'
import { EnrolmentMenu } from '../../records/enrolments/enrolment-menu.tsx'
import { outcomeIcons } from './marks.tsx'
import { MessageActs } from './message-acts.tsx'
import { messageQuery } from './outbox-cache.ts'
import { SequenceLink, useSequenceName } from '../../records/enrolments/sequence-link.tsx'
import { heardOf, holdOf, outcomeWords, stateOf, titleOf, whyOf } from '../../records/enrolments/words.ts'
import textClasses from '../../ui/text.module.css'
import classes from './message-drawer.module.css'
import drawer from '../../ui/drawer.module.css'
import { enrolments } from '../../records/enrolments/store.ts'

/** A message as its recipient sees it, and how they engaged with it. */
export function MessageDrawer({ id, close }: { id: string; close: () => void }) {
  const query = useQuery(messageQuery(id))
  const message = query.data
  return (
    <Beside title={message ? titleOf(message) : 'Message'} close={close}>
      {message ? (
        <Shown key={id} message={message} />
      ) : query.error ? (
        <Fault error={query.error} retry={() => void query.refetch()} />
      ) : (
        <BesideWaiting label="Loading message" />
      )}
    </Beside>
  )
}

function Shown({ message }: { message: MessageContent }) {
  const state = stateOf(message)
  const why = whyOf(message)
  return (
    <div className={drawer.parts}>
      <section className={drawer.part} aria-label="Status">
        <div className={drawer.verdict}>
          <Badge words={state} />
          <MessageActs message={message} />
        </div>
        <p>{state.about}</p>
        {why && <p className={textClasses.bad}>{why}</p>}
      </section>
      <Headers message={message} />
      {message.channel === 'email' ? <Mail message={message} /> : <TextMessage message={message} />}
      <HeardOfIt message={message} />
      {message.enrolment_id && <OnItsWay id={message.enrolment_id} />}
    </div>
  )
}

function Headers({ message }: { message: MessageContent }) {
  const { channel, from, address, reply_to, subject, lead_id, source_id, source_kind, step_index } = message
  return (
    <Facts>
      {channel === 'email' && <Fact name="From">{from}</Fact>}
      <Fact name="To">{address}</Fact>
      {channel === 'email' && reply_to && <Fact name="Reply-To">{reply_to}</Fact>}
      {channel === 'email' && <Fact name="Subject">{subject || 'No subject'}</Fact>}
      <Fact name="Lead">
        <LeadLink id={lead_id} />
      </Fact>
      {source_kind === 'sequence' && source_id && (
        <Fact name="Sequence">
          <span>
            <SequenceLink id={source_id} />
            {step_index !== null && `, step ${step_index + 1}`}
          </span>
        </Fact>
      )}
      <Fact name={message.sent_at ? 'Sent' : 'Due'}>{exactly(message.sent_at ?? message.due_at)}</Fact>
    </Facts>
  )
}

type View = 'mail' | 'dark' | 'text'

/** The HTML part, and the plain text part. */
function Mail({ message: { html, text, subject } }: { message: MessageContent }) {
  const [view, setView] = useState<View>(html === null ? 'text' : 'mail')
  return (
    <section className={drawer.part}>
      <div className={drawer.partHead}>
        <h3 className={drawer.partTitle}>As the recipient sees it</h3>
        {html !== null && (
          <SegmentedControl
            size="xs"
            aria-label="View"
            value={view}
            onChange={next => setView(next as View)}
            data={[
              { value: 'mail', label: 'Email' },
              { value: 'dark', label: 'Dark' },
              { value: 'text', label: 'Text' },
            ]}
          />
        )}
      </div>
      {html === null || view === 'text' ? (
        <InertText label="Email text" text={text} />
      ) : (
        <div className={classes.mail}>
          <MailFrame title={`Email: ${subject ?? ''}`} html={html} dark={view === 'dark'} />
        </div>
      )}
    </section>
  )
}

function TextMessage({ message: { text, segments } }: { message: MessageContent }) {
  return (
    <Part title="As the recipient sees it">
      <div className={classes.phone}>
        <p className={classes.bubble}>{text}</p>
        <p className={textClasses.meta}>
          {plural([...text].length, 'character')}
          {segments !== null && `, sent and billed as ${plural(segments, 'text message')}`}
        </p>
      </div>
    </Part>
  )
}

function HeardOfIt({ message }: { message: MessageContent }) {
  const heard = heardOf(message)
  return (
    <Part title="Engagement">
      {heard.length === 0 ? (
        <p className={textClasses.dim}>{message.sent_at ? 'None yet.' : 'Not sent yet.'}</p>
      ) : (
        <ol className={classes.heard}>
          {heard.map(({ what, at, machine }) => {
            const Shape = machine ? IconRobot : outcomeIcons[what]
            return (
              <li key={`${what}${machine}`}>
                <Shape size={16} aria-hidden />
                <span>{machine ? 'Opened automatically, not by a person' : outcomeWords[what]}</span>
                <Time at={at} />
              </li>
            )
          })}
        </ol>
      )}
    </Part>
  )
}

/** The current state of the enrolment that sent it. */
function OnItsWay({ id }: { id: string }) {
  const { data: enrolment } = useQuery({ ...enrolments.query(id), retry: false })
  const lead = useLeadName(enrolment?.lead_id ?? null) ?? 'this lead'
  const sequence = useSequenceName(enrolment?.sequence_id ?? null) ?? 'this sequence'
  if (!enrolment) return null
  const { status, stop_reason, ended_at, next_step_at, step_index, sequence_id } = enrolment
  const held = holdOf(enrolment)
  return (
    <Part title="Enrolment">
      <div className={classes.way}>
        <span>
          {ended_at
            ? `Ended: ${stop_reason ? stopWords[stop_reason] : outreachWords[status].label}`
            : held
              ? holdWords[held]
              : `Step ${step_index + 1} comes next`}
          {!ended_at && next_step_at && (
            <>
              {', '}
              <Time at={next_step_at} ahead />
            </>
          )}
          {'. '}
          <Link to={patterns.sequence} params={{ id: sequence_id }} search={{ tab: 'leads', enrolment: id }}>
            Why
          </Link>
        </span>
        {!ended_at && <EnrolmentMenu enrolment={enrolment} lead={lead} sequence={sequence} />}
      </div>
    </Part>
  )
}
