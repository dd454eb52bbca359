import { isProblem } from '../../problem.ts'
import { isEqual } from '../equal.ts'
import { createStore, type Store } from '../store.ts'
import { act, begin, redo, undo, type History } from './history.ts'
import { overwrite, rebase, savedWith, type Versions } from './merge.ts'

/** `held`: errors prevent saving. `conflict`: someone else changed the same part. */
export type Saving = 'saved' | 'unsaved' | 'saving' | 'held' | 'failed' | 'conflict'

export type DraftState<Row, Content> = {
  history: History<Content>
  /** The last known record from the server, and its content. */
  base: Row
  saved: Content
  saving: Saving
  error: unknown
}

export type DraftServer<Row, Change> = {
  save: (change: Change, ifMatch: string) => Promise<Row>
  read: () => Promise<Row>
}

type Options<Row, Content, Body extends object> = {
  server: DraftServer<Row, Partial<Body>>
  /** The edited content; `before` lets its parts keep their identity on the screen. */
  contentOf: (row: Row, before?: Content) => Content
  /** The content in API format. */
  bodyOf: (content: Content) => Body
  /** What to send, if not just the changed fields. */
  changes?: (before: Body, after: Body) => Partial<Body>
  hasProblems?: (content: Content) => boolean
  /** Parts that belong together: two people changing different ones is a conflict. */
  together?: readonly (readonly (keyof Content & string)[])[]
  /** False: saved only on request. */
  autosave?: boolean
}

/** A record being edited: every edit is applied immediately, can be undone, and is saved a moment later. */
export type Draft<Row, Content> = {
  state: Store<DraftState<Row, Content>>
  /** Consecutive edits with the same `about` are one, like typing in a field. */
  edit: (change: (content: Content) => Content, about?: string | null) => void
  undo: () => void
  redo: () => void
  /** A fresh record from the server, perhaps changed by someone else. */
  seen: (row: Row) => void
  /** False if it could not be saved. */
  save: () => Promise<boolean>
  /** Called before leaving the page. False: something is unsaved. */
  leave: () => Promise<boolean>
  discard: () => void
  takeTheirs: () => Promise<void>
  /** Overwrites theirs only where we changed it too. */
  keepMine: () => Promise<boolean>
}

export const QUIET_MS = 700

export function createDraft<Row extends { updated_at: string }, Content, Body extends object>(
  row: Row,
  options: Options<Row, Content, Body>,
): Draft<Row, Content> {
  const { server, contentOf, bodyOf, changes = differing, together = [], autosave = true } = options
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: Promise<boolean> | undefined
  const first = contentOf(row)
  const state = createStore<DraftState<Row, Content>>({
    history: begin(first),
    base: row,
    saved: first,
    saving: 'saved',
    error: undefined,
  })

  const tell = (now: Partial<DraftState<Row, Content>>) => state.set(before => ({ ...before, ...now }))
  const ownOf = (record: Row) => bodyOf(contentOf(record))
  const hasProblems = (content: Content) => options.hasProblems?.(content) ?? false
  const isSaved = (content: Content) =>
    content === state.get().saved ||
    (!hasProblems(content) && isEqual(bodyOf(content), bodyOf(state.get().saved)))

  function change(step: (history: History<Content>) => History<Content>): void {
    const { history, saving } = state.get()
    const next = step(history)
    if (next === history) return
    // Only the person can resolve a conflict.
    const now = saving === 'conflict' ? saving : isSaved(next.now) ? 'saved' : 'unsaved'
    tell({ history: next, saving: now, error: undefined })
    clearTimeout(timer)
    if (now === 'unsaved') soon()
  }

  function soon(): void {
    clearTimeout(timer)
    if (autosave) timer = setTimeout(() => void save(), QUIET_MS)
  }

  async function save(): Promise<boolean> {
    clearTimeout(timer)
    if (running) await running
    const { history, saving } = state.get()
    if (saving === 'conflict') return false
    if (isSaved(history.now)) return true
    if (hasProblems(history.now)) {
      tell({ saving: 'held' })
      return false
    }
    running = send().finally(() => (running = undefined))
    return running
  }

  async function send(): Promise<boolean> {
    const { history, saved, base } = state.get()
    const sent = history.now
    tell({ saving: 'saving', error: undefined })
    try {
      const told = await server.save(changes(bodyOf(saved), bodyOf(sent)), base.updated_at)
      tell({ base: told, saved: sent })
      return settle()
    } catch (error) {
      if (isProblem(error, 412)) return meet(error, base.updated_at)
      tell({ saving: 'failed', error })
      return false
    }
  }

  /** Edits made while saving are not saved yet. */
  function settle(): boolean {
    const isDone = isSaved(state.get().history.now)
    tell({ saving: isDone ? 'saved' : 'unsaved' })
    if (!isDone) soon()
    return isDone
  }

  async function meet(refusal: unknown, ifMatch: string): Promise<boolean> {
    const theirs = await server.read().catch(() => undefined)
    if (!theirs || theirs.updated_at === ifMatch) {
      tell({ saving: 'failed', error: refusal })
      return false
    }
    if (reconcile(theirs)) return isSaved(state.get().history.now) ? settle() : send()
    tell({ saving: 'conflict' })
    return false
  }

  /** Merges a change by someone else if it does not conflict with ours. False: conflict. */
  function reconcile(theirs: Row): boolean {
    const { history, base } = state.get()
    if (isEqual(ownOf(theirs), ownOf(base))) tell({ base: theirs })
    else if (isEqual(ownOf(theirs), bodyOf(history.now)))
      tell({ base: theirs, saved: history.now, saving: 'saved' })
    else if (isSaved(history.now)) take(theirs)
    else {
      const versions = versionsWith(theirs)
      const rebased = rebase(history, versions, together)
      if (!rebased) return false
      tell({ base: theirs, saved: savedWith(versions), history: rebased })
    }
    return true
  }

  /** Parts keep the identity they had before our edits: a line that we removed is not one that they added. */
  function versionsWith(theirs: Row): Versions<Content> {
    const { base, saved } = state.get()
    return { saved, before: contentOf(base, saved), theirs: contentOf(theirs, saved) }
  }

  function take(theirs: Row): void {
    const { history } = state.get()
    const saved = contentOf(theirs, history.now)
    tell({ history: act(history, saved), base: theirs, saved, saving: 'saved', error: undefined })
  }

  return {
    state,
    edit: (step, about = null) => change(history => act(history, step(history.now), about)),
    undo: () => change(undo),
    redo: () => change(redo),
    seen(told) {
      const { base, saving } = state.get()
      if (running || saving === 'conflict' || told.updated_at < base.updated_at) return
      // The same version may have new details: a missing template may exist now.
      if (told.updated_at === base.updated_at)
        return isEqual(ownOf(told), ownOf(base)) ? tell({ base: told }) : undefined
      if (reconcile(told)) return
      clearTimeout(timer)
      tell({ saving: 'conflict' })
    },
    save,
    leave: async () => (autosave ? save() : state.get().saving === 'saved'),
    discard: () => change(history => act(history, state.get().saved)),
    async takeTheirs() {
      take(await server.read())
    },
    async keepMine() {
      const theirs = await server.read()
      const versions = versionsWith(theirs)
      const history = overwrite(state.get().history, versions, together)
      tell({ base: theirs, saved: savedWith(versions), history, saving: 'unsaved' })
      return autosave ? save() : false
    },
  }
}

/** The changed fields of the body. */
export function differing<Body extends object>(before: Body, after: Body): Partial<Body> {
  const names = Object.keys(after) as (keyof Body)[]
  return Object.fromEntries(
    names.filter(name => !isEqual(before[name], after[name])).map(name => [name, after[name]]),
  ) as Partial<Body>
}
