import { Button } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import IconDownload from 'icon:download'
import IconInbox from 'icon:inbox'
import { lazy, Suspense } from 'react'
import type { FormWithCounts } from '#domains/forms/contract.ts'
import { stringifySearch } from '../../search-text.ts'
import { ListBar } from '../../ui/list-bar.tsx'
import { periodFilter } from '../../ui/record-list/filters.ts'
import { isFiltered, type ListSearch } from '../../ui/record-list/search.ts'
import { Bar, Empty, Fault } from '../../ui/states.tsx'
import { count } from '../../ui/words.ts'
import { submissionsQuery } from '../../records/forms/forms-cache.ts'
import { submissionFilters, type FormSearch } from '../../records/forms/search.ts'
import { SubmissionTable } from './submission-table.tsx'
import pageClasses from '../../ui/page.module.css'
import textClasses from '../../ui/text.module.css'

const Details = lazy(() =>
  import('./submission-details.tsx').then(({ SubmissionDetails }) => ({ default: SubmissionDetails })),
)

type Props = {
  form: FormWithCounts
  search: FormSearch
  show: (search: FormSearch, replace?: boolean) => void
}

/** The submissions of a form, newest first. New ones appear on top. */
export function Submissions({ form, search, show }: Props) {
  const { tab: _tab, submission, ...filters } = search
  const query = useInfiniteQuery({ ...submissionsQuery(form.id, filters), placeholderData: keepPreviousData })
  const submissions = query.data?.pages.flatMap(({ data }) => data)
  const filter = (next: ListSearch) => show({ tab: 'submissions', ...next })
  const open = (id: string) => show({ ...search, submission: id }, false)
  return (
    <>
      <Filters form={form} search={filters} set={filter} />
      {query.isError && !submissions ? (
        <Fault error={query.error} retry={() => void query.refetch()} />
      ) : !submissions ? (
        <Waiting />
      ) : submissions.length === 0 ? (
        <Nothing search={filters} show={show} />
      ) : (
        <SubmissionTable form={form} submissions={submissions} open={open} list={query} />
      )}
      {submission && (
        <Suspense fallback={null}>
          <Details id={submission} form={form} close={() => filter(filters)} />
        </Suspense>
      )}
    </>
  )
}

type FilterProps = { form: FormWithCounts; search: ListSearch; set: (next: ListSearch) => void }

function Filters({ form, search, set }: FilterProps) {
  const { received, quarantined } = form.submissions
  const address = `/api/crm/forms/${form.id}/submissions/export${stringifySearch(submissionFilters(search))}`
  const statuses = [
    { value: 'RECEIVED', label: 'Received', node: <Counted label="Received" amount={received} /> },
    {
      value: 'QUARANTINED',
      label: 'In quarantine',
      node: <Counted label="In quarantine" amount={quarantined} />,
    },
  ]
  return (
    <ListBar
      label="Submission filters"
      filters={[
        { kind: 'choice', name: 'status', label: 'Status', options: statuses },
        periodFilter('Submitted'),
      ]}
      search={search}
      set={set}
    >
      <Button
        component="a"
        size="xs"
        variant="default"
        href={address}
        download
        leftSection={<IconDownload size={16} />}
      >
        Export CSV
      </Button>
    </ListBar>
  )
}

function Counted({ label, amount }: { label: string; amount: number }) {
  return (
    <span>
      {label} <span className={textClasses.dim}>{count(amount)}</span>
    </span>
  )
}

function Nothing({ search, show }: { search: ListSearch; show: Props['show'] }) {
  if (isFiltered(search)) {
    return (
      <Empty
        title="No submissions match these filters"
        action={
          <Button variant="default" onClick={() => show({ tab: 'submissions' })}>
            Show all submissions
          </Button>
        }
      />
    )
  }
  return (
    <Empty
      icon={<IconInbox size={32} stroke={1.4} />}
      title="No submissions yet"
      action={
        <Button variant="default" onClick={() => show({ tab: 'share' }, false)}>
          Share form
        </Button>
      }
    >
      New submissions appear here immediately.
    </Empty>
  )
}

function Waiting() {
  return (
    <div className={pageClasses.list} role="status" aria-busy aria-label="Loading submissions">
      <Bar width="100%" height={240} />
    </div>
  )
}
