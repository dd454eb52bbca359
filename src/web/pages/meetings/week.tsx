import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import type { Meeting } from '#domains/meetings/contract.ts'
import { useCan, useUser } from '../../queries.ts'
import { valuesOf } from '../../ui/record-list/search.ts'
import { Fault } from '../../ui/states.tsx'
import { useNow } from '../../ui/time.tsx'
import { DayBlocks } from './day-blocks.tsx'
import { dateOf, dayOf, spanOf } from '../../records/meetings/days.ts'
import { FreePlaces } from './free-places.tsx'
import { availabilityQuery, busyQuery, spanQuery } from '../../records/meetings/meetings-cache.ts'
import type { MeetingsSearch } from '../../records/meetings/search.ts'
import { workingOn } from '../../records/meetings/working-hours.ts'
import { dayIn, offsetName, timeIn } from '../../ui/zones.ts'
import classes from './week.module.css'

const HOURS = Array.from({ length: 24 }, (_, hour) => hour)
const HOUR_MIN = 60
/** First hour in view, unless working hours start earlier. */
const MORNING_MIN = 8 * HOUR_MIN
const DAY_MIN = 24 * HOUR_MIN

type Props = {
  days: string[]
  search: MeetingsSearch
  open: (meeting: Meeting) => void
  meetAt: (at: Date) => void
  /** Go past the first or last day shown. */
  turn: (by: 1 | -1) => void
}

/** A calendar with days as columns. */
export function Week({ days, search, open, meetAt, turn }: Props) {
  const canWrite = useCan('meetings:write')
  const me = useUser().id
  const span = spanOf(days)
  const hosts = valuesOf(search, 'host_id')
  const query = useQuery(spanQuery(span, hosts))
  const isMineShown = hosts.length === 0 || hosts.includes(me)
  const availability = useQuery(availabilityQuery).data
  const busy = useQuery({ ...busyQuery(span), enabled: isMineShown }).data
  const working = useMemo(
    () => days.map(day => (availability && isMineShown ? workingOn(day, availability) : undefined)),
    [days, availability, isMineShown],
  )
  const scroll = useScrollToMorning(working[0]?.[0]?.from)
  if (query.isError && !query.data) return <Fault error={query.error} retry={() => void query.refetch()} />
  return (
    <div
      ref={scroll}
      role="region"
      aria-label={days.length > 1 ? 'Week' : 'Day'}
      className={classes.scroll}
      // Without slots to focus, the region itself must be focusable to scroll.
      tabIndex={canWrite ? undefined : 0}
      style={{ '--days': days.length } as object}
      aria-busy={query.isPending}
    >
      <Heads days={days} />
      <div className={classes.body}>
        <div className={classes.hours} aria-hidden>
          {HOURS.slice(1).map(hour => (
            <span key={hour} style={{ top: share(hour * HOUR_MIN) }}>
              {timeIn(`1970-01-01T${String(hour).padStart(2, '0')}:00:00Z`, 'UTC')}
            </span>
          ))}
        </div>
        <div className={classes.columns}>
          {working.map((spans, index) => (
            <div key={days[index]} className={classes.ground} data-known={spans !== undefined || undefined}>
              {spans?.map(({ from, until }) => (
                <span
                  key={from}
                  className={classes.working}
                  style={{ top: share(from), height: share(until - from) }}
                />
              ))}
            </div>
          ))}
        </div>
        {canWrite && <FreePlaces days={days} meetAt={meetAt} turn={turn} />}
        <div className={classes.columns} data-over>
          {days.map(day => (
            <DayBlocks key={day} day={day} meetings={query.data} busy={busy} me={me} open={open} />
          ))}
        </div>
        <NowLine days={days} />
      </div>
    </div>
  )
}

function Heads({ days }: { days: string[] }) {
  const today = dayOf(useNow())
  return (
    <div className={classes.heads}>
      <span className={classes.zone} title="Your time zone">
        {offsetName(dateOf(days[0]!).getTime())}
      </span>
      {days.map(day => {
        const date = dateOf(day)
        return (
          <h2
            key={day}
            id={`day-${day}`}
            className={classes.dayHead}
            aria-current={day === today ? 'date' : undefined}
            aria-label={dayIn(date)}
          >
            <span aria-hidden>{date.toLocaleDateString('en', { weekday: 'short' })}</span>
            <b aria-hidden>{date.getDate()}</b>
          </h2>
        )
      })}
    </div>
  )
}

/** The line of the current time. */
function NowLine({ days }: { days: string[] }) {
  const now = new Date(useNow())
  const column = days.indexOf(dayOf(now))
  if (column < 0) return null
  const minutes = now.getHours() * HOUR_MIN + now.getMinutes()
  return (
    <div className={classes.now} style={{ top: share(minutes), '--column': column } as object} aria-hidden>
      <span />
    </div>
  )
}

/** Only once, when the page opens. */
function useScrollToMorning(workFrom: number | undefined) {
  const scroll = useRef<HTMLDivElement>(null)
  const done = useRef(false)
  useEffect(() => {
    if (done.current || !scroll.current) return
    done.current = workFrom !== undefined
    const begin = Math.min(MORNING_MIN, workFrom ?? MORNING_MIN)
    scroll.current.scrollTop = (Math.max(0, begin - HOUR_MIN / 2) / DAY_MIN) * height(scroll.current)
  }, [workFrom])
  return scroll
}

function height(scroll: HTMLElement): number {
  return scroll.querySelector<HTMLElement>(`.${classes.body}`)?.offsetHeight ?? 0
}

function share(minutes: number): string {
  return `${(minutes / DAY_MIN) * 100}%`
}
