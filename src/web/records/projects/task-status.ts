import type { TaskStatus } from '#domains/projects/values.ts'

export const statusWords: Record<TaskStatus, string> = { TODO: 'To do', DOING: 'In progress', DONE: 'Done' }
