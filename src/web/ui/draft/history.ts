/** Undo and redo of anything that is edited as a whole. */
export type History<T> = {
  past: readonly T[]
  now: T
  future: readonly T[]
  /** What the last edit was about: typing in one place is one edit. */
  about: string | null
}

export const DEPTH_MAX = 200

export function begin<T>(now: T): History<T> {
  return { past: [], now, future: [], about: null }
}

/** Adds an edit. `about` null: never merged with the next one. */
export function act<T>(history: History<T>, now: T, about: string | null = null): History<T> {
  if (now === history.now) return history
  if (about !== null && about === history.about) return { ...history, now, future: [] }
  return { past: [...history.past, history.now].slice(-DEPTH_MAX), now, future: [], about }
}

export function undo<T>(history: History<T>): History<T> {
  if (history.past.length === 0) return history
  return {
    past: history.past.slice(0, -1),
    now: history.past.at(-1) as T,
    future: [history.now, ...history.future],
    about: null,
  }
}

export function redo<T>(history: History<T>): History<T> {
  if (history.future.length === 0) return history
  return {
    past: [...history.past, history.now].slice(-DEPTH_MAX),
    now: history.future[0] as T,
    future: history.future.slice(1),
    about: null,
  }
}
