import { Button, SegmentedControl } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import IconDownload from 'icon:download'
import IconInbox from 'icon:inbox'
import { lazy, Suspense } from 'react'
import type { FormWithCounts } from '#domains/forms/contract.ts'
import { stringifySearch } from '../../search-text.ts'
import { DayInput } from '../../ui/day-input.tsx'
import { Bar, Empty, Fault } from '../../ui/states.tsx'
import { count } from '../../ui/words.ts'
import { submissionsQuery } from '../../records/forms/forms-cache.ts'
import { submissionFilters, type FormSearch, type SubmissionStatus } from '../../records/forms/search.ts'
import { SubmissionTable } from './submission-table.tsx'
import filtersClasses from '../../ui/filters.module.css'
import pageClasses from '../../ui/page.module.css'

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
  const query = useInfiniteQuery({ ...submissionsQuery(form.id, search), placeholderData: keepPreviousData })
  const submissions = query.data?.pages.flatMap(({ data }) => data)
  const { submission, ...list } = search
  const open = (id: string) => show({ ...search, submission: id }, false)
  return (
    <>
      <Filters form={form} search={list} show={show} />
      {query.isError && !submissions ? (
        <Fault error={query.error} retry={() => void query.refetch()} />
      ) : !submissions ? (
        <Waiting />
      ) : submissions.length === 0 ? (
        <Nothing search={list} show={show} />
      ) : (
        <SubmissionTable form={form} submissions={submissions} open={open} list={query} />
      )}
      {submission && (
        <Suspense fallback={null}>
          <Details id={submission} form={form} close={() => show(list)} />
        </Suspense>
      )}
    </>
  )
}

function Filters({ form, search, show }: Props) {
  const { received, quarantined } = form.submissions
  const put = (change: Partial<FormSearch>) => {
    const next = Object.entries({ ...search, ...change }).filter(([, value]) => value !== undefined)
    show(Object.fromEntries(next) as FormSearch)
  }
  const address = `/api/crm/forms/${form.id}/submissions/export${stringifySearch(submissionFilters(search))}`
  return (
    <search className={filtersClasses.filters} aria-label="Submission filters">
      <SegmentedControl
        size="xs"
        aria-label="Status"
        value={search.status ?? ''}
        data={[
          { value: '', label: 'All' },
          { value: 'RECEIVED', label: `Received ${count(received)}` },
          { value: 'QUARANTINED', label: `In quarantine ${count(quarantined)}` },
        ]}
        onChange={value => put({ status: (value || undefined) as SubmissionStatus | undefined })}
      />
      <DayInput label="From" day={search.from} set={from => put({ from })} className={filtersClasses.day} />
      <DayInput
        label="Until"
        day={search.until}
        set={until => put({ until })}
        className={filtersClasses.day}
      />
      <Button
        component="a"
        size="xs"
        variant="default"
        className={filtersClasses.last}
        href={address}
        download
        leftSection={<IconDownload size={16} />}
      >
        Export CSV
      </Button>
    </search>
  )
}

function Nothing({ search, show }: Pick<Props, 'search' | 'show'>) {
  if (search.status || search.from || search.until) {
    return (
      <Empty
        title={
          search.status === 'QUARANTINED' && !search.from && !search.until
            ? 'No submissions in quarantine'
            : 'No submissions match these filters'
        }
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
