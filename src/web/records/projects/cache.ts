import { queryOptions } from '@tanstack/react-query'
import type { LiveChange } from '#domains/live/contract.ts'
import type { Project, ProjectBoard, Task } from '#domains/projects/contract.ts'
import { api } from '../../api.ts'
import { cacheKeys } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import { upToDate } from '../../writes/up-to-date.ts'

const BOARD_KEY = [...cacheKeys.projects, 'board'] as const
const TASK_KEY = [...cacheKeys.tasks, 'one'] as const

export function boardQuery(id: string) {
  return queryOptions({
    queryKey: [...BOARD_KEY, id],
    queryFn: async ({ signal }) => {
      const board = await api('GET /api/crm/projects/:id/board', { params: { id }, signal })
      return { ...board, project: upToDate(board.project, knownProject) }
    },
  })
}

export function knownProject(id: string): Project | undefined {
  return queryClient.getQueryData<ProjectBoard>([...BOARD_KEY, id])?.project
}

export function taskQuery(id: string) {
  return queryOptions({
    queryKey: [...TASK_KEY, id],
    queryFn: ({ signal }) => api('GET /api/crm/tasks/:id', { params: { id }, signal }),
  })
}

/** The task as its panel or any open board knows it. */
export function knownTask(id: string): Task | undefined {
  const own = queryClient.getQueryData<Task>([...TASK_KEY, id])
  if (own) return own
  for (const [, board] of queryClient.getQueriesData<ProjectBoard>({ queryKey: BOARD_KEY })) {
    const found = board?.tasks.find(task => task.id === id)
    if (found) return found
  }
  return undefined
}

/** Writes the fields wherever the task is shown. */
export function patchTask(id: string, fields: Partial<Task>): void {
  queryClient.setQueryData<Task>([...TASK_KEY, id], task => task && { ...task, ...fields })
  changeBoards(id, tasks => tasks.map(task => (task.id === id ? { ...task, ...fields } : task)))
}

/** A board that is being read would bring back what was there before a change: it is read again afterwards. */
export function holdBoards(): Promise<void> {
  return queryClient.cancelQueries({ queryKey: BOARD_KEY })
}

/** A task as the server has just answered it. */
export function putTask(task: Task): void {
  queryClient.setQueryData<Task>([...TASK_KEY, task.id], known => (known ? task : undefined))
  for (const [key, board] of queryClient.getQueriesData<ProjectBoard>({ queryKey: BOARD_KEY })) {
    if (!board) continue
    const others = board.tasks.filter(({ id }) => id !== task.id)
    const stands = board.project.id === task.project_id && task.deleted_at === null
    if (!stands && others.length === board.tasks.length) continue
    queryClient.setQueryData<ProjectBoard>(key, { ...board, tasks: stands ? [...others, task] : others })
  }
}

export function dropTask(id: string): void {
  changeBoards(id, tasks => tasks.filter(task => task.id !== id))
}

/** What somebody else did to a task shows at once; the boards are asked for again a little later anyway. */
export function applyTask(change: LiveChange): void {
  const known = knownTask(change.subject.id)
  if (change.type !== 'task.changed' || !known || known.updated_at > change.at) return
  patchTask(known.id, change.data.after as Partial<Task>)
}

function changeBoards(id: string, change: (tasks: Task[]) => Task[]): void {
  queryClient.setQueriesData<ProjectBoard>({ queryKey: BOARD_KEY }, board => {
    if (!board?.tasks.some(task => task.id === id)) return board
    return { ...board, tasks: change(board.tasks) }
  })
}
