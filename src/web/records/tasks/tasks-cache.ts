import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Task } from '#domains/projects/contract.ts'
import { api } from '../../api.ts'
import { cacheKeys } from '../../queries.ts'
import { midnight } from './days.ts'
import { tasksQuery, type TasksSearch } from './search.ts'

const PAGE_SIZE = 100
const DONE_MAX = 100
const NAMES_MAX = 200
const LISTED = [...cacheKeys.tasks, 'listed'] as const

type Page = { data: Task[]; next_cursor: string | null }

/** Open tasks by due date. Those without one come last. */
export function openTasksQuery(search: TasksSearch, me: string) {
  const filters = tasksQuery(search, me)
  return infiniteQueryOptions({
    queryKey: [...LISTED, 'open', filters],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }): Promise<Page> =>
      api('GET /api/crm/tasks', {
        query: {
          ...filters,
          status: ['TODO', 'DOING'],
          sort: 'due_at',
          limit: PAGE_SIZE,
          ...(pageParam && { cursor: pageParam }),
        },
        signal,
      }),
    getNextPageParam: last => last.next_cursor ?? undefined,
  })
}

export function doneTodayQuery(search: TasksSearch, me: string, now: number) {
  const filters = { ...tasksQuery(search, me), done_after: midnight(now).toISOString() }
  return infiniteQueryOptions({
    queryKey: [...LISTED, 'done', filters],
    initialPageParam: '',
    queryFn: ({ signal }): Promise<Page> =>
      api('GET /api/crm/tasks', {
        query: { ...filters, status: ['DONE'], sort: '-updated_at', limit: DONE_MAX },
        signal,
      }),
    getNextPageParam: () => undefined,
  })
}

/** The first tasks due by the end of the day, for the home page. */
export function dueTasksQuery(me: string, until: string, limit: number) {
  return infiniteQueryOptions({
    queryKey: [...LISTED, 'due', me, until],
    initialPageParam: '',
    queryFn: ({ signal }): Promise<Page> =>
      api('GET /api/crm/tasks', {
        query: { assignee_id: [me], status: ['TODO', 'DOING'], due_before: until, sort: 'due_at', limit },
        signal,
      }),
    getNextPageParam: () => undefined,
  })
}

export const projectNamesQuery = queryOptions({
  queryKey: [...cacheKeys.projects, 'names'],
  queryFn: async () =>
    (await api('GET /api/crm/projects', { query: { sort: 'name', limit: NAMES_MAX } })).data,
})
