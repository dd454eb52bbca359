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

/** Steps being edited. They are saved when somebody says so: saving may make a new version. */
export type StepsDraft = Draft<SequenceWithWarnings, Steps> & {
  act: (operation: Operation) => void
  /** Saving was tried, so what is missing is said at its field. */
  tried: Store<boolean>
  /** What the server found wrong with the steps as they were sent, until they are changed. */
  refused: Store<readonly StepProblem[]>
  /** True where nothing stands in the way of saving; from then on what does is said. */
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

  /** What was wrong with a step that is another now may be right by now. */
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
