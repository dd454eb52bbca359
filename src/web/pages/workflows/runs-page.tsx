import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import IconPlayerPlay from 'icon:player-play'
import { lazy, Suspense, useMemo, useState } from 'react'
import type { WorkflowInFull } from '#domains/workflows/contract.ts'
import { patterns } from '../../paths.ts'
import { isProblem } from '../../problem.ts'
import { useCan } from '../../queries.ts'
import { useCommands } from '../../ui/commands.ts'
import { useKeys } from '../../ui/keys.ts'
import { PageHead } from '../../ui/page-head.tsx'
import type { ListSearch } from '../../ui/record-list/search.ts'
import { Bar, Fault } from '../../ui/states.tsx'
import { useTitle } from '../../ui/title.ts'
import { Runs } from './runs.tsx'
import { runsSearch } from '../../records/workflows/search.ts'
import { Status } from './status.tsx'
import { WorkflowInTrash } from '../../records/workflows/workflow-in-trash.tsx'
import { WorkflowTabs } from './workflow-tabs.tsx'
import form from '../../ui/draft-page.module.css'
import pageClasses from '../../ui/page.module.css'
import { workflows } from '../../records/workflows/store.ts'

const Versions = lazy(() => import('./versions.tsx').then(({ Versions }) => ({ default: Versions })))
const StartDialog = lazy(() =>
  import('../../records/workflows/start-dialog.tsx').then(({ StartDialog }) => ({ default: StartDialog })),
)

const route = getRouteApi('/workflows/$id/runs')

/** The runs and versions of a workflow. */
export function RunsPage() {
  const { id } = route.useParams()
  const query = useQuery(workflows.query(id))
  const workflow = query.data
  useTitle(workflow ? `Runs of ${workflow.name}` : 'Runs')
  if (workflow?.deleted_at || (isProblem(query.error, 404) && query.error.code === 'in_trash'))
    return <WorkflowInTrash id={id} />
  if (query.error && !workflow) return <Fault whole error={query.error} retry={() => void query.refetch()} />
  if (!workflow) return <Waiting />
  return <Shown key={id} workflow={workflow} />
}

function Shown({ workflow }: { workflow: WorkflowInFull }) {
  const { id, name, status } = workflow
  const raw = route.useSearch()
  const { tab, ...filters } = useMemo(() => runsSearch(raw), [raw])
  const navigate = useNavigate()
  const canStart = useCan('workflows:write') && workflow.version > 0
  const [isStarting, setIsStarting] = useState(false)
  const start = () => setIsStarting(true)
  const show = (search: ListSearch) =>
    void navigate({ to: patterns.workflowRuns, params: { id }, search, replace: true })
  useKeys({ u: () => void navigate({ to: patterns.workflow, params: { id }, search: {} }) })
  useCommands(
    canStart
      ? [{ id: 'start', group: 'This page', label: 'Start manually', words: 'run leads', run: start }]
      : [],
  )
  return (
    <>
      <PageHead
        title={name}
        beside={
          <span className={form.status}>
            <Status status={status} />
          </span>
        }
        actions={
          canStart && (
            <Button leftSection={<IconPlayerPlay size={16} />} onClick={start}>
              Start manually
            </Button>
          )
        }
      />
      <WorkflowTabs id={id} tab={tab ?? 'runs'} />
      {tab === 'versions' ? (
        <Suspense fallback={<PartWaiting />}>
          <Versions workflow={workflow} />
        </Suspense>
      ) : (
        <Runs workflow={workflow} search={filters} show={show} start={canStart ? start : undefined} />
      )}
      {isStarting && (
        <Suspense fallback={null}>
          <StartDialog workflow={workflow} close={() => setIsStarting(false)} />
        </Suspense>
      )}
    </>
  )
}

function Waiting() {
  return (
    <>
      <PageHead title="Runs" />
      <PartWaiting />
    </>
  )
}

function PartWaiting() {
  return (
    <div className={pageClasses.waiting} role="status" aria-busy aria-label="Loading workflow">
      {[60, 100, 80, 90].map(width => (
        <Bar key={width} width={`${width}%`} height={36} />
      ))}
    </div>
  )
}
