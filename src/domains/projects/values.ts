export const taskStatuses = ['TODO', 'DOING', 'DONE'] as const
export type TaskStatus = (typeof taskStatuses)[number]
export const projectStatuses = ['ACTIVE', 'ON_HOLD', 'DONE'] as const

export const taskSorts = ['due_at', 'created_at', 'updated_at', 'title'] as const
export const projectSorts = ['name', 'created_at', 'updated_at'] as const

export const PROJECT_COLUMNS_MAX = 20
/** Living tasks of one project: its board is always read whole. */
export const PROJECT_TASKS_MAX = 2_000

/** What a new project starts with. */
export const defaultColumns = [
  { key: 'todo', name: 'To do', status: 'TODO' },
  { key: 'doing', name: 'Doing', status: 'DOING' },
  { key: 'done', name: 'Done', status: 'DONE' },
] as const
