import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import IconPlus from 'icon:plus'
import { paths } from '../../paths.ts'
import { useCan } from '../../queries.ts'
import { Panel, PanelLine, PanelList, PanelNote, PanelWaiting } from '../../ui/panel.tsx'
import { useNow } from '../../ui/time.tsx'
import { dateOf, dayOf } from '../../records/meetings/days.ts'
import { nextOfLeadQuery } from '../../records/meetings/meetings-cache.ts'
import { openNewMeeting } from '../../records/meetings/open-new-meeting.ts'
import { guestStart, shortDayIn, timesOf } from '../../ui/zones.ts'

const SHOWN_MAX = 3

/** When this lead is met next. */
export function NextMeetings({ id }: { id: string }) {
  const canWrite = useCan('meetings:write')
  const today = dayOf(useNow())
  const { data, isError } = useQuery(nextOfLeadQuery(id, dateOf(today).toISOString(), SHOWN_MAX + 1))
  const meetings = data?.data
  return (
    <Panel
      title="Next meetings"
      action={
        canWrite && (
          <Button
            size="xs"
            variant="subtle"
            color="gray"
            leftSection={<IconPlus size={14} />}
            aria-label="New meeting with this lead"
            onClick={() => openNewMeeting({ lead_id: id })}
          >
            New
          </Button>
        )
      }
    >
      {isError && !meetings && <PanelNote>The meetings could not be loaded.</PanelNote>}
      {!meetings && !isError && <PanelWaiting />}
      {meetings?.length === 0 && (
        <PanelNote>
          None ahead.{' '}
          <Link to={paths.meetings} search={{ view: 'agenda', past: true, lead_id: id }}>
            Past ones
          </Link>
        </PanelNote>
      )}
      {meetings && meetings.length > 0 && (
        <PanelList>
          {meetings.slice(0, SHOWN_MAX).map(meeting => {
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
          })}
        </PanelList>
      )}
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
