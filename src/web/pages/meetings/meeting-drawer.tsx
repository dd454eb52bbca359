import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import type { Meeting } from '#domains/meetings/contract.ts'
import { patterns } from '../../paths.ts'
import { useCan } from '../../queries.ts'
import { Person } from '../../ui/person.tsx'
import { Dotted } from '../../ui/stage.tsx'
import { Fault } from '../../ui/states.tsx'
import { Time, useNow } from '../../ui/time.tsx'
import { CopyIcon } from '../../ui/copy-line.tsx'
import { LeadLink } from '../../records/leads/lead-link.tsx'
import { usePeople } from '../../records/leads/people.ts'
import { Badge } from '../../ui/badge.tsx'
import { Beside, BesideWaiting, Fact, Facts, Part } from '../../ui/drawer.tsx'
import { judge } from '../../records/meetings/meeting-writes.ts'
import {
  durationOf,
  guestOf,
  minutesInWords,
  originWords,
  statusWords,
  syncWords,
} from '../../records/meetings/words.ts'
import { dayIn, guestTimes, placeOf, timesOf } from '../../ui/zones.ts'
import textClasses from '../../ui/text.module.css'
import cardClasses from '../../ui/card.module.css'
import copyLineClasses from '../../ui/copy-line.module.css'
import classes from './meeting-drawer.module.css'
import drawer from '../../ui/drawer.module.css'
import { meetings } from '../../records/meetings/store.ts'

const MoveDialog = lazy(() => import('./move-dialog.tsx').then(({ MoveDialog }) => ({ default: MoveDialog })))
const CancelDialog = lazy(() =>
  import('./cancel-dialog.tsx').then(({ CancelDialog }) => ({ default: CancelDialog })),
)
const DetailsDialog = lazy(() =>
  import('./details-dialog.tsx').then(({ DetailsDialog }) => ({ default: DetailsDialog })),
)

/** Details and actions of one meeting. */
export function MeetingDrawer({ id, close }: { id: string; close: () => void }) {
  const query = useQuery(meetings.query(id))
  const [asked, setAsked] = useState<Asked>()
  const meeting = query.data
  // A dialog replaces the drawer, which returns afterwards.
  if (meeting && asked) return <Question asked={asked} meeting={meeting} close={() => setAsked(undefined)} />
  return (
    <Beside title={meeting?.title ?? 'Meeting'} close={close}>
      {meeting ? (
        <Shown key={id} meeting={meeting} ask={setAsked} />
      ) : query.error ? (
        <Fault error={query.error} retry={() => void query.refetch()} />
      ) : (
        <BesideWaiting label="Loading meeting" />
      )}
    </Beside>
  )
}

type Asked = 'move' | 'cancel' | 'details' | undefined
type Ask = (what: Asked) => void

type QuestionProps = { asked: NonNullable<Asked>; meeting: Meeting; close: () => void }

function Question({ asked, meeting, close }: QuestionProps) {
  return (
    <Suspense fallback={null}>
      {asked === 'move' && <MoveDialog meeting={meeting} close={close} />}
      {asked === 'details' && <DetailsDialog meeting={meeting} close={close} />}
      {asked === 'cancel' && <CancelDialog meeting={meeting} close={close} />}
    </Suspense>
  )
}

function Shown({ meeting, ask }: { meeting: Meeting; ask: Ask }) {
  const canWrite = useCan('meetings:write')
  const { status, cancel_reason, description } = meeting
  return (
    <div className={drawer.parts}>
      <section className={drawer.part} aria-label="Status">
        <div className={drawer.verdict}>
          <Badge words={statusWords[status]} />
          {canWrite && <Acts meeting={meeting} ask={ask} />}
        </div>
        {cancel_reason && <p>Reason: {cancel_reason}</p>}
      </section>
      <Facts>
        <When meeting={meeting} />
        <Who meeting={meeting} />
        <Fact name="Booked">
          <span>
            {originWords[meeting.origin]}, <Time at={meeting.created_at} />
          </span>
        </Fact>
      </Facts>
      {description && (
        <Part title="Notes">
          <p className={classes.notes}>{description}</p>
        </Part>
      )}
      <GuestLinks meeting={meeting} />
    </div>
  )
}

/** Once it has begun, its outcome can be set. */
function Acts({ meeting, ask }: { meeting: Meeting; ask: Ask }) {
  const hasBegun = Date.parse(meeting.starts_at) <= useNow()
  const { status } = meeting
  return (
    <div className={cardClasses.acts}>
      {status === 'BOOKED' && hasBegun && (
        <>
          <Button size="xs" onClick={() => void judge(meeting, 'HELD')}>
            Held
          </Button>
          <Button size="xs" variant="default" onClick={() => void judge(meeting, 'NO_SHOW')}>
            No show
          </Button>
        </>
      )}
      {(status === 'HELD' || status === 'NO_SHOW') && (
        <Button size="xs" variant="default" onClick={() => void judge(meeting, 'BOOKED')}>
          Clear outcome
        </Button>
      )}
      {status === 'BOOKED' && (
        <>
          <Button size="xs" variant="default" onClick={() => ask('move')}>
            Reschedule
          </Button>
          <Button size="xs" variant="default" onClick={() => ask('details')}>
            Edit
          </Button>
          <Button size="xs" variant="default" c="var(--mantine-color-error)" onClick={() => ask('cancel')}>
            Cancel meeting
          </Button>
        </>
      )}
    </div>
  )
}

function When({ meeting }: { meeting: Meeting }) {
  const { timezone, location } = meeting
  const theirs = guestTimes(meeting, timezone)
  return (
    <>
      <Fact name="When">
        <span>
          {dayIn(meeting.starts_at)}, <b className={classes.time}>{timesOf(meeting)}</b>{' '}
          <span className={textClasses.dim}>({minutesInWords(durationOf(meeting))}, your time)</span>
        </span>
      </Fact>
      {theirs && (
        <Fact name="Guest time">
          <span>
            {dayIn(meeting.starts_at, timezone)}, <b className={classes.time}>{timesOf(meeting, timezone)}</b>{' '}
            <span className={textClasses.dim}>(in {placeOf(timezone)})</span>
          </span>
        </Fact>
      )}
      <Fact name="Location">
        {location ? <Place place={location} /> : <span className={textClasses.dim}>None</span>}
      </Fact>
    </>
  )
}

/** A web URL is a link; anything else is text. */
function Place({ place }: { place: string }) {
  if (!/^https?:\/\/\S+$/.test(place)) return <span>{place}</span>
  return (
    <a href={place} target="_blank" rel="noreferrer">
      {place}
    </a>
  )
}

function Who({ meeting }: { meeting: Meeting }) {
  const host = usePeople().get(meeting.host_id)
  const canSeeLeads = useCan('leads:read')
  const canSeeCalls = useCan('voice:read')
  const { lead_id, call_id, guest_name, guest_email } = meeting
  const sync = syncWords(meeting)
  return (
    <>
      <Fact name="Host">{host ? <Person member={host} /> : 'Former member'}</Fact>
      <Fact name="Guest">
        {guest_name && <span>{guest_name}</span>}
        {guest_email ? (
          <a href={`mailto:${encodeURIComponent(guest_email).replaceAll('%40', '@')}`}>{guest_email}</a>
        ) : (
          <span className={textClasses.dim}>
            {guest_name ? '(no email, not invited)' : 'No guest invited'}
          </span>
        )}
      </Fact>
      {lead_id && canSeeLeads && (
        <Fact name="Lead">
          <LeadLink id={lead_id} />
        </Fact>
      )}
      {call_id && canSeeCalls && (
        <Fact name="Call">
          <Link to={patterns.call} params={{ id: call_id }}>
            Open call
          </Link>
        </Fact>
      )}
      {sync && (
        <Fact name="Calendar">
          <Dotted tone={sync.tone}>{sync.label}</Dotted>
          {sync.about && <span className={textClasses.dim}>{sync.about}</span>}
        </Fact>
      )}
    </>
  )
}

/** Links to share with the guest. */
function GuestLinks({ meeting }: { meeting: Meeting }) {
  const { manage_url, status } = meeting
  if (status === 'CANCELLED') return null
  return (
    <Part title="Guest link">
      <p className={textClasses.dim}>
        {guestOf(meeting)} can reschedule or cancel with this link. Share it with no one else.
      </p>
      <div className={copyLineClasses.box}>
        <code>{manage_url}</code>
        <CopyIcon what="guest link" value={manage_url} />
      </div>
      <div className={cardClasses.acts}>
        <Button size="xs" variant="default" component="a" href={manage_url} target="_blank" rel="noreferrer">
          Open as guest
        </Button>
        <Button size="xs" variant="default" component="a" href={`${manage_url}/meeting.ics`} download>
          Calendar file
        </Button>
      </div>
    </Part>
  )
}
