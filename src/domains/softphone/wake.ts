import type { Runtime } from '#platform/context.ts'

const wakers = new WeakMap<object, () => void>()

/** Tells the attendant of this process that there is something to do; those of other processes find it by looking. */
export function wakeAttendant({ registry }: Runtime): void {
  wakers.get(registry)?.()
}

export function onWake({ registry }: Runtime, wake: () => void): void {
  wakers.set(registry, wake)
}
