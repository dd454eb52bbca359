import { Button, TextInput, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useUser } from '../../queries.ts'
import { Bar } from '../../ui/states.tsx'
import { useNow } from '../../ui/time.tsx'
import { usePeople } from '../leads/people.ts'
import { dateOf, dayOf } from './days.ts'
import { availabilityQuery, slotsQuery } from './meetings-cache.ts'
import { endOf, instantOf, isOffered, whenOf, type Slot, type When } from './when.ts'
import { isWithin } from './working-hours.ts'
import { dayIn, guestTimes, ownZone, placeOf, shortDayIn, timeIn } from '../../ui/zones.ts'
import textClasses from '../../ui/text.module.css'
import noticeClasses from '../../ui/notice.module.css'
import classes from './when-fields.module.css'

/** How far ahead to look for available times. */
const DAYS_AHEAD = 21

type Props = {
  host_id: string
  /** Undefined: the host's default. */
  duration: number | undefined
  when: When
  set: (when: When) => void
  /** Their time zone may differ. */
  guest: { name: string; zone: string | null }
  /** The meeting to reschedule: its own time counts as available. */
  own?: Slot & { id: string }
  fault: string | undefined
  /** Alternatives when the chosen time was taken. */
  instead: string[] | undefined
}

/** Date, available times, and a field for any other time. */
export function WhenFields({ host_id, duration, when, set, guest, own, fault, instead }: Props) {
  const today = dayOf(useNow())
  const from = when.day || today
  const span = { from: dateOf(from).toISOString(), until: dateOf(from, DAYS_AHEAD).toISOString() }
  const query = useQuery(slotsQuery(host_id, span, duration, own?.id))
  const slots = query.data?.slots
  const first = slots?.[0]
  const day = when.day || (first ? whenOf(first.starts_at).day : today)
  const onDay = slots?.filter(({ starts_at }) => whenOf(starts_at).day === day)
  const minutes = duration ?? query.data?.duration_min
  return (
    <div className={classes.when}>
      <div className={classes.fields}>
        <TextInput
          type="date"
          label="Date"
          value={day}
          onChange={event => set({ day: event.currentTarget.value, time: when.time })}
        />
        <TextInput
          type="time"
          label="Time"
          value={when.time}
          error={fault}
          onChange={event => set({ day, time: event.currentTarget.value })}
        />
        <p className={classes.zone}>Your time, {placeOf(ownZone)}</p>
      </div>
      {instead && <Instead times={instead} guest={guest} take={at => set(whenOf(at))} />}
      <FreeTimes
        host_id={host_id}
        day={day}
        slots={onDay}
        next={onDay?.length === 0 ? first : undefined}
        isFailed={query.isError}
        chosen={instantOf({ ...when, day })}
        guest={guest}
        take={at => set(whenOf(at))}
      />
      <Warning
        own={own}
        host_id={host_id}
        at={instantOf({ ...when, day })}
        minutes={minutes}
        slots={slots}
        guest={guest}
      />
    </div>
  )
}

type FreeProps = {
  host_id: string
  day: string
  slots: Slot[] | undefined
  /** The next on another day, if there is none on this one. */
  next: Slot | undefined
  isFailed: boolean
  chosen: string | undefined
  guest: Props['guest']
  take: (at: string) => void
}

function FreeTimes({ host_id, day, slots, next, isFailed, chosen, guest, take }: FreeProps) {
  const whose = useWhose(host_id)
  if (isFailed && !slots) return <p className={classes.note}>Couldn't load available times.</p>
  return (
    <div className={classes.free} role="group" aria-label={`Available times on ${dayIn(dateOf(day))}`}>
      <p className={classes.title}>{whose} available times</p>
      {!slots && <Bar width="100%" height={64} />}
      {slots?.length === 0 && (
        <p className={classes.note}>
          None on this day.{' '}
          {next && (
            <Button size="xs" variant="default" onClick={() => take(next.starts_at)}>
              Next: {shortDayIn(next.starts_at)}, {timeIn(next.starts_at)}
            </Button>
          )}
        </p>
      )}
      {slots && slots.length > 0 && (
        <div className={classes.times}>
          {slots.map(({ starts_at }) => (
            <TimeButton key={starts_at} at={starts_at} chosen={chosen} guest={guest} take={take} />
          ))}
        </div>
      )}
    </div>
  )
}

type TimeProps = {
  at: string
  chosen?: string | undefined
  guest: Props['guest']
  take: (at: string) => void
}

function TimeButton({ at, chosen, guest, take }: TimeProps) {
  const theirs = guest.zone && guestTimes({ starts_at: at, ends_at: at }, guest.zone)
  const theirTime = theirs && guest.zone && timeIn(at, guest.zone)
  const place = guest.zone && placeOf(guest.zone)
  return (
    <button type="button" className={classes.time} aria-pressed={at === chosen} onClick={() => take(at)}>
      <VisuallyHidden>{timeIn(at) + (theirTime ? `, ${theirTime} in ${place}` : '')}</VisuallyHidden>
      <b aria-hidden>{timeIn(at)}</b>
      {theirTime && <span aria-hidden>{theirTime}</span>}
    </button>
  )
}

function Instead({
  times,
  guest,
  take,
}: {
  times: string[]
  guest: Props['guest']
  take: (at: string) => void
}) {
  return (
    <div className={`${noticeClasses.box} ${classes.taken}`} role="alert">
      <p>
        {times.length > 0 ? 'This time is taken. Available instead:' : 'This time is taken. Choose another.'}
      </p>
      {times.map(at => (
        <Button key={at} size="xs" variant="default" onClick={() => take(at)}>
          {shortDayIn(at)}, {timeIn(at)}
          {guest.zone && guestTimes({ starts_at: at, ends_at: at }, guest.zone) && (
            <span className={classes.theirs}>
              {timeIn(at, guest.zone)} in {placeOf(guest.zone)}
            </span>
          )}
        </Button>
      ))}
    </div>
  )
}

type WarningProps = {
  host_id: string
  at: string | undefined
  minutes: number | undefined
  slots: Slot[] | undefined
  own: Slot | undefined
  guest: Props['guest']
}

/** The guest's local time, and a warning about the chosen time. */
function Warning({ host_id, at, minutes, slots, own, guest }: WarningProps) {
  const me = useUser().id
  const whose = useWhose(host_id).toLowerCase()
  const now = useNow()
  const availability = useQuery(availabilityQuery).data
  if (!at || !minutes) return null
  const span = { starts_at: at, ends_at: endOf(at, minutes) }
  const theirs = guest.zone && guestTimes(span, guest.zone)
  const isOutside =
    host_id === me && availability && !isWithin(Date.parse(at), Date.parse(span.ends_at), availability)
  const warning =
    Date.parse(at) < now
      ? 'This time is in the past.'
      : isOutside
        ? 'Outside your working hours. You can still book it.'
        : slots && !isOffered(own ? [...slots, own] : slots, at, span.ends_at)
          ? `Not among ${host_id === me ? 'your' : whose} available times: ${host_id === me ? '' : 'outside working hours, '}taken, too soon or too far ahead.`
          : undefined
  return (
    <div className={classes.said} role="status">
      {theirs && guest.zone && (
        <p>
          {theirs} for {guest.name}, in {placeOf(guest.zone)}
        </p>
      )}
      {warning && <p className={textClasses.warn}>{warning}</p>}
    </div>
  )
}

function useWhose(host_id: string): string {
  const me = useUser().id
  const host = usePeople().get(host_id)
  return host_id === me ? 'Your' : `${host ? host.name || host.email : 'The host'}’s`
}
