import { Button, NativeSelect, SegmentedControl } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import IconCalendar from 'icon:calendar'
import IconFilterOff from 'icon:filter-off'
import type { Meeting } from '#domains/meetings/contract.ts'
import { meetingStatuses, type MeetingStatus } from '#domains/meetings/values.ts'
import { paths } from '../../paths.ts'
import { useCan } from '../../queries.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { Listing } from '../../ui/list-page.tsx'
import { Avatar } from '../../ui/person.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { Dotted } from '../../ui/stage.tsx'
import { Empty } from '../../ui/states.tsx'
import { dayInWords, useNow } from '../../ui/time.tsx'
import { useLeadName } from '../../records/leads/lead-link.tsx'
import { usePeople } from '../../records/leads/people.ts'
import { addDays, dateOf, dayOf } from '../../records/meetings/days.ts'
import { agendaQuery } from '../../records/meetings/meetings-cache.ts'
import { openNewMeeting } from '../../records/meetings/open-new-meeting.ts'
import { isFiltered, type MeetingsSearch, type Put } from '../../records/meetings/search.ts'
import { guestOf, statusWords } from '../../records/meetings/words.ts'
import { guestTimes, placeOf, timesOf } from '../../ui/zones.ts'
import pageClasses from '../../ui/page.module.css'
import textClasses from '../../ui/text.module.css'
import rowsClasses from '../../ui/rows.module.css'
import classes from './agenda.module.css'

const statuses = [
  { value: '', label: 'Any status' },
  ...meetingStatuses.map(value => ({ value, label: statusWords[value].label })),
]

type Props = { search: MeetingsSearch; put: Put }

/** A list of meetings by day. */
export function Agenda({ search, put }: Props) {
  const today = dayOf(useNow())
  const query = useInfiniteQuery({
    ...agendaQuery(search, dateOf(today).toISOString()),
    placeholderData: keepPreviousData,
  })
  const reset = () => put({ host_id: undefined, status: undefined, lead_id: undefined, q: undefined })
  return (
    <div className={pageClasses.scroll}>
      <search className={`${pageClasses.bar} ${classes.filters}`} aria-label="Meeting filters">
        <SegmentedControl
          size="xs"
          aria-label="When"
          value={search.past ? 'past' : 'next'}
          data={[
            { value: 'next', label: 'Upcoming' },
            { value: 'past', label: 'Past' },
          ]}
          onChange={when => put({ past: when === 'past' ? true : undefined })}
        />
        <SearchField label="Search meetings" value={search.q ?? ''} set={q => put({ q: q || undefined })} />
        <NativeSelect
          size="xs"
          aria-label="Status"
          className={classes.choice}
          data={statuses}
          value={search.status ?? ''}
          onChange={event => put({ status: (event.currentTarget.value || undefined) as MeetingStatus })}
        />
        {search.lead_id && <OfLead id={search.lead_id} drop={() => put({ lead_id: undefined })} />}
        {isFiltered(search) && (
          <Button size="xs" variant="subtle" color="gray" onClick={reset}>
            Clear
          </Button>
        )}
      </search>
      <Listing
        query={query}
        waiting="Loading meetings"
        nothing={<Nothing search={search} reset={isFiltered(search) ? reset : undefined} />}
      >
        {(meetings, more) => (
          <div className={pageClasses.body} aria-busy={query.isPlaceholderData}>
            <Days meetings={meetings} search={search} />
            {more}
          </div>
        )}
      </Listing>
    </div>
  )
}

function Days({ meetings, search }: { meetings: Meeting[]; search: MeetingsSearch }) {
  const now = useNow()
  const tomorrow = addDays(dayOf(now), 1)
  const days = Map.groupBy(meetings, ({ starts_at }) => dayOf(Date.parse(starts_at)))
  return [...days].map(([day, own]) => (
    <section key={day}>
      <h2 className={pageClasses.heading}>
        {day === tomorrow ? 'Tomorrow' : dayInWords(own[0]!.starts_at, now)}
      </h2>
      <ul className={rowsClasses.rows}>
        {own.map(meeting => (
          <Row key={meeting.id} meeting={meeting} search={search} />
        ))}
      </ul>
    </section>
  ))
}

function Row({ meeting, search }: { meeting: Meeting; search: MeetingsSearch }) {
  const host = usePeople().get(meeting.host_id)
  const { id, title, status, timezone, location } = meeting
  const theirs = guestTimes(meeting, timezone)
  const hostName = host ? host.name || host.email : 'Former member'
  return (
    <li className={`${rowsClasses.opens} ${classes.row}`} data-off={status === 'CANCELLED' || undefined}>
      <span className={classes.when}>
        <time dateTime={meeting.starts_at}>{timesOf(meeting)}</time>
        {theirs && (
          <span className={textClasses.meta}>
            {theirs} in {placeOf(timezone)}
          </span>
        )}
      </span>
      <span className={classes.what}>
        <Link
          to={paths.meetings}
          search={{ ...search, meeting: id }}
          replace
          className={`${rowsClasses.link} ${classes.title}`}
        >
          {title}
        </Link>
        <span className={`${textClasses.meta} ${textClasses.cut}`}>
          {guestOf(meeting)}
          {location && ` · ${location}`}
        </span>
      </span>
      <span className={classes.host} title={`Host: ${hostName}`}>
        <Avatar name={hostName} id={meeting.host_id} />
        <span className={textClasses.cut}>{hostName}</span>
      </span>
      <span className={classes.status}>
        <Dotted tone={statusWords[status].tone}>{statusWords[status].label}</Dotted>
      </span>
    </li>
  )
}

function OfLead({ id, drop }: { id: string; drop: () => void }) {
  const name = useLeadName(id) ?? '…'
  return (
    <Button size="xs" variant="light" aria-label={`Remove filter: with ${name}`} onClick={drop}>
      With {name} ×
    </Button>
  )
}

function Nothing({ search, reset }: { search: MeetingsSearch; reset: (() => void) | undefined }) {
  const canWrite = useCan('meetings:write')
  if (reset)
    return (
      <Empty
        icon={<IconFilterOff size={30} stroke={1.4} />}
        title="No matches"
        action={
          <Button variant="default" onClick={reset}>
            Clear filters
          </Button>
        }
      >
        No {search.past ? 'past' : 'upcoming'} meetings match these filters.
      </Empty>
    )
  if (search.past)
    return (
      <Empty icon={<IconCalendar size={30} stroke={1.4} />} title="No past meetings">
        Past meetings appear here with their outcome.
      </Empty>
    )
  return (
    <Empty
      icon={<IconCalendar size={30} stroke={1.4} />}
      title="No upcoming meetings"
      action={
        canWrite ? (
          <Button onClick={() => openNewMeeting()}>Book a meeting</Button>
        ) : (
          <LinkButton variant="default" to={paths.leads}>
            Go to leads
          </LinkButton>
        )
      }
    >
      Meetings booked by you, on your booking page or by a voice agent appear here.
    </Empty>
  )
}
