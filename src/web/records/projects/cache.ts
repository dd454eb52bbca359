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

/** A board that is being read would bring back what was there before a card came: it is read again afterwards. */
export function holdBoards(): Promise<void> {
  return queryClient.cancelQueries({ queryKey: BOARD_KEY })
}

/** A task as the server has just answered it, also on the board that it has come to. */
export function putTask(task: Task): void {
  put(task)
  queryClient.setQueryData<ProjectBoard>(
    [...BOARD_KEY, task.project_id],
    board => board && { ...board, tasks: [...board.tasks.filter(({ id }) => id !== task.id), task] },
  )
}
