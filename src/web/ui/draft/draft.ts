import { isProblem } from '../../problem.ts'
import { isEqual } from '../equal.ts'
import { createStore, type Store } from '../store.ts'
import { act, begin, redo, undo, type History } from './history.ts'
import { rebase } from './merge.ts'

/** `held`: something must be fixed before it can be saved. `conflict`: somebody else has changed the same. */
export type Saving = 'saved' | 'unsaved' | 'saving' | 'held' | 'failed' | 'conflict'

export type DraftState<Row, Content> = {
  history: History<Content>
  /** The record as the server has it, as far as we know, and what of it is edited. */
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
  /** What a person edits; what was edited before keeps its place on the screen. */
  contentOf: (row: Row, before?: Content) => Content
  /** The content as the server takes it. */
  bodyOf: (content: Content) => Body
  /** What is sent, where that is not simply the fields that differ. */
  changes?: (before: Body, after: Body) => Partial<Body>
  hasProblems?: (content: Content) => boolean
  /** Parts of the content that make sense only together: two people cannot each change one of them. */
  together?: readonly (readonly (keyof Content & string)[])[]
  /** False: it is saved when somebody says so. */
  autosave?: boolean
}

/** A record being edited: every edit is kept here at once, can be undone, and is saved a moment later. */
export type Draft<Row, Content> = {
  state: Store<DraftState<Row, Content>>
  /** `about` is what the edit is of: typing on in one place is one edit. */
  edit: (change: (content: Content) => Content, about?: string | null) => void
  undo: () => void
  redo: () => void
  /** The record as the server told it, perhaps after somebody else changed it. */
  seen: (row: Row) => void
  /** False where it could not be saved. */
  save: () => Promise<boolean>
  /** Before its page is left. False: something would stay unsaved. */
  leave: () => Promise<boolean>
  discard: () => void
  takeTheirs: () => Promise<void>
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
    // Only a person can end a conflict.
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

  /** What was typed while it was being saved is not saved yet. */
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

  /** What somebody else saved is taken where nothing of ours is in its way. False: only a person can say what is meant. */
  function reconcile(theirs: Row): boolean {
    const { history, base, saved } = state.get()
    if (isEqual(ownOf(theirs), ownOf(base))) tell({ base: theirs })
    else if (isEqual(ownOf(theirs), bodyOf(history.now)))
      tell({ base: theirs, saved: history.now, saving: 'saved' })
    else if (isSaved(history.now)) take(theirs)
    else {
      const content = contentOf(theirs, history.now)
      const rebased = rebase(history, saved, content, together)
      if (!rebased) return false
      tell({ base: theirs, saved: content, history: rebased })
    }
    return true
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
      // The same version may tell more: a template that was missing may be there now.
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
      tell({ base: theirs, saved: contentOf(theirs, state.get().history.now), saving: 'unsaved' })
      return autosave ? save() : false
    },
  }
}

/** The fields of the body that are not as they were. */
export function differing<Body extends object>(before: Body, after: Body): Partial<Body> {
  const names = Object.keys(after) as (keyof Body)[]
  return Object.fromEntries(
    names.filter(name => !isEqual(before[name], after[name])).map(name => [name, after[name]]),
  ) as Partial<Body>
}
