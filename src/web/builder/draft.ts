import type { Draft as Body, Warning, WorkflowInFull } from '#domains/workflows/contract.ts'
import { isProblem } from '../problem.ts'
import { createStore, type Store } from '../ui/store.ts'
import { contentOf, draftOf, isSameContent, type Content } from './content.ts'
import { act, begin, redo, undo, type History } from './history.ts'

/** `conflict`: somebody else has changed the same, and only a person can say what is meant. */
export type Saving = 'saved' | 'waiting' | 'saving' | 'failed' | 'conflict'

export type DraftState = {
  history: History<Content>
  saving: Saving
  error: unknown
  /** What the server found in which content. */
  told: { content: Content; problems: readonly Warning[]; warnings: readonly Warning[] }
}

type Server = {
  save: (body: Body, ifMatch: string) => Promise<WorkflowInFull>
  read: () => Promise<WorkflowInFull>
}

/** A workflow being worked on: every edit is kept here at once and saved a moment later. */
export type Draft = {
  state: Store<DraftState>
  /** `about`: what the edit is of, so that typing on in one place is one edit. */
  edit: (change: (content: Content) => Content, about?: string) => void
  undo: () => void
  redo: () => void
  /** The workflow as the server told it, perhaps after somebody else changed it. */
  seen: (workflow: WorkflowInFull) => void
  /** Saves what is not saved yet; false where that was not possible. */
  flush: () => Promise<boolean>
  takeTheirs: () => Promise<void>
  keepMine: () => Promise<boolean>
}

export const QUIET_MS = 600

export function createDraft(workflow: WorkflowInFull, server: Server): Draft {
  /** What the server has, as far as we know. */
  let base = workflow
  let saved = contentOf(workflow)
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: Promise<boolean> | undefined
  const state = createStore<DraftState>({
    history: begin(saved),
    saving: 'saved',
    error: undefined,
    told: toldBy(workflow, saved),
  })

  function change(step: (history: History<Content>) => History<Content>): void {
    const { history, saving } = state.get()
    const next = step(history)
    if (next === history) return
    // Only a person can end a conflict.
    const now = saving === 'conflict' ? saving : next.now === saved ? 'saved' : 'waiting'
    tell({ history: next, saving: now, error: undefined })
    clearTimeout(timer)
    if (now === 'waiting') soon()
  }

  function soon(): void {
    clearTimeout(timer)
    timer = setTimeout(() => void flush(), QUIET_MS)
  }

  async function flush(): Promise<boolean> {
    clearTimeout(timer)
    if (running) await running
    const { history, saving } = state.get()
    if (saving === 'conflict') return false
    if (history.now === saved) return true
    running = send(base.updated_at).finally(() => (running = undefined))
    return running
  }

  async function send(ifMatch: string): Promise<boolean> {
    const sent = state.get().history.now
    tell({ saving: 'saving', error: undefined })
    try {
      base = await server.save(draftOf(sent), ifMatch)
      saved = sent
      settle()
      return state.get().history.now === saved
    } catch (error) {
      if (isProblem(error, 412)) return meet(error, ifMatch)
      tell({ saving: 'failed', error })
      return false
    }
  }

  /** Somebody changed the workflow meanwhile: only where it is what is edited here do both need a person. */
  async function meet(refusal: unknown, ifMatch: string): Promise<boolean> {
    const theirs = await server.read().catch(() => undefined)
    if (!theirs || theirs.updated_at === ifMatch) {
      tell({ saving: 'failed', error: refusal })
      return false
    }
    if (isSameContent(contentOf(theirs), contentOf(base))) {
      base = theirs
      return send(theirs.updated_at)
    }
    tell({ saving: 'conflict' })
    return false
  }

  function settle(): void {
    const isDone = state.get().history.now === saved
    tell({ saving: isDone ? 'saved' : 'waiting', told: toldBy(base, saved) })
    if (!isDone) soon()
  }

  function take(theirs: WorkflowInFull): void {
    base = theirs
    saved = contentOf(theirs)
    tell({
      history: act(state.get().history, saved),
      saving: 'saved',
      error: undefined,
      told: toldBy(theirs, saved),
    })
  }

  function tell(now: Partial<DraftState>): void {
    state.set(before => ({ ...before, ...now }))
  }

  return {
    state,
    edit: (step, about) => change(history => act(history, step(history.now), about ?? null)),
    undo: () => change(undo),
    redo: () => change(redo),
    seen(told) {
      if (running || told.updated_at < base.updated_at) return
      const { saving, history } = state.get()
      if (isSameContent(contentOf(told), contentOf(base))) {
        base = told
        // A template that was missing may be there now.
        tell({ told: toldBy(told, state.get().told.content) })
      } else if (history.now === saved) take(told)
      else if (saving !== 'conflict') {
        clearTimeout(timer)
        tell({ saving: 'conflict' })
      }
    },
    flush,
    async takeTheirs() {
      take(await server.read())
    },
    async keepMine() {
      base = await server.read()
      tell({ saving: 'waiting' })
      return flush()
    },
  }
}

function toldBy({ problems, warnings }: WorkflowInFull, content: Content): DraftState['told'] {
  return { content, problems, warnings }
}
