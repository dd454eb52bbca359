import { createStore } from '../../ui/store.ts'

/** Row -1 is the head of the table, column -1 the checkboxes. */
export type Place = { row: number; col: number }
type GridState = Place & { editing: boolean }

const start: GridState = { row: 0, col: 0, editing: false }

/** The active cell. Kept outside React, so that a move renders two rows and not the table. */
export const grid = createStore<GridState>(start)

export function moveTo(place: Place): void {
  grid.set({ ...place, editing: false })
}

export function edit(): void {
  grid.set(now => ({ ...now, editing: true }))
}

export function stopEditing(): void {
  grid.set(now => (now.editing ? { ...now, editing: false } : now))
}

type Memory = { place: Place; offset: number }

/** The position in each list, restored when coming back to it. */
const left = new Map<string, Memory>()
const REMEMBERED_MAX = 30

export function remember(text: string, offset: number): void {
  const { row, col } = grid.get()
  left.delete(text)
  left.set(text, { place: { row, col }, offset })
  const [oldest] = left.keys()
  if (left.size > REMEMBERED_MAX && oldest !== undefined) left.delete(oldest)
}

export function recall(text: string): Memory {
  return left.get(text) ?? { place: { row: 0, col: 0 }, offset: 0 }
}
