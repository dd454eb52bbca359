import {
  anyOf,
  ById,
  defineEndpoints,
  Id,
  Instant,
  LongText,
  nullable,
  oneOf,
  paging,
  sortBy,
  t,
  Text,
  type Static,
} from '#platform/contract.ts'
import { defineEvent } from '#platform/events.ts'
import { recordEndpoints } from '#platform/record-endpoints.ts'
import { recordEvents } from '#platform/records.ts'
import { PROJECT_COLUMNS_MAX, projectSorts, projectStatuses, taskSorts, taskStatuses } from './values.ts'

const ColumnKey = t.String({
  pattern: '^[a-z0-9_]{1,40}$',
  description: 'Stable key of the column, used by tasks; unaffected by renaming',
})
export const Column = t.Object(
  {
    key: ColumnKey,
    name: Text,
    /** The status of tasks moved into this column. */
    status: oneOf(taskStatuses),
  },
  { additionalProperties: false },
)
export type Column = Static<typeof Column>

const projectFields = {
  name: Text,
  account_id: nullable(Id),
  opportunity_id: nullable(Id),
  columns: t.Array(Column, { minItems: 1, maxItems: PROJECT_COLUMNS_MAX }),
  status: oneOf(projectStatuses),
}
export const Project = t.Object(
  { id: Id, ...projectFields, created_at: Instant, updated_at: Instant, deleted_at: nullable(Instant) },
  { $id: 'Project' },
)
export type Project = Static<typeof Project>

/** How far a project has come, beside it in lists. */
export const ListedProject = t.Object({
  ...Project.properties,
  tasks: t.Object({ total: t.Integer(), done: t.Integer() }),
})
export type ListedProject = Static<typeof ListedProject>

/** Made from a won opportunity, a project needs no name: it takes the opportunity's, and its account. */
export const NewProject = t.Partial(t.Object(projectFields), { additionalProperties: false })
export type NewProject = Static<typeof NewProject>
export const ProjectChange = t.Partial(t.Object(projectFields), {
  additionalProperties: false,
  minProperties: 1,
})
export type ProjectChange = Static<typeof ProjectChange>

const taskFields = {
  title: Text,
  description: nullable(LongText),
  lead_id: nullable(Id),
  project_id: nullable(Id),
  column: nullable(ColumnKey),
  assignee_id: nullable(Id),
  due_at: nullable(Instant),
  remind_at: nullable(Instant),
  status: oneOf(taskStatuses),
}
export const Task = t.Object(
  {
    id: Id,
    ...taskFields,
    position: nullable(
      t.String({ description: 'Position in the column, in byte order; POST …/move changes it' }),
    ),
    done_at: nullable(Instant),
    /** When it was told that the due date has passed. */
    overdue_at: nullable(Instant),
    created_at: Instant,
    updated_at: Instant,
    deleted_at: nullable(Instant),
  },
  { $id: 'Task' },
)
export type Task = Static<typeof Task>
export const TaskChange = t.Partial(t.Object(taskFields), { additionalProperties: false, minProperties: 1 })
export type TaskChange = Static<typeof TaskChange>
export const NewTask = t.Object(
  { ...t.Partial(t.Object(taskFields)).properties, title: Text },
  { additionalProperties: false },
)
export type NewTask = Static<typeof NewTask>

export const TaskMove = t.Object(
  {
    column: ColumnKey,
    before: t.Optional(
      nullable(
        t.String({
          pattern: '^[0-9a-f]{24}$',
          description: 'The task to place it before; null for the end',
        }),
      ),
    ),
  },
  { additionalProperties: false },
)
export type TaskMove = Static<typeof TaskMove>

const projectFilters = {
  q: t.Optional(t.String({ maxLength: 200, description: 'Search names' })),
  status: anyOf(oneOf(projectStatuses)),
  account_id: anyOf(Id),
  opportunity_id: anyOf(Id),
  trashed: t.Optional(t.Boolean({ description: 'List trashed records instead of active ones' })),
}
const ListProjects = t.Object(
  { ...paging, sort: sortBy(projectSorts), ...projectFilters },
  { additionalProperties: false },
)
export type ListProjects = Static<typeof ListProjects>

const taskFilters = {
  q: t.Optional(t.String({ maxLength: 200, description: 'Search titles' })),
  status: anyOf(oneOf(taskStatuses)),
  assignee_id: anyOf(t.Union([Id, t.Literal('none')])),
  lead_id: anyOf(Id),
  project_id: anyOf(t.Union([Id, t.Literal('none')])),
  due_after: t.Optional(Instant),
  due_before: t.Optional(Instant),
  done_after: t.Optional(Instant),
  trashed: t.Optional(t.Boolean({ description: 'List trashed records instead of active ones' })),
}
const ListTasks = t.Object(
  { ...paging, sort: sortBy(taskSorts), ...taskFilters },
  { additionalProperties: false },
)
export type ListTasks = Static<typeof ListTasks>

export const ProjectBoard = t.Object({
  project: Project,
  /** All active tasks, column by column in order. */
  tasks: t.Array(Task),
})
export type ProjectBoard = Static<typeof ProjectBoard>

const read = { scope: 'projects:read' } as const
const write = { scope: 'projects:write' } as const

export const endpoints = defineEndpoints({
  ...recordEndpoints({
    one: 'Project',
    many: 'Projects',
    path: '/api/crm/projects',
    read,
    write,
    query: ListProjects,
    listed: ListedProject,
    whole: Project,
    create: NewProject,
    change: ProjectChange,
    summaries: {
      create: "Create a project; a won opportunity's ID alone is enough, once",
      change: 'Update a project; only an empty column can be removed',
      trash: 'Move a project and its tasks to the trash for 30 days',
      restore: 'Restore a project and its tasks from the trash',
    },
  }),
  readBoard: {
    method: 'GET',
    path: '/api/crm/projects/:id/board',
    summary: "Read a project's board with all its tasks, in order",
    auth: read,
    params: ById,
    output: ProjectBoard,
  },
  ...recordEndpoints({
    one: 'Task',
    many: 'Tasks',
    path: '/api/crm/tasks',
    read,
    write,
    query: ListTasks,
    listed: Task,
    whole: Task,
    create: NewTask,
    change: TaskChange,
    summaries: {
      change: 'Update a task; in a project, column and status are kept in sync',
    },
  }),
  exportTasks: {
    method: 'GET',
    path: '/api/crm/tasks/export',
    summary: 'Export matching tasks as CSV, safe from formula injection',
    auth: read,
    query: t.Object({ sort: sortBy(taskSorts), ...taskFilters }, { additionalProperties: false }),
    media: 'text/csv',
  },
  moveTask: {
    method: 'POST',
    path: '/api/crm/tasks/:id/move',
    summary: "Move a task on its project's board",
    auth: write,
    params: ById,
    body: TaskMove,
    output: Task,
    status: 200,
    etag: true,
  },
})

export const projectEvents = recordEvents('project', 'projects:read')
export const taskEvents = recordEvents('task', 'projects:read')
const Told = t.Object({ title: t.String(), assignee_id: nullable(t.String()), at: t.String() })
/** The due date has passed and the task is not done: told once for each due date. */
export const taskOverdue = defineEvent('task.overdue', Told, { live: 'projects:read' })
export const taskReminded = defineEvent('task.reminded', Told, { live: 'projects:read' })
