import { listsBelow, type ActionNode, type Node } from './definition.ts'
import type { Facts } from './fields.ts'
import type { Outcome } from './values.ts'

/** A definition made ready to run: each list of nodes by its path. */
export type Program = { lists: ReadonlyMap<string, readonly Node[]> }

/** Where in a list a thread is. In the body of a loop it knows its turn. */
export type Frame = {
  list: string
  at: number
  loop?: { turn: number; of: number; over?: string }
  /** When it ends, so does the list it was entered from: the else branch of a condition that has no other. */
  last?: true
}

/** A line of execution. Parallel paths have one each; the split waits for them. */
export type Thread = {
  id: number
  frames: Frame[]
  /** Who waits for its end. */
  parent?: number
  /** Sleeps until then. */
  until?: number
  /** The wait of the node at hand is over. */
  waited?: true
  /** How often the action at hand has failed. */
  tries?: number
  /** An action was asked for, and its outcome is not known yet. */
  doing?: true
  /** Waits for so many paths, or for the first of them. */
  joins?: { left: number; any: boolean }
}

/** All that a run has to remember between two moments; plain data. */
export type State = { threads: Thread[]; made: number; steps: number }

export type Entry = {
  path: string
  type: Node['type']
  action?: string
  name?: string
  outcome: Outcome
  note: string | null
  /** What an action was given, with its texts filled in. */
  input?: Record<string, unknown>
  /** What it made. */
  result?: Record<string, unknown>
  until?: string
  turn?: number
  at: string
}

/** An action that is to be done now. */
export type Want = { thread: number; path: string; key: string; node: ActionNode; facts: Facts }

export type Done = {
  input?: Record<string, unknown>
  note?: string
} & (
  | { ok: true; skipped?: true; result?: Record<string, unknown> }
  | { ok: false; reason: string }
  /** Not now: again after this time, and it does not count as a failure. */
  | { later: number; reason: string }
)

export type Input = {
  facts: Facts
  /** What came of the actions that were wanted, by thread. */
  done: ReadonlyMap<number, Done>
  nowMs: number
  /** The lead's time zone. */
  zone: string
  /** What a percentage is drawn by: the same for the same lead. */
  draw: string
}

export type Step = {
  state: State
  entries: Entry[]
  wants: Want[]
  /** When the first of the sleepers is to be woken. */
  wakeMs: number | null
  ended: { as: 'DONE' } | { as: 'FAILED'; reason: string; path: string } | null
}

export function compile(nodes: readonly Node[]): Program {
  const lists = new Map<string, readonly Node[]>()
  const add = (path: string, list: readonly Node[]): void => {
    lists.set(path, list)
    for (const [at, node] of list.entries())
      for (const { key, nodes } of listsBelow(node)) add(`${path}[${at}].${key}`, nodes)
  }
  add('nodes', nodes)
  return { lists }
}

export function begin(): State {
  return { threads: [{ id: 1, frames: [{ list: 'nodes', at: 0 }] }], made: 1, steps: 0 }
}

/** Its own to change: written out, since a structured clone takes longer than all the rest of a step. */
export function copyOf({ threads, made, steps }: State): State {
  return {
    made,
    steps,
    threads: threads.map(thread => ({
      ...thread,
      frames: thread.frames.map(frame => (frame.loop ? { ...frame, loop: { ...frame.loop } } : { ...frame })),
      ...(thread.joins && { joins: { ...thread.joins } }),
    })),
  }
}
