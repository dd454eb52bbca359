import { Button } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import IconPlus from 'icon:plus'
import { lazy, Suspense, useMemo } from 'react'
import { paths } from '../../paths.ts'
import { useCan } from '../../queries.ts'
import { useAsked } from '../../shell/asked.ts'
import { close } from '../../ui/opened.ts'
import { Listing } from '../../ui/list-page.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { useTitle } from '../../ui/title.ts'
import { NoWorkflows } from './no-workflows.tsx'
import { workflowsSearch, type WorkflowsSearch } from '../../records/workflows/search.ts'
import { WorkflowFilters } from './workflow-filters.tsx'
import { WorkflowList } from './workflow-list.tsx'
import { workflowListQuery } from '../../records/workflows/workflows-cache.ts'

const NewWorkflow = lazy(() =>
  import('./new-workflow.tsx').then(({ NewWorkflow }) => ({ default: NewWorkflow })),
)

const route = getRouteApi('/workflows')

export function WorkflowsPage() {
  const raw = route.useSearch()
  const search = useMemo(() => workflowsSearch(raw), [raw])
  const navigate = useNavigate()
  const canWrite = useCan('workflows:write')
  const [isAsked, ask] = useAsked('new-workflow')
  const query = useInfiniteQuery({ ...workflowListQuery(search), placeholderData: keepPreviousData })
  const show = (search: WorkflowsSearch) => void navigate({ to: paths.workflows, search, replace: true })
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
      <WorkflowFilters search={search} show={show} />
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
