import { Button } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import IconHistory from 'icon:history'
import type { WorkflowInFull } from '#domains/workflows/contract.ts'
import { Listing } from '../../ui/list-page.tsx'
import { isFiltered, type ListSearch } from '../../ui/record-list/search.ts'
import { Empty } from '../../ui/states.tsx'
import { RunFilters } from './run-filters.tsx'
import { RunTable } from './run-table.tsx'
import { runListQuery } from '../../records/workflows/workflows-cache.ts'

type Props = {
  workflow: WorkflowInFull
  search: ListSearch
  show: (search: ListSearch) => void
  /** Absent if it cannot be started. */
  start: (() => void) | undefined
}

/** All runs, newest first; new ones appear at the top. */
export function Runs({ workflow, search, show, start }: Props) {
  const query = useInfiniteQuery({
    ...runListQuery(workflow.id, search),
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <RunFilters versions={workflow.version} search={search} set={show} />
      <Listing
        query={query}
        waiting="Loading runs"
        nothing={<Nothing workflow={workflow} search={search} show={show} start={start} />}
      >
        {(runs, more) => <RunTable runs={runs} more={more} />}
      </Listing>
    </>
  )
}

function Nothing({ workflow: { version, status }, search, show, start }: Props) {
  if (isFiltered(search)) {
    return (
      <Empty
        title="No runs match these filters"
        action={
          <Button variant="default" onClick={() => show({})}>
            Show all runs
          </Button>
        }
      />
    )
  }
  return (
    <Empty
      icon={<IconHistory size={32} stroke={1.4} />}
      title="No runs yet"
      action={
        start && (
          <Button variant="default" onClick={start}>
            Start manually
          </Button>
        )
      }
    >
      {version === 0
        ? 'Publish the workflow to start runs.'
        : status === 'PAUSED'
          ? 'The workflow is paused. Resume it to start runs.'
          : 'Runs appear here when the workflow is triggered.'}
    </Empty>
  )
}
