import type { NewTask, Task } from '#domains/projects/contract.ts'
import { api } from '../../api.ts'
import { toastFault, toastWithUndo } from '../../ui/toast.ts'
import { dueOn, type DueChoice } from './days.ts'
import { tasks } from './store.ts'

export function checkOff({ id, title }: Task): Promise<boolean> {
  return tasks.change(id, { status: 'DONE' }, `Done: ${title}`)
}

export function reopen({ id, title }: Task): Promise<boolean> {
  return tasks.change(id, { status: 'TODO' }, `Reopened: ${title}`)
}

export function snooze({ id, title, due_at }: Task, until: DueChoice): Promise<boolean> {
  return tasks.change(id, { due_at: dueOn(until, Date.now(), due_at) }, `Due ${until}: ${title}`)
}

/** False if it was not created; the person saw why. */
export async function addTask(body: NewTask): Promise<boolean> {
  try {
    const { id } = await tasks.create(body)
    toastWithUndo(`Added: ${body.title}`, () => forget(id))
    return true
  } catch (error) {
    toastFault(error, "Couldn't add the task")
    return false
  }
}

async function forget(id: string): Promise<void> {
  await api('DELETE /api/crm/tasks/:id', { params: { id } })
  await tasks.refresh()
}
