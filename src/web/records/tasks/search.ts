/** The URL parameters of the task list. */
export type TasksSearch = {
  /** Absent: the person's own tasks. */
  assignee_id?: string
  project_id?: string
  lead_id?: string
  q?: string
  /** The task whose panel is open. Reminder emails link to it. */
  task?: string
}

export const ANYONE = 'anyone'
export const NONE = 'none'

const ID = /^[0-9a-f]{24}$/

/** Keeps only what the API understands. */
export function tasksSearch(raw: Record<string, unknown>): TasksSearch {
  const search: TasksSearch = {}
  const assignee = one(raw.assignee_id)
  if (assignee && (assignee === ANYONE || assignee === NONE || ID.test(assignee)))
    search.assignee_id = assignee
  const project = one(raw.project_id)
  if (project && (project === NONE || ID.test(project))) search.project_id = project
  const lead = one(raw.lead_id)
  if (lead && ID.test(lead)) search.lead_id = lead
  const q = one(raw.q)?.slice(0, 200)
  if (q) search.q = q
  const task = one(raw.task)
  if (task && ID.test(task)) search.task = task
  return search
}

/** The filters as API parameters. */
export function tasksQuery({ assignee_id, project_id, lead_id, q }: TasksSearch, me: string) {
  const whose = assignee_id ?? me
  return {
    ...(whose !== ANYONE && { assignee_id: [whose] }),
    ...(project_id && { project_id: [project_id] }),
    ...(lead_id && { lead_id: [lead_id] }),
    ...(q && { q }),
  }
}

export function isFiltered({ task: _task, ...filters }: TasksSearch): boolean {
  return Object.keys(filters).length > 0
}

function one(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value
  return first === undefined || first === null ? undefined : String(first)
}
