import { Button, SegmentedControl } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import IconListCheck from 'icon:list-check'
import IconPlus from 'icon:plus'
import IconTrash from 'icon:trash'
import { useMemo, useState } from 'react'
import { projectStatuses } from '#domains/projects/values.ts'
import { paths } from '../../paths.ts'
import { useCan } from '../../queries.ts'
import { useCommands } from '../../ui/commands.ts'
import { PageHead } from '../../ui/page-head.tsx'
import { Bar, Empty, Fault } from '../../ui/states.tsx'
import { useTitle } from '../../ui/title.ts'
import { SearchField } from '../../ui/search-field.tsx'
import { ProjectTable } from './project-table.tsx'
import { projectsQuery } from './projects-cache.ts'
import { projectStatusWords } from './project-status.ts'
import { NewProject } from '../../records/projects/new-project.tsx'
import { projectsSearch, type ProjectsSearch, type ProjectStatus } from './search.ts'
import pageClasses from '../../ui/page.module.css'

const route = getRouteApi('/projects')

export function ProjectsPage() {
  const raw = route.useSearch()
  const search = useMemo(() => projectsSearch(raw), [raw])
  const navigate = useNavigate()
  const canWrite = useCan('projects:write')
  const [asking, setAsking] = useState(false)
  const query = useInfiniteQuery({ ...projectsQuery(search), placeholderData: keepPreviousData })
  const projects = query.data?.pages.flatMap(({ data }) => data)
  const show = (search: ProjectsSearch) => void navigate({ to: paths.projects, search, replace: true })
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
      <Filters search={search} show={show} />
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

type FilterProps = { search: ProjectsSearch; show: (search: ProjectsSearch) => void }

function Filters({ search, show }: FilterProps) {
  const { q: _q, ...withoutWords } = search
  const { status: _status, ...withoutStatus } = search
  const { trashed: _trashed, ...alive } = search
  return (
    <search className={pageClasses.bar} aria-label="Project filters">
      <SearchField
        label="Search projects"
        value={search.q ?? ''}
        set={q => show(q ? { ...withoutWords, q } : withoutWords)}
      />
      <SegmentedControl
        size="xs"
        aria-label="Status"
        data={[
          { value: '', label: 'All' },
          ...projectStatuses.map(value => ({ value, label: projectStatusWords[value] })),
        ]}
        value={search.status ?? ''}
        onChange={value => show(value ? { ...withoutStatus, status: value as ProjectStatus } : withoutStatus)}
      />
      <Button
        size="xs"
        variant={search.trashed ? 'light' : 'subtle'}
        color="gray"
        aria-pressed={search.trashed === true}
        leftSection={<IconTrash size={14} />}
        onClick={() => show(search.trashed ? alive : { ...search, trashed: true })}
      >
        Trash
      </Button>
    </search>
  )
}

type NothingProps = FilterProps & { ask: (() => void) | undefined }

function Nothing({ search, ask, show }: NothingProps) {
  if (Object.keys(search).length > 0) {
    return (
      <Empty
        title={search.trashed ? 'Trash is empty' : 'No projects match these filters'}
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
