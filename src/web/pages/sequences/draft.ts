import type { SequenceWithWarnings, Step } from '#domains/sequences/contract.ts'
import { isProblem } from '../../problem.ts'
import { createDraft, type Draft } from '../../ui/draft/draft.ts'
import { createStore, type Store } from '../../ui/store.ts'
import { problemsOf, serverProblems, type StepProblem } from './draft-problems.ts'
import { draftFrom, stepsOf, type DraftStep } from './draft-steps.ts'
import { applied, placeOf, type Operation } from './operations.ts'

type Steps = readonly DraftStep[]

type Server = {
  save: (steps: Step[], ifMatch: string) => Promise<SequenceWithWarnings>
  read: () => Promise<SequenceWithWarnings>
}

/** Steps being edited. Saving is explicit because it may create a new version. */
export type StepsDraft = Draft<SequenceWithWarnings, Steps> & {
  act: (operation: Operation) => void
  /** Saving was attempted, so missing values are shown as errors. */
  tried: Store<boolean>
  /** Errors the server found, each kept until its step changes. */
  refused: Store<readonly StepProblem[]>
  /** True if it can be saved; from then on errors are shown. */
  check: () => boolean
}

export function createStepsDraft(sequence: SequenceWithWarnings, server: Server): StepsDraft {
  const tried = createStore(false)
  const refused = createStore<readonly StepProblem[]>([])
  const now = () => draft.state.get().history.now

  async function save({ steps = [] }: { steps?: Step[] }, ifMatch: string): Promise<SequenceWithWarnings> {
    const sent = now()
    try {
      const saved = await server.save(steps, ifMatch)
      tried.set(false)
      refused.set([])
      return saved
    } catch (error) {
      if (isProblem(error, 422)) refused.set(serverProblems(error.errors, sent))
      throw error
    }
  }

  const draft = createDraft<SequenceWithWarnings, Steps, { steps: Step[] }>(sequence, {
    server: { save, read: server.read },
    contentOf: ({ steps }, before) => draftFrom(steps, before),
    bodyOf: steps => ({ steps: stepsOf(steps) }),
    autosave: false,
  })

  /** Drops server errors of steps that have changed. */
  function after(change: () => void): void {
    const before = now()
    change()
    const stepOf = (steps: Steps, id: string) => steps.find(step => step.id === id)
    refused.set(all => all.filter(({ id }) => stepOf(now(), id) === stepOf(before, id)))
  }

  return {
    ...draft,
    tried,
    refused,
    act: operation => after(() => draft.edit(steps => applied(steps, operation), placeOf(operation))),
    undo: () => after(draft.undo),
    redo: () => after(draft.redo),
    check() {
      tried.set(true)
      return problemsOf(now()).length === 0
    },
  }
}
