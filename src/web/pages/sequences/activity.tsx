import { Button } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import IconHistory from 'icon:history'
import { decisions } from '#domains/enrolments/values.ts'
import type { SequenceWithWarnings } from '#domains/sequences/contract.ts'
import { Empty, Fault } from '../../ui/states.tsx'
import { Choice } from '../../ui/filter-fields.tsx'
import { RowsWaiting, ShowOlder } from '../../ui/log-rows.tsx'
import { sequenceSearch, type SequenceSearch } from '../../records/sequences/search.ts'
import { sequenceTraceQuery } from '../../records/sequences/sequences-cache.ts'
import { TraceList } from '../../records/sequences/trace-list.tsx'
import { decisionWords } from '../../records/sequences/words.ts'
import filtersClasses from '../../ui/filters.module.css'
import pageClasses from '../../ui/page.module.css'

type Props = {
  sequence: SequenceWithWarnings
  search: SequenceSearch
  show: (search: SequenceSearch) => void
}

/** Every decision in the sequence, and why. */
export function Activity({ sequence: { id }, search, show }: Props) {
  const query = useInfiniteQuery({
    ...sequenceTraceQuery(id, search.decision),
    placeholderData: keepPreviousData,
  })
  const entries = query.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <div className={pageClasses.scroll}>
      <search className={filtersClasses.filters} aria-label="Activity filters">
        <Choice
          label="Decision"
          any="Any"
          data={decisions.map(value => ({ value, label: decisionWords[value].label }))}
          value={search.decision}
          set={decision => show(sequenceSearch({ tab: 'activity', decision }))}
        />
      </search>
      <div className={pageClasses.body}>
        {query.isError && entries.length === 0 && (
          <Fault error={query.error} retry={() => void query.refetch()} />
        )}
        {query.isPending && <RowsWaiting label="Loading activity" />}
        {query.isSuccess && entries.length === 0 && (
          <Empty
            icon={<IconHistory size={28} stroke={1.4} />}
            title={search.decision ? 'No matches' : 'No activity yet'}
            action={
              search.decision && (
                <Button variant="default" onClick={() => show({ tab: 'activity' })}>
                  Show all
                </Button>
              )
            }
            compact
          >
            {!search.decision && 'Every decision about a lead is listed here with its reason.'}
          </Empty>
        )}
        {entries.length > 0 && <TraceList label="Decisions" entries={entries} search={search} />}
        <ShowOlder query={query} />
      </div>
    </div>
  )
}
