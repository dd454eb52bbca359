import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import { useCan } from '../../queries.ts'
import { Panel, PanelAdd, PanelLine, PanelNote, PanelRecords } from '../../ui/panel.tsx'
import { useNow } from '../../ui/time.tsx'
import { dateOf, dayOf } from '../../records/meetings/days.ts'
import { nextOfLeadQuery } from '../../records/meetings/meetings-cache.ts'
import { openNewMeeting } from '../../records/meetings/open-new-meeting.ts'
import { guestStart, shortDayIn, timesOf } from '../../ui/zones.ts'

const SHOWN_MAX = 3

/** The next meetings with this lead. */
export function NextMeetings({ id }: { id: string }) {
  const canWrite = useCan('meetings:write')
  const today = dayOf(useNow())
  const { data, isError } = useQuery(nextOfLeadQuery(id, dateOf(today).toISOString(), SHOWN_MAX + 1))
  const meetings = data?.data
  return (
    <Panel
      title="Upcoming meetings"
      action={
        canWrite && (
          <PanelAdd label="New meeting with this lead" run={() => openNewMeeting({ lead_id: id })} />
        )
      }
    >
      <PanelRecords
        what="meetings"
        records={meetings?.slice(0, SHOWN_MAX)}
        isError={isError}
        none={
          <>
            No upcoming meetings.{' '}
            <Link to={paths.meetings} search={{ view: 'agenda', past: true, lead_id: id }}>
              Past meetings
            </Link>
          </>
        }
      >
        {meeting => {
          const { id, title, starts_at, timezone } = meeting
          return (
            <PanelLine key={id} about={guestStart(starts_at, timezone) ?? title}>
              <Link
                to={paths.meetings}
                search={{ day: dayOf(Date.parse(starts_at)), meeting: id }}
                title={title}
              >
                {shortDayIn(starts_at)}, {timesOf(meeting)}
              </Link>
            </PanelLine>
          )
        }}
      </PanelRecords>
      {meetings && meetings.length > SHOWN_MAX && (
        <PanelNote>
          <Link to={paths.meetings} search={{ view: 'agenda', lead_id: id }}>
            Show all
          </Link>
        </PanelNote>
      )}
    </Panel>
  )
}
