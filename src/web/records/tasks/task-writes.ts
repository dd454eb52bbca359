import type { NewTask, Task, TaskChange } from '#domains/projects/contract.ts'
import { api } from '../../api.ts'
import { toastFault, toastWithUndo } from '../../ui/toast.ts'
import { inTurn } from '../../writes/in-turn.ts'
import { dueOn, type DueChoice } from './days.ts'
import { holdTasks, patchTask, refreshTasks } from './tasks-cache.ts'

/** Shows the change at once; takes it back when the server refuses. */
async function change(task: Task, fields: TaskChange): Promise<boolean> {
  const { status } = fields
  const told = status && { done_at: status === 'DONE' ? new Date().toISOString() : null }
  const shown = { ...fields, ...told } as Partial<Task>
  patchTask(task.id, shown)
  // An answer on its way would bring the old back, and so does giving it up.
  await holdTasks()
  patchTask(task.id, shown)
  try {
    const save = () => api('PATCH /api/crm/tasks/:id', { params: { id: task.id }, body: fields })
    patchTask(task.id, await inTurn(task.id, save))
    return true
  } catch (error) {
    patchTask(task.id, task)
    toastFault(error, 'Not saved')
    return false
  } finally {
    void refreshTasks()
  }
}

export async function checkOff(task: Task): Promise<void> {
  // What was in progress is in progress again when it is taken back.
  const before = { status: task.status }
  if (await change(task, { status: 'DONE' }))
    toastWithUndo(`Done: ${task.title}`, () => change({ ...task, status: 'DONE' }, before))
}

export async function reopen(task: Task): Promise<void> {
  if (await change(task, { status: 'TODO' }))
    toastWithUndo(`Not done: ${task.title}`, () => change({ ...task, status: 'TODO' }, { status: 'DONE' }))
}

export async function snooze(task: Task, until: DueChoice): Promise<void> {
  const due_at = dueOn(until, Date.now(), task.due_at)
  if (await change(task, { due_at }))
    toastWithUndo(`Due ${until}: ${task.title}`, () => change({ ...task, due_at }, { due_at: task.due_at }))
}

/** False: it was not made, and the person was told why. */
export async function addTask(body: NewTask): Promise<boolean> {
  try {
    const { id } = await api('POST /api/crm/tasks', { body })
    toastWithUndo(`Added: ${body.title}`, () => forget(id))
    await refreshTasks()
    return true
  } catch (error) {
    toastFault(error, 'The task was not added')
    return false
  }
}

async function forget(id: string): Promise<void> {
  await api('DELETE /api/crm/tasks/:id', { params: { id } })
  await refreshTasks()
}
