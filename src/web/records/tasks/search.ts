import type { ListTasks } from '#domains/projects/contract.ts'
import {
  filterQuery,
  filtersOf,
  isId,
  isIdOrNone,
  valuesOf,
  type FilterShape,
  type ListSearch,
} from '../../ui/record-list/search.ts'

/** The URL parameters of the task list: its filters, and the task whose panel is open. Reminder emails link to it. */
export type TasksSearch = ListSearch & { task?: string }

export const ANYONE = 'anyone'
export const NONE = 'none'

const tasksShape: FilterShape = {
  searchable: true,
  lists: {
    /** Absent: the person's own tasks. */
    assignee_id: value => value === ANYONE || isIdOrNone(value),
    project_id: isIdOrNone,
    lead_id: isId,
  },
  // A new task takes them over.
  singles: ['assignee_id', 'project_id', 'lead_id'],
}

/** Keeps only what the API understands. */
export function tasksSearch(raw: Record<string, unknown>): TasksSearch {
  const task = String(raw.task)
  return { ...filtersOf(tasksShape, raw), ...(isId(task) && { task }) }
}

/** The filters as API parameters. */
export function tasksQuery(search: TasksSearch, me: string): ListTasks {
  const { task: _task, assignee_id: _assignee, ...filters } = search
  const assignee = assigneeOf(search, me)
  return {
    ...filterQuery<ListTasks>(tasksShape, filters),
    ...(assignee !== ANYONE && { assignee_id: [assignee] }),
  }
}

/** Whose tasks are listed: a member, or anyone, or none. */
export function assigneeOf(search: ListSearch, me: string): string {
  return valuesOf(search, 'assignee_id')[0] ?? me
}
