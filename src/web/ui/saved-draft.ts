import { isProblem } from '../problem.ts'
import { createStore, type Store } from './store.ts'

/** `held`: something must be mended before it can be saved. `conflict`: somebody else has changed the same. */
export type Saving = 'saved' | 'waiting' | 'saving' | 'held' | 'failed' | 'conflict'

export type DraftState<History> = { history: History; saving: Saving; error: unknown }

export type DraftServer<Kept, Change> = {
  save: (change: Change, ifMatch: string) => Promise<Kept>
  read: () => Promise<Kept>
}

/** What there is to know of the record that is worked on, and of how its edits are kept. */
type Options<Kept, Content, History, Change> = {
  server: DraftServer<Kept, Change>
  begin: (content: Content) => History
  replaced: (history: History, content: Content) => History
  /** What a person works on; what was worked on before keeps its place on the screen. */
  contentOf: (record: Kept, before?: Content) => Content
  changesTo: (record: Kept, content: Content) => Change
  hasProblems: (content: Content) => boolean
  isSameContent: (one: Kept, other: Kept) => boolean
}

/** A record being worked on: every edit is kept here at once and saved a moment later. */
export type SavedDraft<Kept, History> = {
  state: Store<DraftState<History>>
  edit: (change: (history: History) => History) => void
  /** The record as the server told it, perhaps after somebody else changed it. */
  seen: (record: Kept) => void
  /** Saves what is not saved yet; false where that was not possible. */
  flush: () => Promise<boolean>
  takeTheirs: () => Promise<void>
  keepMine: () => Promise<boolean>
}

const QUIET_MS = 700

export function createSavedDraft<
  Kept extends { updated_at: string },
  Content,
  History extends { now: Content },
  Change extends object,
>(record: Kept, options: Options<Kept, Content, History, Change>): SavedDraft<Kept, History> {
  const { server, begin, replaced, contentOf, changesTo, hasProblems, isSameContent } = options
  /** What the server has, as far as we know. */
  let base = record
  let saved = contentOf(record)
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: Promise<boolean> | undefined
  const state = createStore<DraftState<History>>({ history: begin(saved), saving: 'saved', error: undefined })

  function edit(change: (history: History) => History): void {
    const { history, saving } = state.get()
    const next = change(history)
    if (next === history) return
    const isSaved = next.now === saved
    // Only a person can end a conflict.
    const now = saving === 'conflict' ? saving : isSaved ? 'saved' : 'waiting'
    state.set({ history: next, saving: now, error: undefined })
    clearTimeout(timer)
    if (now === 'waiting') timer = setTimeout(() => void flush(), QUIET_MS)
  }

  async function flush(): Promise<boolean> {
    clearTimeout(timer)
    if (running) await running
    const { history, saving } = state.get()
    if (saving === 'conflict') return false
    if (history.now === saved) return true
    if (hasProblems(history.now)) {
      tell('held')
      return false
    }
    running = send(base.updated_at).finally(() => (running = undefined))
    return running
  }

  async function send(ifMatch: string): Promise<boolean> {
    const sent = state.get().history.now
    const change = changesTo(base, sent)
    if (Object.keys(change).length === 0) {
      saved = sent
      settle()
      return true
    }
    tell('saving')
    try {
      base = await server.save(change, ifMatch)
      saved = sent
      settle()
      return true
    } catch (error) {
      if (isProblem(error, 412)) return meet(error, ifMatch)
      tell('failed', error)
      return false
    }
  }

  /** Somebody changed it meanwhile: only where it is the content do both need a person. */
  async function meet(refusal: unknown, ifMatch: string): Promise<boolean> {
    const theirs = await server.read().catch(() => undefined)
    if (!theirs || theirs.updated_at === ifMatch) {
      tell('failed', refusal)
      return false
    }
    if (isSameContent(theirs, base)) {
      base = theirs
      return send(theirs.updated_at)
    }
    tell('conflict')
    return false
  }

  function settle(): void {
    const isDone = state.get().history.now === saved
    tell(isDone ? 'saved' : 'waiting')
    clearTimeout(timer)
    if (!isDone) timer = setTimeout(() => void flush(), QUIET_MS)
  }

  function tell(saving: Saving, error: unknown = undefined): void {
    state.set(now => ({ ...now, saving, error }))
  }

  function take(theirs: Kept): void {
    const { history } = state.get()
    base = theirs
    saved = contentOf(theirs, history.now)
    state.set({ history: replaced(history, saved), saving: 'saved', error: undefined })
  }

  return {
    state,
    edit,
    seen(told) {
      if (running || told.updated_at <= base.updated_at) return
      const { saving, history } = state.get()
      if (isSameContent(told, base)) base = told
      else if (history.now === saved) take(told)
      else if (saving !== 'conflict') {
        clearTimeout(timer)
        tell('conflict')
      }
    },
    flush,
    async takeTheirs() {
      take(await server.read())
    },
    async keepMine() {
      base = await server.read()
      tell('waiting')
      return flush()
    },
  }
}
