import { Button } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import IconListCheck from 'icon:list-check'
import IconPlus from 'icon:plus'
import { useMemo, useState } from 'react'
import { projectStatuses } from '#domains/projects/values.ts'
import { paths } from '../../paths.ts'
import { useCan } from '../../queries.ts'
import { useCommands } from '../../ui/commands.ts'
import { ListBar } from '../../ui/list-bar.tsx'
import { TrashButton } from '../../ui/list-page.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import type { Filter } from '../../ui/record-list/filters.ts'
import { isFiltered, without, type ListSearch } from '../../ui/record-list/search.ts'
import { Bar, Empty, Fault } from '../../ui/states.tsx'
import { useTitle } from '../../ui/title.ts'
import { ProjectTable } from './project-table.tsx'
import { projectsQuery } from './projects-cache.ts'
import { projectStatusWords } from './project-status.ts'
import { NewProject } from '../../records/projects/new-project.tsx'
import { projectsSearch } from './search.ts'
import pageClasses from '../../ui/page.module.css'

const route = getRouteApi('/projects')

const statuses = projectStatuses.map(value => ({ value, label: projectStatusWords[value] }))
const filters: Filter[] = [{ kind: 'choice', name: 'status', label: 'Status', options: statuses }]

export function ProjectsPage() {
  const raw = route.useSearch()
  const search = useMemo(() => projectsSearch(raw), [raw])
  const navigate = useNavigate()
  const canWrite = useCan('projects:write')
  const [asking, setAsking] = useState(false)
  const query = useInfiniteQuery({ ...projectsQuery(search), placeholderData: keepPreviousData })
  const projects = query.data?.pages.flatMap(({ data }) => data)
  const show = (search: ListSearch) => void navigate({ to: paths.projects, search, replace: true })
  const ask = () => setAsking(true)
  useTitle(search.trashed ? 'Projects in trash' : 'Projects')
  useCommands(
    canWrite
      ? [{ id: 'new-project', group: 'This page', label: 'New project', words: 'add create', run: ask }]
      : [],
  )
  return (
    <>
      <PageHead
        title={search.trashed ? 'Projects in trash' : 'Projects'}
        actions={
          canWrite && (
            <Button leftSection={<IconPlus size={16} />} onClick={ask}>
              New project
            </Button>
          )
        }
      />
      <ListBar
        label="Project filters"
        searchLabel="Search projects"
        filters={filters}
        search={search}
        set={show}
      >
        <TrashButton
          trashed={search.trashed === true}
          set={trashed => show(trashed ? { ...search, trashed } : without(search, 'trashed'))}
        />
      </ListBar>
      {query.isError && !projects ? (
        <Fault error={query.error} retry={() => void query.refetch()} />
      ) : !projects ? (
        <Waiting />
      ) : projects.length === 0 ? (
        <Nothing search={search} ask={canWrite ? ask : undefined} show={show} />
      ) : (
        <ProjectTable projects={projects} trashed={search.trashed === true} list={query} />
      )}
      {asking && <NewProject close={() => setAsking(false)} />}
    </>
  )
}

type NothingProps = {
  search: ListSearch
  ask: (() => void) | undefined
  show: (search: ListSearch) => void
}

function Nothing({ search, ask, show }: NothingProps) {
  const filtered = isFiltered(search)
  if (filtered || search.trashed) {
    return (
      <Empty
        title={filtered ? 'No projects match these filters' : 'Trash is empty'}
        action={
          <Button variant="default" onClick={() => show({})}>
            Show all projects
          </Button>
        }
      />
    )
  }
  return (
    <Empty
      icon={<IconListCheck size={32} stroke={1.4} />}
      title="No projects yet"
      action={ask && <Button onClick={ask}>New project</Button>}
    >
      A project is a board of tasks. Create one from a won deal in one click.
    </Empty>
  )
}

function Waiting() {
  return (
    <div className={pageClasses.list} role="status" aria-label="Loading projects">
      <Bar width="100%" height={240} />
    </div>
  )
}
