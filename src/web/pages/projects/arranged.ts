import type { Column, ProjectBoard, Task } from '#domains/projects/contract.ts'
import type { Place } from '../../ui/board/places.ts'

export type Move = Place & { project_id: string; id: string }

/** The cards of each column in order, with pending moves applied. */
export function arranged({ project, tasks }: ProjectBoard, moves: readonly Move[]): Map<string, Task[]> {
  const columns = new Map<string, Task[]>(project.columns.map(({ key }) => [key, []]))
  const living = tasks.filter(({ deleted_at }) => deleted_at === null)
  for (const task of living.toSorted(byPlace)) columns.get(task.column ?? '')?.push(task)
  for (const move of moves) {
    if (move.project_id === project.id) carryOut(columns, project.columns, move)
  }
  return columns
}

function carryOut(columns: Map<string, Task[]>, known: readonly Column[], move: Move): void {
  const to = columns.get(move.column)
  const status = known.find(({ key }) => key === move.column)?.status
  if (!to || !status || move.before === move.id) return
  for (const [key, cards] of columns) {
    const task = cards.find(({ id }) => id === move.id)
    if (!task) continue
    columns.set(
      key,
      cards.filter(card => card !== task),
    )
    const left = columns.get(move.column)!
    const at = left.findIndex(({ id }) => id === move.before)
    const moved = { ...task, column: move.column, status }
    columns.set(move.column, left.toSpliced(at < 0 ? left.length : at, 0, moved))
    return
  }
}

/** By bytes, like the database. */
function byPlace(a: Task, b: Task): number {
  const [left, right] = [a.position ?? '', b.position ?? '']
  if (left === right) return a.id < b.id ? -1 : 1
  return left < right ? -1 : 1
}
