import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import IconChecks from 'icon:checks'
import IconChevronRight from 'icon:chevron-right'
import IconFilterOff from 'icon:filter-off'
import { lazy, Suspense, useEffect, useMemo, useRef, useState, type RefObject } from 'react'
import type { Task } from '#domains/projects/contract.ts'
import { paths } from '../../paths.ts'
import { useCan, useUser } from '../../queries.ts'
import { useCommands } from '../../ui/commands.ts'
import { useKeys } from '../../ui/keys.ts'
import { close, opened } from '../../ui/opened.ts'
import { MoreButton } from '../../ui/more-button.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { isFiltered, type ListSearch } from '../../ui/record-list/search.ts'
import { Bar, Empty, Fault } from '../../ui/states.tsx'
import { useNow } from '../../ui/time.tsx'
import { useTitle } from '../../ui/title.ts'
import { count } from '../../ui/words.ts'
import { usePeople } from '../../records/leads/people.ts'
import { midnight, sectionOf, sections, type SectionName } from '../../records/tasks/days.ts'
import { Filters } from './filters.tsx'
import { QuickAdd } from './quick-add.tsx'
import { ANYONE, assigneeOf, NONE, tasksSearch, type TasksSearch } from '../../records/tasks/search.ts'
import { TaskRow } from '../../records/tasks/task-row.tsx'
import { doneTodayQuery, openTasksQuery } from '../../records/tasks/tasks-cache.ts'
import classes from '../../records/tasks/tasks.module.css'
import pageClasses from '../../ui/page.module.css'
import rowsClasses from '../../ui/rows.module.css'
import textClasses from '../../ui/text.module.css'

const TaskPanel = lazy(() =>
  import('../../records/projects/task-panel.tsx').then(({ TaskPanel }) => ({ default: TaskPanel })),
)

const route = getRouteApi('/tasks')

/** My day: overdue tasks, those due today, and later ones. */
export function TasksPage() {
  const raw = route.useSearch()
  const search = useMemo(() => tasksSearch(raw), [raw])
  const { task, ...filters } = search
  const navigate = useNavigate()
  const canWrite = useCan('projects:write')
  const addField = useRef<HTMLInputElement>(null)
  const set = (next: TasksSearch) => void navigate({ to: paths.tasks, search: next, replace: true })
  const title = search.assignee_id ? 'Tasks' : 'My day'
  useTitle(title)
  useKeys(canWrite ? { n: () => addField.current?.focus() } : {})
  useNewTask(addField)
  useCommands([
    {
      id: 'my-tasks',
      group: 'This page',
      label: 'Show only my tasks',
      words: 'filter mine day',
      run: () => set({}),
    },
    {
      id: 'unassigned-tasks',
      group: 'This page',
      label: 'Show unassigned tasks',
      words: 'filter nobody',
      run: () => set({ assignee_id: [NONE] }),
    },
  ])
  return (
    <>
      <PageHead title={title} />
      <Filters search={filters} set={next => set({ ...next, ...(task && { task }) })} />
      <div className={pageClasses.scroll}>
        <div className={pageClasses.reading}>
          {canWrite && <QuickAdd search={filters} field={addField} />}
          <TaskSections search={filters} />
        </div>
      </div>
      {task && (
        <Suspense fallback={null}>
          <TaskPanel id={task} onClose={() => set(filters)} />
        </Suspense>
      )}
    </>
  )
}

/** The palette can start a new task from any page. The field takes the focus once the page is ready. */
function useNewTask(field: RefObject<HTMLInputElement | null>): void {
  const isAsked = opened.use(now => now === 'new-task')
  useEffect(() => {
    if (!isAsked) return
    close()
    setTimeout(() => field.current?.focus())
  }, [isAsked, field])
}

function TaskSections({ search }: { search: ListSearch }) {
  const me = useUser().id
  const now = useNow()
  // Kept here: between the responses of the two lists a task may be in neither, and the section may briefly disappear.
  const [showsDone, setShowsDone] = useState(false)
  const open = useInfiniteQuery({ ...openTasksQuery(search, me), placeholderData: keepPreviousData })
  const done = useInfiniteQuery({ ...doneTodayQuery(search, me, now), placeholderData: keepPreviousData })
  const known = useMemo(() => {
    const pages = [...(done.data?.pages ?? []), ...(open.data?.pages ?? [])]
    // A task that was just checked off or reopened may briefly be in both: the list it comes from wins.
    return [...new Map(pages.flatMap(page => page.data).map(task => [task.id, task])).values()]
  }, [open.data, done.data])
  const groups = Map.groupBy(known, task => groupOf(task, now))
  const finished = groups.get('Done today') ?? []
  const hasOpen = sections.some(name => groups.has(name))

  if (open.isError && !open.data) return <Fault error={open.error} retry={() => void open.refetch()} />
  if (!open.data) return <Waiting />
  return (
    <div data-stale={open.isPlaceholderData || undefined} className={classes.sections}>
      {sections.map(name => (
        <TaskSection
          key={name}
          name={name}
          tasks={groups.get(name) ?? []}
          // The last section with tasks may continue beyond the loaded page.
          more={open.hasNextPage && name === lastOf(groups)}
          search={search}
        />
      ))}
      {!hasOpen && <Nothing search={search} isDone={finished.length > 0} />}
      <MoreButton list={open} label="Show more" />
      {finished.length > 0 && (
        <details
          className={classes.done}
          open={showsDone}
          onToggle={event => setShowsDone(event.currentTarget.open)}
        >
          <summary>
            <IconChevronRight size={16} aria-hidden className={classes.chevron} />
            Done today <span className={classes.count}>{count(finished.length)}</span>
          </summary>
          <Rows tasks={finished} search={search} name="Done today" />
        </details>
      )}
    </div>
  )
}

type Group = SectionName | 'Done today' | 'Done before'
type Groups = ReadonlyMap<Group, Task[]>

function groupOf(task: Task, now: number): Group {
  if (task.status !== 'DONE') return sectionOf(task, now)
  return task.done_at && Date.parse(task.done_at) >= midnight(now).getTime() ? 'Done today' : 'Done before'
}

function lastOf(groups: Groups): SectionName | undefined {
  return sections.findLast(name => groups.has(name))
}

type SectionProps = { name: SectionName; tasks: Task[]; more: boolean; search: ListSearch }

function TaskSection({ name, tasks, more, search }: SectionProps) {
  if (tasks.length === 0) return null
  return (
    <section aria-labelledby={headingId(name)}>
      <h2 className={classes.heading} id={headingId(name)} data-late={name === 'Overdue' || undefined}>
        {name}
        <span className={classes.count}>
          {count(tasks.length)}
          {more && '+'}
        </span>
      </h2>
      <Rows tasks={tasks} search={search} name={name} />
    </section>
  )
}

function Rows({ tasks, search, name }: { tasks: Task[]; search: ListSearch; name: string }) {
  const people = usePeople()
  const me = useUser().id
  return (
    <ul className={rowsClasses.rows} aria-label={name}>
      {tasks.map(task => (
        <TaskRow
          key={task.id}
          task={task}
          people={people}
          withAssignee={assigneeOf(search, me) === ANYONE}
          late={name === 'Overdue'}
        >
          <Link
            to={paths.tasks}
            search={{ ...search, task: task.id }}
            className={`${textClasses.quiet} ${classes.name}`}
            activeProps={{}}
          >
            {task.title}
          </Link>
        </TaskRow>
      ))}
    </ul>
  )
}

function headingId(name: string): string {
  return `tasks-${name.toLowerCase().replaceAll(' ', '-')}`
}

function Nothing({ search, isDone }: { search: ListSearch; isDone: boolean }) {
  if (isFiltered(search)) {
    return (
      <Empty icon={<IconFilterOff size={30} stroke={1.4} />} title="No open tasks match these filters">
        Try fewer filters or a different search.
      </Empty>
    )
  }
  return (
    <Empty
      icon={<IconChecks size={30} stroke={1.4} />}
      title={isDone ? 'All done for today' : 'No open tasks'}
    >
      {isDone ? 'Everything assigned to you is done.' : 'Tasks assigned to you appear here.'}
    </Empty>
  )
}

function Waiting() {
  return (
    <div
      role="status"
      aria-busy
      aria-label="Loading tasks"
      className={`${rowsClasses.rows} ${classes.waiting}`}
    >
      {[52, 38, 61, 44, 57, 35].map(width => (
        <div key={width}>
          <Bar width={16} height={16} />
          <Bar width={`${width}%`} />
        </div>
      ))}
    </div>
  )
}
