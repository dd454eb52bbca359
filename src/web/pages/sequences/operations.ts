import type { DraftStep } from './draft-steps.ts'

/** Every edit of the steps, as data. */
export type Operation =
  | { kind: 'add'; step: DraftStep; at: number }
  | { kind: 'change'; id: string; change: Partial<Omit<DraftStep, 'id' | 'type'>> }
  | { kind: 'move'; id: string; before: string | null }
  | { kind: 'remove'; id: string }
  | { kind: 'replace'; steps: readonly DraftStep[] }

/** The field edited: continued typing in the same field is one edit. */
export function placeOf(operation: Operation): string | null {
  return operation.kind === 'change' ? `${operation.id} ${Object.keys(operation.change)[0]}` : null
}

/** The steps after the edit; the same array if nothing changes. */
export function applied(steps: readonly DraftStep[], operation: Operation): readonly DraftStep[] {
  switch (operation.kind) {
    case 'add':
      // An undo that runs twice must not add the step twice.
      return steps.some(({ id }) => id === operation.step.id)
        ? steps
        : steps.toSpliced(operation.at, 0, operation.step)
    case 'change':
      return changed(steps, operation.id, operation.change)
    case 'move':
      return moved(steps, operation.id, operation.before)
    case 'remove': {
      const left = steps.filter(({ id }) => id !== operation.id)
      return left.length === steps.length ? steps : left
    }
    case 'replace':
      return operation.steps
  }
}

/** One position up or down; undefined at the ends. */
export function nextPlace(
  steps: readonly DraftStep[],
  id: string,
  way: 'up' | 'down',
): Operation | undefined {
  const at = steps.findIndex(step => step.id === id)
  if (at < 0 || (way === 'up' ? at === 0 : at === steps.length - 1)) return undefined
  return { kind: 'move', id, before: steps[way === 'up' ? at - 1 : at + 2]?.id ?? null }
}

function changed(steps: readonly DraftStep[], id: string, change: Partial<DraftStep>): readonly DraftStep[] {
  const at = steps.findIndex(step => step.id === id)
  const step = steps[at]
  const isSame = (Object.keys(change) as (keyof DraftStep)[]).every(key => change[key] === step?.[key])
  return !step || isSame ? steps : steps.with(at, { ...step, ...change })
}

function moved(steps: readonly DraftStep[], id: string, before: string | null): readonly DraftStep[] {
  const step = steps.find(each => each.id === id)
  if (!step || before === id) return steps
  const others = steps.filter(each => each !== step)
  const at = before === null ? others.length : others.findIndex(each => each.id === before)
  if (at < 0) return steps
  const next = others.toSpliced(at, 0, step)
  return next.every((each, index) => each === steps[index]) ? steps : next
}
