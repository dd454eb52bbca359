import type { ProjectBoard, Task } from '#domains/projects/contract.ts'
import { api } from '../../api.ts'
import type { Place } from '../../ui/board/places.ts'
import { together } from '../../ui/board/together.ts'
import { createStore } from '../../ui/store.ts'
import { toastFault, toastWithUndo } from '../../ui/toast.ts'
import { inTurn } from '../../records/in-turn.ts'
import type { Move } from './arranged.ts'
import { holdBoards, putTask } from '../../records/projects/cache.ts'
import { tasks } from '../../records/tasks/store.ts'

/** Pending moves. They are applied on top of server data, so that an older response undoes none of them. */
export const moves = createStore<readonly Move[]>([])

/** Optimistic; if the server rejects the move, the card goes back. */
export async function moveTask(board: ProjectBoard, task: Task, to: Place, from: Place): Promise<void> {
  if (!(await send({ ...to, project_id: board.project.id, id: task.id }))) return
  if (to.column === from.column) return
  const name = board.project.columns.find(({ key }) => key === to.column)?.name ?? to.column
  toastWithUndo(`${task.title} moved to ${name}`, () =>
    send({ ...from, project_id: board.project.id, id: task.id }),
  )
}

async function send(move: Move): Promise<boolean> {
  const { project_id, id, column, before } = move
  const done = () => moves.set(now => now.filter(each => each !== move))
  moves.set(now => [...now, move])
  try {
    // One at a time: a card may be placed before one whose own move is pending.
    const task = await inTurn(`board ${project_id}`, () =>
      api('POST /api/crm/tasks/:id/move', { params: { id }, body: { column, before } }),
    )
    await holdBoards()
    together(() => putTask(task), done)
    return true
  } catch (error) {
    done()
    toastFault(error, "Couldn't move the task")
    return false
  } finally {
    tasks.refresh()
  }
}
