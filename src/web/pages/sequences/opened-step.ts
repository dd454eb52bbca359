import { createStore } from '../../ui/store.ts'

/** The ID of the step whose fields are open; one at a time. */
export const openedStep = createStore<string | null>(null)

export function openStep(id: string | null): void {
  openedStep.set(id)
}
