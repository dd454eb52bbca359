import { Button, SegmentedControl } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import IconCalendar from 'icon:calendar'
import IconFilterOff from 'icon:filter-off'
import type { Meeting } from '#domains/meetings/contract.ts'
import { meetingStatuses } from '#domains/meetings/values.ts'
import { paths } from '../../paths.ts'
import { useCan } from '../../queries.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { ListBar } from '../../ui/list-bar.tsx'
import { Listing } from '../../ui/list-page.tsx'
import { Avatar } from '../../ui/person.tsx'
import { isFiltered, valuesOf, type ListSearch } from '../../ui/record-list/search.ts'
import { Dotted } from '../../ui/stage.tsx'
import { Empty } from '../../ui/states.tsx'
import { dayInWords, useNow } from '../../ui/time.tsx'
import { useLeadName } from '../../records/leads/lead-link.tsx'
import { usePeople } from '../../records/leads/people.ts'
import { addDays, dateOf, dayOf } from '../../records/meetings/days.ts'
import { agendaQuery } from '../../records/meetings/meetings-cache.ts'
import { openNewMeeting } from '../../records/meetings/open-new-meeting.ts'
import { filtersIn, type MeetingsSearch, type Put } from '../../records/meetings/search.ts'
import { guestOf, statusWords } from '../../records/meetings/words.ts'
import { guestTimes, placeOf, timesOf } from '../../ui/zones.ts'
import pageClasses from '../../ui/page.module.css'
import textClasses from '../../ui/text.module.css'
import rowsClasses from '../../ui/rows.module.css'
import classes from './agenda.module.css'

const statuses = meetingStatuses.map(value => ({ value, label: statusWords[value].label }))

type Props = { search: MeetingsSearch; put: Put }

/** A list of meetings by day. */
export function Agenda({ search, put }: Props) {
  const today = dayOf(useNow())
  const query = useInfiniteQuery({
    ...agendaQuery(search, dateOf(today).toISOString()),
    placeholderData: keepPreviousData,
  })
  const filters = filtersIn(search)
  const lead = useLeadName(valuesOf(search, 'lead_id')[0] ?? null)
  const set = ({ q, host_id, status, lead_id }: ListSearch) => put({ q, host_id, status, lead_id })
  return (
    <div className={pageClasses.scroll}>
      <ListBar
        label="Meeting filters"
        searchLabel="Search meetings"
        // Hosts are chosen above, for the week too.
        filters={[
          { kind: 'choice', name: 'status', label: 'Status', options: statuses },
          { kind: 'record', name: 'lead_id', label: 'Lead', nameOf: () => lead ?? '…' },
        ]}
        search={filters}
        set={set}
      >
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
      </ListBar>
      <Listing
        query={query}
        waiting="Loading meetings"
        nothing={<Nothing search={search} reset={isFiltered(filters) ? () => set({}) : undefined} />}
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
