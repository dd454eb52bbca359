import { createStore } from '../../ui/store.ts'

/** The step whose fields are open, by its identity; one at a time. */
export const openedStep = createStore<string | null>(null)

export function openStep(id: string | null): void {
  openedStep.set(id)
}
