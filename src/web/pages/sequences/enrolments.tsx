import { Button } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import IconFilterOff from 'icon:filter-off'
import IconUsers from 'icon:users'
import { lazy, Suspense, useState } from 'react'
import type { SequenceWithWarnings } from '#domains/sequences/contract.ts'
import { isFiltered } from '../../ui/record-list/search.ts'
import { Empty, Fault } from '../../ui/states.tsx'
import { RowsWaiting, ShowOlder } from '../../ui/log-rows.tsx'
import { EnrolmentFilters } from './enrolment-filters.tsx'
import { EnrolmentRow } from './enrolment-row.tsx'
import { NumbersStrip } from './numbers-strip.tsx'
import type { SequenceSearch } from '../../records/sequences/search.ts'
import { enrolmentListQuery, numbersQuery } from '../../records/sequences/sequences-cache.ts'
import pageClasses from '../../ui/page.module.css'
import rowsClasses from '../../ui/rows.module.css'

const Enrol = lazy(() =>
  import('../../records/sequences/enrol-dialog.tsx').then(({ EnrolDialog }) => ({ default: EnrolDialog })),
)

type Props = {
  sequence: SequenceWithWarnings
  search: SequenceSearch
  show: (search: SequenceSearch) => void
}

/** The leads in the sequence: their next step, or why they are held. */
export function Enrolments({ sequence, search, show }: Props) {
  const { id } = sequence
  const numbers = useQuery(numbersQuery(id)).data
  const { tab: _tab, enrolment, ...filters } = search
  const query = useInfiniteQuery({ ...enrolmentListQuery(id, filters), placeholderData: keepPreviousData })
  const enrolments = query.data?.pages.flatMap(({ data }) => data) ?? []
  const nothing = query.isSuccess && enrolments.length === 0
  return (
    <div className={pageClasses.scroll}>
      {numbers && numbers.enrolled > 0 && <NumbersStrip id={id} numbers={numbers} search={search} />}
      <EnrolmentFilters
        steps={sequence.steps}
        search={filters}
        set={next => show({ tab: 'leads', ...next, ...(enrolment && { enrolment }) })}
      />
      <div className={pageClasses.body}>
        {query.isError && enrolments.length === 0 && (
          <Fault error={query.error} retry={() => void query.refetch()} />
        )}
        {query.isPending && <RowsWaiting label="Loading leads" />}
        {nothing && (isFiltered(filters) ? <NothingMatches show={show} /> : <Nobody sequence={sequence} />)}
        {enrolments.length > 0 && (
          <ul className={rowsClasses.rows} aria-label="Leads in this sequence">
            {enrolments.map(each => (
              <EnrolmentRow
                key={each.id}
                enrolment={each}
                sequence={sequence}
                search={search}
                isOpen={each.id === enrolment}
              />
            ))}
          </ul>
        )}
        <ShowOlder query={query} />
      </div>
    </div>
  )
}

function NothingMatches({ show }: Pick<Props, 'show'>) {
  return (
    <Empty
      icon={<IconFilterOff size={28} stroke={1.4} />}
      title="No leads match these filters"
      action={
        <Button variant="default" onClick={() => show({ tab: 'leads' })}>
          Clear filters
        </Button>
      }
      compact
    />
  )
}

function Nobody({ sequence }: Pick<Props, 'sequence'>) {
  const [open, setOpen] = useState(false)
  const canEnrol = sequence.steps.length > 0
  return (
    <>
      <Empty
        icon={<IconUsers size={28} stroke={1.4} />}
        title="No leads enrolled yet"
        action={canEnrol && <Button onClick={() => setOpen(true)}>Enrol leads</Button>}
        compact
      >
        {canEnrol
          ? 'You can also enrol leads from the leads table or from a lead’s page.'
          : 'Add steps before you enrol leads.'}
      </Empty>
      {open && (
        <Suspense fallback={null}>
          <Enrol sequence={sequence} close={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
