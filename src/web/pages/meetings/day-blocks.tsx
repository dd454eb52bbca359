import { VisuallyHidden } from '@mantine/core'
import IconCheck from 'icon:check'
import IconUserOff from 'icon:user-off'
import { useMemo } from 'react'
import type { Meeting } from '#domains/meetings/contract.ts'
import { Avatar } from '../../ui/person.tsx'
import { usePeople } from '../../records/leads/people.ts'
import { dateOf } from '../../records/meetings/days.ts'
import { placed, type Placed } from '../../records/meetings/lanes.ts'
import { guestOf, statusWords } from '../../records/meetings/words.ts'
import { guestStart, guestTimes, placeOf, timeIn, timesOf } from '../../ui/zones.ts'
import textClasses from '../../ui/text.module.css'
import classes from './week.module.css'

const DAY_MIN = 24 * 60
/** Minutes; shorter blocks have one line. */
const TWO_LINES_MIN = 40
const THREE_LINES_MIN = 55

type Props = {
  day: string
  meetings: Meeting[] | undefined
  busy: { starts_at: string; ends_at: string }[] | undefined
  me: string
  open: (meeting: Meeting) => void
}

/** The meetings and busy times of one day. */
export function DayBlocks({ day, meetings, busy, me, open }: Props) {
  const blocks = useMemo(() => placed(meetings ?? [], dateOf(day)), [meetings, day])
  const away = useMemo(() => placed(busy ?? [], dateOf(day)), [busy, day])
  return (
    <div className={classes.day}>
      {away.map(({ item, from, until }) => (
        <span
          key={item.starts_at + item.ends_at}
          className={classes.busy}
          style={{ top: share(from), height: share(until - from) }}
          role="img"
          aria-label={`Busy in your calendar, ${timesOf(item)}`}
          title={`Busy in your calendar, ${timesOf(item)}`}
        />
      ))}
      {blocks.length > 0 && (
        <ul aria-labelledby={`day-${day}`} className={classes.blocks}>
          {blocks.map(block => (
            <Block key={block.item.id} block={block} isMine={block.item.host_id === me} open={open} />
          ))}
        </ul>
      )}
    </div>
  )
}

type BlockProps = { block: Placed<Meeting>; isMine: boolean; open: (meeting: Meeting) => void }

function Block({ block: { item: meeting, from, until, lane, lanes }, isMine, open }: BlockProps) {
  const host = usePeople().get(meeting.host_id)
  const { title, status, timezone } = meeting
  const theirs = guestTimes(meeting, timezone)
  const inZone = theirs && `${theirs} in ${placeOf(timezone)}`
  const hostName = host ? host.name || host.email : 'Former member'
  const words = [
    timesOf(meeting),
    inZone,
    title,
    guestOf(meeting),
    !isMine && `host ${hostName}`,
    status !== 'BOOKED' && statusWords[status].label.toLowerCase(),
  ]
    .filter(Boolean)
    .join(', ')
  const length = until - from
  return (
    <li
      style={{
        top: share(from),
        height: share(length),
        left: `${(lane / lanes) * 100}%`,
        width: `${100 / lanes}%`,
      }}
    >
      <button
        type="button"
        className={classes.block}
        data-mine={isMine || undefined}
        data-status={status}
        title={words}
        onClick={() => open(meeting)}
      >
        <VisuallyHidden>{words}</VisuallyHidden>
        <span className={classes.what} aria-hidden>
          {status === 'HELD' && <IconCheck size={14} />}
          {status === 'NO_SHOW' && <IconUserOff size={14} />}
          <b>{guestOf(meeting)}</b>
          {!isMine && <Avatar name={hostName} id={meeting.host_id} size={16} />}
        </span>
        {length >= TWO_LINES_MIN && (
          <span className={`${textClasses.cut} ${classes.when}`} aria-hidden>
            {timeIn(meeting.starts_at)} · {guestStart(meeting.starts_at, timezone) ?? title}
          </span>
        )}
        {length >= THREE_LINES_MIN && inZone && (
          <span className={`${textClasses.cut} ${classes.when}`} aria-hidden>
            {title}
          </span>
        )}
      </button>
    </li>
  )
}

function share(minutes: number): string {
  return `${(minutes / DAY_MIN) * 100}%`
}
