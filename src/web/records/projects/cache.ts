import { queryOptions } from '@tanstack/react-query'
import type { ProjectBoard, Task } from '#domains/projects/contract.ts'
import { api } from '../../api.ts'
import { cacheKeys } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import { put } from '../cache.ts'

const BOARD_KEY = [...cacheKeys.projects, 'board'] as const

export function boardQuery(id: string) {
  return queryOptions({
    queryKey: [...BOARD_KEY, id],
    queryFn: ({ signal }) => api('GET /api/crm/projects/:id/board', { params: { id }, signal }),
  })
}

/** Cancels board requests in flight, which would restore the state before a change; callers refresh afterwards. */
export function holdBoards(): Promise<void> {
  return queryClient.cancelQueries({ queryKey: BOARD_KEY })
}

/** Puts a task from a response into the caches, also on its new board. */
export function putTask(task: Task): void {
  put(task)
  queryClient.setQueryData<ProjectBoard>(
    [...BOARD_KEY, task.project_id],
    board => board && { ...board, tasks: [...board.tasks.filter(({ id }) => id !== task.id), task] },
  )
}
