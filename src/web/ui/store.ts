import { useSyncExternalStore } from 'react'

export type Store<T> = {
  get: () => T
  set: (change: T | ((now: T) => T)) => void
  /** Renders only when the result of `pick` changes. */
  use: <Picked>(pick: (now: T) => Picked) => Picked
}

/** State outside the React tree: a large table must not render again for a change in one cell. */
export function createStore<T>(initial: T): Store<T> {
  let state = initial
  const listeners = new Set<() => void>()
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const get = () => state
  return {
    get,
    set(change) {
      const next = typeof change === 'function' ? (change as (now: T) => T)(state) : change
      if (Object.is(next, state)) return
      state = next
      for (const listener of listeners) listener()
    },
    use: pick => useSyncExternalStore(subscribe, () => pick(state)),
  }
}
