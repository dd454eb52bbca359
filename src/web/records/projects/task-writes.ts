import type { Task, TaskChange } from '#domains/projects/contract.ts'
import { api } from '../../api.ts'
import { cacheKeys } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import { toastFault, toastWithUndo } from '../../ui/toast.ts'
import { inTurn } from '../../writes/in-turn.ts'
import { dropTask, holdBoards, knownTask, patchTask, putTask, taskQuery } from './cache.ts'

/** Shows the change at once, saves it, and takes it back when the server refuses. False: it was refused. */
export async function changeTask(id: string, change: TaskChange): Promise<boolean> {
  const before = knownTask(id) ?? (await queryClient.fetchQuery(taskQuery(id)))
  patchTask(id, change)
  try {
    const task = await inTurn(id, () => api('PATCH /api/crm/tasks/:id', { params: { id }, body: change }))
    await holdBoards()
    putTask(task)
    refreshTasks()
    return true
  } catch (error) {
    patchTask(id, valuesOf(before, change))
    toastFault(error, 'Not saved')
    return false
  }
}

/** Into the trash, with the way back. */
export async function trashTask(task: Task): Promise<boolean> {
  const params = { id: task.id }
  try {
    await api('DELETE /api/crm/tasks/:id', { params })
    await holdBoards()
    dropTask(task.id)
    refreshTasks()
    toastWithUndo(`Moved ${task.title} to the trash`, () => restoreTask(task.id))
    return true
  } catch (error) {
    toastFault(error, 'Not moved to the trash')
    return false
  }
}

export async function restoreTask(id: string): Promise<void> {
  const task = await api('POST /api/crm/tasks/:id/restore', { params: { id } })
  queryClient.setQueryData(taskQuery(id).queryKey, task)
  await holdBoards()
  putTask(task)
  refreshTasks()
}

/** The stream tells us of our own changes too; this is for the time when it is broken. */
export function refreshTasks(): void {
  void queryClient.invalidateQueries({ queryKey: cacheKeys.tasks })
  void queryClient.invalidateQueries({ queryKey: cacheKeys.projects })
}

function valuesOf(task: Task, change: TaskChange): Partial<Task> {
  return Object.fromEntries(Object.keys(change).map(key => [key, task[key as keyof Task]]))
}
