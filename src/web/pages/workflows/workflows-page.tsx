import { Button } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import IconPlus from 'icon:plus'
import { lazy, Suspense, useMemo } from 'react'
import { workflowStatuses } from '#domains/workflows/values.ts'
import { paths } from '../../paths.ts'
import { useCan } from '../../queries.ts'
import { useAsked } from '../../shell/asked.ts'
import { close } from '../../ui/opened.ts'
import { ListBar } from '../../ui/list-bar.tsx'
import { Listing, SortAndTrash } from '../../ui/list-page.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import type { Filter } from '../../ui/record-list/filters.ts'
import type { ListSearch } from '../../ui/record-list/search.ts'
import { useTitle } from '../../ui/title.ts'
import { NoWorkflows } from './no-workflows.tsx'
import { workflowsSearch } from '../../records/workflows/search.ts'
import { workflowWords } from '../../records/workflows/words.ts'
import { WorkflowList } from './workflow-list.tsx'
import { workflowListQuery } from '../../records/workflows/workflows-cache.ts'

const NewWorkflow = lazy(() =>
  import('./new-workflow.tsx').then(({ NewWorkflow }) => ({ default: NewWorkflow })),
)

const route = getRouteApi('/workflows')

const statuses = workflowStatuses.map(value => ({ value, label: workflowWords[value].label }))
const filters: Filter[] = [{ kind: 'choice', name: 'status', label: 'Status', options: statuses }]

export function WorkflowsPage() {
  const raw = route.useSearch()
  const search = useMemo(() => workflowsSearch(raw), [raw])
  const navigate = useNavigate()
  const canWrite = useCan('workflows:write')
  const [isAsked, ask] = useAsked('new-workflow')
  const query = useInfiniteQuery({ ...workflowListQuery(search), placeholderData: keepPreviousData })
  const show = (search: ListSearch) => void navigate({ to: paths.workflows, search, replace: true })
  const title = search.trashed ? 'Trashed workflows' : 'Workflows'
  useTitle(title)
  return (
    <>
      <PageHead
        title={title}
        actions={
          canWrite && (
            <Button leftSection={<IconPlus size={16} />} onClick={ask}>
              New workflow
            </Button>
          )
        }
      />
      <ListBar
        label="Workflow filters"
        searchLabel="Search workflows"
        filters={filters}
        search={search}
        set={show}
      >
        <SortAndTrash search={search} set={show} />
      </ListBar>
      <Listing
        query={query}
        waiting="Loading workflows"
        nothing={<NoWorkflows search={search} ask={canWrite ? ask : undefined} show={show} />}
      >
        {(workflows, more) => (
          <WorkflowList workflows={workflows} trashed={search.trashed === true} more={more} />
        )}
      </Listing>
      {isAsked && canWrite && (
        <Suspense fallback={null}>
          <NewWorkflow close={close} />
        </Suspense>
      )}
    </>
  )
}
