import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import IconClock from 'icon:clock'
import IconDownload from 'icon:download'
import { useMemo, type ReactNode } from 'react'
import type { AnswerFigures } from '#domains/conversations/contract.ts'
import { paths } from '../../paths.ts'
import { conversationSettingsQuery } from '../../records/conversations/settings-cache.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { ListBar } from '../../ui/list-bar.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import type { ListSearch } from '../../ui/record-list/search.ts'
import { Bar, Empty, Fault } from '../../ui/states.tsx'
import { useTitle } from '../../ui/title.ts'
import { count, plural } from '../../ui/words.ts'
import { AnswerChart } from './answer-chart.tsx'
import { AnswerTable, groupingWords } from './answer-table.tsx'
import { answerTimesQuery, chartedBy, exportAddress } from './answer-times-query.ts'
import { answerTimesSearch, groupings, periodOf, periods, type Grouping, type Period } from './search.ts'
import { minutesInWords, shareInWords } from './words.ts'
import pageClasses from '../../ui/page.module.css'
import tabsClasses from '../../ui/tabs.module.css'
import textClasses from '../../ui/text.module.css'
import classes from './answer-times.module.css'

const route = getRouteApi('/inbox/answer-times')

const periodWords: Record<Period, string> = {
  '28d': '28 days',
  '7d': '7 days',
  '90d': '90 days',
  '365d': '365 days',
}

/** How soon the team answers, and what was not answered. */
export function AnswerTimesPage() {
  useTitle('Answer times · Inbox')
  const raw = route.useSearch()
  const search = useMemo(() => answerTimesSearch(raw), [raw])
  const navigate = useNavigate()
  const { by = 'person', ...filters } = search
  const period = periodOf(search)
  const inTime = useQuery({
    ...answerTimesQuery(chartedBy(period), period),
    placeholderData: keepPreviousData,
  })
  const grouped = useQuery({ ...answerTimesQuery(by, period), placeholderData: keepPreviousData })
  const set = (next: ListSearch) =>
    void navigate({
      to: paths.answerTimes,
      search: { ...(by !== 'person' && { by }), ...next },
      replace: true,
    })
  const fault = inTime.error ?? grouped.error
  const isLoaded = inTime.data && grouped.data
  const totals = inTime.data?.totals
  const isEmpty = totals && totals.answered + totals.closed_unanswered + totals.late_now === 0
  return (
    <>
      <PageHead
        title="Answer times"
        actions={
          <>
            <LinkButton variant="default" to={paths.conversations} search={{}}>
              Inbox
            </LinkButton>
            <Button
              component="a"
              variant="default"
              href={exportAddress(by, period)}
              download
              leftSection={<IconDownload size={16} />}
            >
              Export CSV
            </Button>
          </>
        }
      />
      <div className={pageClasses.scroll}>
        <ListBar
          label="Answer time filters"
          filters={[
            {
              kind: 'choice',
              name: 'period',
              label: 'Period',
              options: periods.map(value => ({ value, label: periodWords[value] })),
              single: true,
              usual: periods[0],
            },
          ]}
          search={filters}
          set={set}
        />
        <div className={pageClasses.body} aria-busy={inTime.isPlaceholderData || grouped.isPlaceholderData}>
          {fault && !isLoaded && (
            <Fault
              error={fault}
              retry={() => {
                void inTime.refetch()
                void grouped.refetch()
              }}
            />
          )}
          {!fault && !isLoaded && (
            <div role="status" aria-busy aria-label="Loading answer times" className={classes.waiting}>
              <Bar width="100%" height={84} />
              <Bar width="100%" height={200} />
            </div>
          )}
          {isLoaded && isEmpty && <Nothing />}
          {isLoaded && totals && !isEmpty && (
            <>
              <Figures totals={totals} />
              <AnswerChart rows={inTime.data.rows} by={inTime.data.by === 'day' ? 'day' : 'week'} />
              <Tabs by={by} search={filters} />
              <AnswerTable rows={grouped.data.rows} by={asGrouping(grouped.data.by)} />
              <p className={classes.note}>
                {`Times are in open hours. Days are those of ${inTime.data.timezone}. What is late now is counted for who it is assigned to.`}
              </p>
            </>
          )}
        </div>
      </div>
    </>
  )
}

/** While another grouping loads, the table is still the one before. */
function asGrouping(by: string): Grouping {
  return groupings.find(each => each === by) ?? 'person'
}

function Figures({ totals }: { totals: AnswerFigures }) {
  return (
    <dl className={classes.figures}>
      <Figure
        label="Within target"
        value={shareInWords(totals)}
        about={`${plural(totals.answered, 'answer')}, ${count(totals.late)} late`}
      />
      <Figure
        label="First answer"
        value={minutesInWords(totals.first_median_min)}
        about={spread(totals.first_answers, totals.first_p90_min)}
      />
      <Figure
        label="Next answers"
        value={minutesInWords(totals.next_median_min)}
        about={spread(totals.next_answers, totals.next_p90_min)}
      />
      <Figure
        label="Late now"
        value={
          totals.late_now > 0 ? (
            <Link
              to={paths.conversations}
              search={{ view: 'open', late: true }}
              className={classes.late}
              aria-label={`${count(totals.late_now)} late now`}
            >
              {count(totals.late_now)}
            </Link>
          ) : (
            '0'
          )
        }
        about={`${count(totals.closed_unanswered)} closed unanswered`}
      />
    </dl>
  )
}

function spread(answers: number, p90: number | null): string {
  return answers === 0 ? 'None in this period' : `9 of 10 within ${minutesInWords(p90)}`
}

function Figure({ label, value, about }: { label: string; value: ReactNode; about: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className={textClasses.figure}>{value}</dd>
      <dd className={classes.about}>{about}</dd>
    </div>
  )
}

function Tabs({ by, search }: { by: Grouping; search: ListSearch }) {
  return (
    <nav className={`${tabsClasses.tabs} ${classes.tabs}`} aria-label="Group by">
      {groupings.map(each => (
        <Link
          key={each}
          to={paths.answerTimes}
          search={{ ...search, ...(each !== 'person' && { by: each }) }}
          className={tabsClasses.tab}
          activeProps={{}}
          activeOptions={{ exact: true, includeSearch: true }}
          aria-current={each === by ? 'page' : undefined}
          resetScroll={false}
        >
          {`By ${groupingWords[each].toLowerCase()}`}
        </Link>
      ))}
    </nav>
  )
}

function Nothing() {
  const settings = useQuery(conversationSettingsQuery).data
  const hasTargets = settings?.first_answer_min || settings?.next_answer_min
  return (
    <Empty
      icon={<IconClock size={30} stroke={1.4} />}
      title="No answers in this period"
      action={
        settings &&
        !hasTargets && (
          <LinkButton variant="default" to={paths.conversationSettings}>
            Set answer times
          </LinkButton>
        )
      }
    >
      How soon messages are answered appears here once somebody writes and the team replies.
    </Empty>
  )
}
