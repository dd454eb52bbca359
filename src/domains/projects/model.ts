import { tidyInstant } from '#platform/clock.ts'
import { invalid, type Fault } from '#platform/problem.ts'
import type { Column, NewProject, NewTask, Project, Task, TaskChange } from './contract.ts'
import { defaultColumns, type TaskStatus } from './values.ts'

type Made = { id: string; at: string }

export function newProject(input: NewProject & { name: string }, made: Made): Project {
  const columns = input.columns ?? defaultColumns.map(column => ({ ...column }))
  checkColumns(columns)
  return {
    id: made.id,
    name: input.name,
    account_id: input.account_id ?? null,
    opportunity_id: input.opportunity_id ?? null,
    columns,
    status: input.status ?? 'ACTIVE',
    created_at: made.at,
    updated_at: made.at,
    deleted_at: null,
  }
}

export function checkColumns(columns: readonly Column[]): void {
  const faults = columns.flatMap(({ key }, at) =>
    columns.findIndex(other => other.key === key) < at
      ? [{ path: `columns[${at}].key`, message: 'is a duplicate' }]
      : [],
  )
  if (faults.length > 0) throw invalid(faults)
}

export function newTask(input: NewTask, made: Made): Task {
  const status = input.status ?? 'TODO'
  return {
    id: made.id,
    title: input.title,
    description: input.description ?? null,
    lead_id: input.lead_id ?? null,
    project_id: null,
    column: null,
    position: null,
    assignee_id: input.assignee_id ?? null,
    due_at: input.due_at ?? null,
    remind_at: input.remind_at ?? null,
    status,
    done_at: status === 'DONE' ? made.at : null,
    overdue_at: null,
    created_at: made.at,
    updated_at: made.at,
    deleted_at: null,
  }
}

/**
 * The column of a task. A named column decides; otherwise the task stays in its column while that fits its
 * status, and else moves to the first column with that status.
 */
export function columnFor(
  project: Project,
  wanted: string | null | undefined,
  status: TaskStatus | undefined,
  current: string | null,
): Column {
  if (wanted) {
    const named = project.columns.find(({ key }) => key === wanted)
    if (named) return named
    const keys = project.columns.map(({ key }) => key).join(', ')
    throw invalid([{ path: 'column', message: `must be one of ${keys}` }])
  }
  const standing = project.columns.find(({ key }) => key === current)
  if (standing && (status === undefined || standing.status === status)) return standing
  return (
    project.columns.find(column => column.status === (status ?? 'TODO')) ?? standing ?? project.columns[0]!
  )
}

/** Dates in their one spelling: a wait for a date is found by it. */
export function withTidyDates<Input extends TaskChange>(input: Input): Input {
  const { due_at, remind_at } = input
  return {
    ...input,
    ...(due_at && { due_at: tidyInstant(due_at) }),
    ...(remind_at && { remind_at: tidyInstant(remind_at) }),
  }
}

/** What else changes with the status and the dates of a task. */
export function consequences(task: Task, change: TaskChange, at: string): Partial<Task> {
  const status = change.status ?? task.status
  const after: Partial<Task> = { status }
  if (status !== task.status) after.done_at = status === 'DONE' ? at : null
  // A new due date can become overdue again.
  if (change.due_at !== undefined && change.due_at !== task.due_at) after.overdue_at = null
  return after
}

export function columnWithoutProject({ project_id, column }: TaskChange, task?: Task): Fault[] {
  const project = project_id === undefined ? (task?.project_id ?? null) : project_id
  return column && !project ? [{ path: 'column', message: 'needs a project' }] : []
}
