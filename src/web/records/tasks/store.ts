import type { Task, TaskChange } from '#domains/projects/contract.ts'
import { cacheKeys } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import { recordStore } from '../store.ts'

export const tasks = recordStore<Task, TaskChange>({
  path: '/api/crm/tasks',
  keys: [cacheKeys.tasks, cacheKeys.projects],
  one: 'task',
  nameOf: ({ title }) => title,
  changed: (task, change) => ({ ...task, ...change, ...doneAt(task, change) }) as Task,
  refresh: () =>
    Promise.all(
      [cacheKeys.tasks, cacheKeys.projects, cacheKeys.home].map(queryKey =>
        queryClient.invalidateQueries({ queryKey }),
      ),
    ),
})

function doneAt(task: Task, { status }: TaskChange): Partial<Task> {
  if (!status || status === task.status) return {}
  return { done_at: status === 'DONE' ? new Date().toISOString() : null }
}
