import { Button } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import IconHistory from 'icon:history'
import { decisions } from '#domains/enrolments/values.ts'
import type { SequenceWithWarnings } from '#domains/sequences/contract.ts'
import { ListBar } from '../../ui/list-bar.tsx'
import type { Filter } from '../../ui/record-list/filters.ts'
import { isFiltered } from '../../ui/record-list/search.ts'
import { Empty, Fault } from '../../ui/states.tsx'
import { RowsWaiting, ShowOlder } from '../../ui/log-rows.tsx'
import type { SequenceSearch } from '../../records/sequences/search.ts'
import { sequenceTraceQuery } from '../../records/sequences/sequences-cache.ts'
import { TraceList } from '../../records/sequences/trace-list.tsx'
import { decisionWords } from '../../records/sequences/words.ts'
import pageClasses from '../../ui/page.module.css'

type Props = {
  sequence: SequenceWithWarnings
  search: SequenceSearch
  show: (search: SequenceSearch) => void
}

/** Every decision in the sequence, and why. */
export function Activity({ sequence: { id }, search, show }: Props) {
  const { tab: _tab, enrolment, ...filters } = search
  const query = useInfiniteQuery({ ...sequenceTraceQuery(id, filters), placeholderData: keepPreviousData })
  const entries = query.data?.pages.flatMap(({ data }) => data) ?? []
  const filtered = isFiltered(filters)
  return (
    <div className={pageClasses.scroll}>
      <ListBar
        label="Activity filters"
        filters={activityFilters}
        search={filters}
        set={next => show({ tab: 'activity', ...next, ...(enrolment && { enrolment }) })}
      />
      <div className={pageClasses.body}>
        {query.isError && entries.length === 0 && (
          <Fault error={query.error} retry={() => void query.refetch()} />
        )}
        {query.isPending && <RowsWaiting label="Loading activity" />}
        {query.isSuccess && entries.length === 0 && (
          <Empty
            icon={<IconHistory size={28} stroke={1.4} />}
            title={filtered ? 'No matches' : 'No activity yet'}
            action={
              filtered && (
                <Button variant="default" onClick={() => show({ tab: 'activity' })}>
                  Show all
                </Button>
              )
            }
            compact
          >
            {!filtered && 'Every decision about a lead is listed here with its reason.'}
          </Empty>
        )}
        {entries.length > 0 && <TraceList label="Decisions" entries={entries} search={search} />}
        <ShowOlder query={query} />
      </div>
    </div>
  )
}

const choices = decisions.map(value => ({ value, label: decisionWords[value].label }))
const activityFilters: Filter[] = [{ kind: 'choice', name: 'decision', label: 'Decision', options: choices }]
