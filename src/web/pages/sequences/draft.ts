import type { SequenceWithWarnings, Step } from '#domains/sequences/contract.ts'
import { isProblem } from '../../problem.ts'
import { createStore, type Store } from '../../ui/store.ts'
import { problemsOf, serverProblems, type StepProblem } from './draft-problems.ts'
import { draftFrom, isSameSteps, stepsOf } from './draft-steps.ts'
import { act, begin, redo, undo, type History, type Operation } from './operations.ts'

/** `conflict`: somebody else has changed the same, and only a person can say what is meant. */
export type Saving = 'saved' | 'unsaved' | 'saving' | 'conflict' | 'failed'

export type DraftState = {
  history: History
  /** The steps as the server has them: what is counted is counted by their places. */
  saved: History['now']
  saving: Saving
  error: unknown
  /** Saving was tried, so what is missing is said at its field. */
  tried: boolean
  /** What the server found wrong with the steps as they were sent. */
  refused: readonly StepProblem[]
}

type Server = {
  save: (steps: Step[], ifMatch: string) => Promise<SequenceWithWarnings>
  read: () => Promise<SequenceWithWarnings>
}

/** Steps being worked on. They are saved when somebody says so: a new version is nothing to be made by the way. */
export type Draft = {
  state: Store<DraftState>
  act: (operation: Operation) => void
  undo: () => void
  redo: () => void
  /** The sequence as the server told it, perhaps after somebody else changed it. */
  seen: (sequence: SequenceWithWarnings) => void
  /** True where nothing stands in the way of saving; from then on what does is said. */
  check: () => boolean
  /** The sequence as it is saved now, or nothing where it could not be. */
  save: () => Promise<SequenceWithWarnings | undefined>
  /** Back to what is saved. */
  discard: () => void
  takeTheirs: () => Promise<void>
  keepMine: () => Promise<void>
}

export function createDraft(sequence: SequenceWithWarnings, server: Server): Draft {
  /** What the server has, as far as we know. */
  let base = sequence
  const initial = draftFrom(sequence.steps)
  const state = createStore<DraftState>({
    ...untouched,
    history: begin(initial),
    saved: initial,
    saving: 'saved',
  })

  const isSaved = (now: History['now']) => isSameSteps(stepsOf(now), base.steps)

  function edit(change: (history: History) => History): void {
    const { history, saving, refused } = state.get()
    const next = change(history)
    if (next === history) return
    // Only a person can end a conflict.
    const now = saving === 'conflict' ? saving : isSaved(next.now) ? 'saved' : 'unsaved'
    const still = refused.filter(
      ({ id }) => next.now.find(step => step.id === id) === stepBefore(history, id),
    )
    tell({ history: next, saving: now, error: undefined, refused: still })
  }

  async function save(): Promise<SequenceWithWarnings | undefined> {
    const { history, saving } = state.get()
    if (saving === 'saving' || saving === 'conflict') return undefined
    tell({ saving: 'saving', error: undefined })
    try {
      return settle(await server.save(stepsOf(history.now), base.updated_at), history.now)
    } catch (error) {
      if (isProblem(error, 412)) return meet(error)
      const refused = isProblem(error, 422) ? serverProblems(error.errors, history.now) : []
      tell({ saving: refused.length > 0 ? 'unsaved' : 'failed', error, refused })
      return undefined
    }
  }

  /** Somebody changed the sequence meanwhile: only where it is the steps do both need a person. */
  async function meet(refusal: unknown): Promise<SequenceWithWarnings | undefined> {
    const theirs = await server.read().catch(() => undefined)
    if (!theirs || theirs.updated_at === base.updated_at) {
      tell({ saving: 'failed', error: refusal })
      return undefined
    }
    if (isSameSteps(theirs.steps, base.steps)) {
      base = theirs
      tell({ saving: 'unsaved' })
      return save()
    }
    tell({ saving: 'conflict' })
    return undefined
  }

  /** What was typed while it was being saved is kept, and is not saved yet. */
  function settle(told: SequenceWithWarnings, sent: History['now']): SequenceWithWarnings {
    const { history } = state.get()
    base = told
    state.set({
      ...untouched,
      history: { ...history, place: null },
      saved: sent,
      saving: isSaved(history.now) ? 'saved' : 'unsaved',
    })
    return told
  }

  function take(theirs: SequenceWithWarnings): void {
    const { history } = state.get()
    base = theirs
    const steps = draftFrom(theirs.steps, history.now)
    state.set({
      ...untouched,
      history: act(history, { kind: 'replace', steps }),
      saved: steps,
      saving: 'saved',
    })
  }

  function tell(change: Partial<DraftState>): void {
    state.set(now => ({ ...now, ...change }))
  }

  return {
    state,
    act: operation => edit(history => act(history, operation)),
    undo: () => edit(undo),
    redo: () => edit(redo),
    seen(told) {
      const { saving, history } = state.get()
      if (saving === 'saving' || told.updated_at <= base.updated_at) return
      if (isSameSteps(told.steps, base.steps)) base = told
      else if (isSaved(history.now)) take(told)
      else tell({ saving: 'conflict' })
    },
    check() {
      tell({ tried: true })
      return problemsOf(state.get().history.now).length === 0
    },
    save,
    discard: () => edit(history => act(history, { kind: 'replace', steps: state.get().saved })),
    async takeTheirs() {
      take(await server.read())
    },
    async keepMine() {
      base = await server.read()
      tell({ saving: 'unsaved' })
    },
  }
}

const untouched = { error: undefined, tried: false, refused: [] }

function stepBefore(history: History, id: string) {
  return history.now.find(step => step.id === id)
}
