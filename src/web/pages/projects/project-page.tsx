import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import IconTrash from 'icon:trash'
import { lazy, Suspense, useMemo } from 'react'
import type { Task } from '#domains/projects/contract.ts'
import { paths, patterns } from '../../paths.ts'
import { isProblem } from '../../problem.ts'
import { useCan } from '../../queries.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Bar, Empty, Fault } from '../../ui/states.tsx'
import { useTitle } from '../../ui/title.ts'
import { boardQuery } from '../../records/projects/cache.ts'
import { ProjectBoard } from './project-board.tsx'
import { ProjectHead } from './project-head.tsx'
import { projectSearch, type ProjectSearch } from './search.ts'
import classes from './project-page.module.css'
import { projects } from '../../records/projects/store.ts'

// The task panel and the list are loaded on demand.
const TaskPanel = lazy(() =>
  import('../../records/projects/task-panel.tsx').then(({ TaskPanel }) => ({ default: TaskPanel })),
)
const ProjectList = lazy(() =>
  import('./project-list.tsx').then(({ ProjectList }) => ({ default: ProjectList })),
)

const route = getRouteApi('/projects/$id')

export function ProjectPage() {
  const { id } = route.useParams()
  const raw = route.useSearch()
  const search = useMemo(() => projectSearch(raw), [raw])
  const navigate = useNavigate()
  const query = useQuery(boardQuery(id))
  const board = query.data
  useTitle(board?.project.name ?? 'Project')
  const show = (search: ProjectSearch, replace = true) =>
    void navigate({ to: patterns.project, params: { id }, search, replace })
  const open = (task: Task) => show({ ...search, task: task.id }, false)
  const { task, ...rest } = search

  if (isProblem(query.error, 404) && query.error.code === 'in_trash') return <InTrash id={id} />
  if (query.error && !board) return <Fault whole error={query.error} retry={() => void query.refetch()} />
  if (!board) return <Waiting />
  return (
    <>
      <ProjectHead project={board.project} search={search} show={show} />
      {search.view === 'list' ? (
        <Suspense fallback={null}>
          <ProjectList board={board} open={open} />
        </Suspense>
      ) : (
        <ProjectBoard key={id} board={board} open={open} />
      )}
      {task && (
        <Suspense fallback={null}>
          <TaskPanel id={task} onClose={() => show(rest)} />
        </Suspense>
      )}
    </>
  )
}

function Waiting() {
  return (
    <>
      <PageHead title="Project" />
      <div className={classes.waiting} role="status" aria-label="Loading project">
        {[1, 2, 3].map(column => (
          <Bar key={column} width={276} height={220} />
        ))}
      </div>
    </>
  )
}

function InTrash({ id }: { id: string }) {
  const canWrite = useCan('projects:write')
  const restore = () => void projects.restore(id)
  return (
    <Empty
      whole
      icon={<IconTrash size={32} stroke={1.4} />}
      title="This project is in the trash"
      action={
        <Group gap="sm">
          {canWrite && <Button onClick={restore}>Restore</Button>}
          <LinkButton variant="default" to={paths.projects} search={{}}>
            Back to projects
          </LinkButton>
        </Group>
      }
    >
      It will be deleted permanently with its tasks after 30 days.
    </Empty>
  )
}
