import { ActionIcon, Button, SegmentedControl, Tooltip } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import IconChevronLeft from 'icon:chevron-left'
import IconChevronRight from 'icon:chevron-right'
import IconPlus from 'icon:plus'
import { lazy, Suspense, useCallback, useMemo, type ReactNode } from 'react'
import { paths } from '../../paths.ts'
import { useCan, useUser } from '../../queries.ts'
import { useCommands } from '../../ui/commands.ts'
import { useKeys } from '../../ui/keys.ts'
import { NARROW } from '../../ui/narrow.ts'
import { PageHead } from '../../ui/page-head.tsx'
import { valuesOf } from '../../ui/record-list/search.ts'
import { useNow } from '../../ui/time.tsx'
import { useTitle } from '../../ui/title.ts'
import { Agenda } from './agenda.tsx'
import { addDays, dateOf, dayOf, shownDays } from '../../records/meetings/days.ts'
import { HostFilter } from './host-filter.tsx'
import { openNewMeeting } from '../../records/meetings/open-new-meeting.ts'
import { meetingsSearch, type Put } from '../../records/meetings/search.ts'
import { Week } from './week.tsx'
import { dayIn } from '../../ui/zones.ts'
import pageClasses from '../../ui/page.module.css'
import textClasses from '../../ui/text.module.css'
import classes from './meetings-page.module.css'

const MeetingDrawer = lazy(() =>
  import('./meeting-drawer.tsx').then(({ MeetingDrawer }) => ({ default: MeetingDrawer })),
)

const route = getRouteApi('/meetings')

/** Meetings as a week or as an agenda. */
export function MeetingsPage() {
  useTitle('Meetings')
  const raw = route.useSearch()
  const search = useMemo(() => meetingsSearch(raw), [raw])
  const navigate = useNavigate()
  const canWrite = useCan('meetings:write')
  const me = useUser().id
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false })
  const today = dayOf(useNow())
  const day = search.day ?? today
  const days = useMemo(() => shownDays(day, isNarrow), [day, isNarrow])
  const isAgenda = search.view === 'agenda'

  const put: Put = useCallback(
    change => {
      const next = Object.entries({ ...search, ...change }).filter(([, value]) => value !== undefined)
      void navigate({ to: paths.meetings, search: Object.fromEntries(next), replace: true })
    },
    [navigate, search],
  )
  const turn = useCallback(
    (by: 1 | -1) => {
      const next = addDays(day, by * (isNarrow ? 1 : 7))
      put({ day: next === today ? undefined : next })
    },
    [put, day, today, isNarrow],
  )
  // If one host is selected, new meetings are with them.
  const hosts = valuesOf(search, 'host_id')
  const host_id = hosts.length === 1 ? hosts[0]! : me
  const meetAt = useCallback(
    (at: Date) => openNewMeeting({ starts_at: at.toISOString(), host_id }),
    [host_id],
  )
  const goToday = () => put({ day: undefined })
  useKeys({
    ...(!isAgenda && { j: () => turn(1), k: () => turn(-1), t: goToday }),
    ...(canWrite && { n: () => openNewMeeting() }),
  })
  useCommands([
    {
      id: 'other-view',
      group: 'This page',
      label: isAgenda ? 'Show week' : 'Show agenda',
      words: 'calendar list view',
      run: () => put({ view: isAgenda ? undefined : 'agenda' }),
    },
  ])

  return (
    <>
      <PageHead
        title="Meetings"
        actions={
          canWrite && (
            <Button leftSection={<IconPlus size={16} />} onClick={() => openNewMeeting()}>
              New meeting
            </Button>
          )
        }
      />
      <div className={`${pageClasses.bar} ${classes.bar}`}>
        <SegmentedControl
          size="xs"
          aria-label="Show as"
          value={search.view ?? 'week'}
          data={[
            { value: 'week', label: isNarrow ? 'Day' : 'Week' },
            { value: 'agenda', label: 'Agenda' },
          ]}
          onChange={view => put({ view: view === 'agenda' ? 'agenda' : undefined })}
        />
        {!isAgenda && (
          <div className={classes.turn}>
            <Button size="xs" variant="default" aria-keyshortcuts="T" onClick={goToday}>
              Today
            </Button>
            <ActionIcon.Group>
              <Step label={isNarrow ? 'Previous day' : 'Previous week'} keys="K" go={() => turn(-1)}>
                <IconChevronLeft size={16} />
              </Step>
              <Step label={isNarrow ? 'Next day' : 'Next week'} keys="J" go={() => turn(1)}>
                <IconChevronRight size={16} />
              </Step>
            </ActionIcon.Group>
            <span className={`${textClasses.cut} ${classes.span}`} role="status">
              {spanInWords(days)}
            </span>
          </div>
        )}
        <HostFilter chosen={hosts} set={host_id => put({ host_id })} />
      </div>
      {isAgenda ? (
        <Agenda search={search} put={put} />
      ) : (
        <Week
          days={days}
          search={search}
          open={({ id }) => put({ meeting: id })}
          meetAt={meetAt}
          turn={turn}
        />
      )}
      {search.meeting && (
        <Suspense fallback={null}>
          <MeetingDrawer id={search.meeting} close={() => put({ meeting: undefined })} />
        </Suspense>
      )}
    </>
  )
}

type StepProps = { label: string; keys: string; go: () => void; children: ReactNode }

function Step({ label, keys, go, children }: StepProps) {
  return (
    <Tooltip label={`${label} (${keys})`}>
      <ActionIcon variant="default" aria-label={label} aria-keyshortcuts={keys} onClick={go}>
        {children}
      </ActionIcon>
    </Tooltip>
  )
}

const range = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' })

function spanInWords(days: string[]): string {
  const [first, last] = [dateOf(days[0]!), dateOf(days.at(-1)!)]
  return days.length > 1 ? range.formatRange(first, last) : dayIn(first)
}
