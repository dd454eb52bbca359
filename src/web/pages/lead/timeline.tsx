import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { TimelineEntry } from '#domains/leads/contract.ts'
import { MoreButton } from '../../ui/more-button.tsx'
import { nextPage } from '../../ui/next-page.ts'
import { Bar, Empty, Fault } from '../../ui/states.tsx'
import { dayInWords, dayNumber, useNow } from '../../ui/time.tsx'
import { conversationTypes } from './conversation-words.ts'
import { callTypes } from './call-words.ts'
import { candidateTypes } from './candidate-words.ts'
import { Entry } from './entry.tsx'
import { invoiceTypes } from './invoice-words.ts'
import { meetingTypes } from './meeting-words.ts'
import { outreachTypes } from './outreach-words.ts'
import { isTold } from './record-words.ts'
import { timelineQuery } from '../../records/leads/timeline-cache.ts'
import { workflowTypes } from './workflow-words.ts'
import daysClasses from '../../ui/days.module.css'
import pageClasses from '../../ui/page.module.css'
import textClasses from '../../ui/text.module.css'
import classes from './timeline.module.css'

const kinds = {
  all: { label: 'All', types: [] },
  notes: { label: 'Notes', types: ['lead.noted', 'conversation.noted'] },
  changes: { label: 'Changes', types: ['lead.changed'] },
  deals: {
    label: 'Deals',
    types: [
      'opportunity.created',
      'opportunity.changed',
      'opportunity.trashed',
      'opportunity.restored',
      'deal.stage_changed',
    ],
  },
  tasks: {
    label: 'Tasks',
    types: [
      'task.created',
      'task.changed',
      'task.trashed',
      'task.restored',
      'task.overdue',
      'task.reminded',
      'project.created',
    ],
  },
  calls: { label: 'Calls', types: callTypes },
  meetings: { label: 'Meetings', types: meetingTypes },
  invoices: { label: 'Invoices', types: invoiceTypes },
  forms: { label: 'Forms', types: ['form.submitted'] },
  outreach: { label: 'Outreach', types: [...outreachTypes, ...conversationTypes] },
  workflows: { label: 'Workflows', types: workflowTypes },
  company: { label: 'Company', types: candidateTypes },
  record: { label: 'Lifecycle', types: ['lead.created', 'lead.trashed', 'lead.restored'] },
} as const

type Kind = keyof typeof kinds

/** Events of the lead, newest first. New ones appear at the top. */
export function Timeline({ id }: { id: string }) {
  const [kind, setKind] = useState<Kind>('all')
  const query = useInfiniteQuery(timelineQuery(id, [...kinds[kind].types]))
  const entries = query.data?.pages.flatMap(page => page.data.filter(isTold)) ?? []
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError } = query
  const end = useNearEnd(
    hasNextPage && !isFetchingNextPage && !isFetchNextPageError,
    () => void nextPage(query),
  )
  return (
    <>
      <div className={classes.head}>
        <h2>Timeline</h2>
        <fieldset className={classes.kinds}>
          <legend className={textClasses.hidden}>Show</legend>
          {Object.entries(kinds).map(([each, { label }]) => (
            <label key={each} className={classes.kind}>
              <input
                type="radio"
                name="kind"
                checked={each === kind}
                onChange={() => setKind(each as Kind)}
              />
              <span>{label}</span>
            </label>
          ))}
        </fieldset>
      </div>
      {query.isError && entries.length === 0 && (
        <Fault error={query.error} retry={() => void query.refetch()} />
      )}
      {query.isPending && <Waiting />}
      {query.isSuccess && entries.length === 0 && (
        <Empty title="No activity yet">Notes, changes and messages appear here.</Empty>
      )}
      <Days entries={entries} />
      {hasNextPage && (
        <div ref={end} className={pageClasses.more}>
          <MoreButton list={query} label="Show older" />
        </div>
      )}
    </>
  )
}

function Days({ entries }: { entries: TimelineEntry[] }) {
  const now = useNow()
  const days = Map.groupBy(entries, ({ at }) => dayNumber(Date.parse(at)))
  return [...days].map(([day, own]) => (
    <section key={day}>
      <h3 className={daysClasses.date}>{dayInWords(own[0]!.at, now)}</h3>
      <ol>
        {own.map(entry => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ol>
    </section>
  ))
}

function Waiting() {
  return (
    <div role="status" aria-busy aria-label="Loading timeline">
      {[70, 55, 80, 62].map(width => (
        <p key={width}>
          <Bar width={`${width}%`} height={14} />
        </p>
      ))}
    </div>
  )
}

/** Loads the next page shortly before the end is reached. */
function useNearEnd(enabled: boolean, load: () => void) {
  const end = useRef<HTMLDivElement>(null)
  const latest = useRef(load)
  useEffect(() => {
    latest.current = load
  })
  useEffect(() => {
    if (!enabled || !end.current) return
    const watcher = new IntersectionObserver(([seen]) => seen?.isIntersecting && latest.current(), {
      rootMargin: '400px',
    })
    watcher.observe(end.current)
    return () => watcher.disconnect()
  }, [enabled])
  return end
}
