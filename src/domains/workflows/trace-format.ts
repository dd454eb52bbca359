import type { Entry } from './state.ts'
import { actionNames, type ActionName, type NodeType } from './values.ts'

/**
 * An entry of a trace as it is stored: without the names of its fields, which took more room than most of their values.
 * What nothing follows is left out. Times count from the entry before, in milliseconds; those of the first are whole.
 */
export type StoredEntry = [
  path: string,
  /** An action by its own name, any other node by its type. */
  node: NodeType | ActionName,
  outcome: Entry['outcome'],
  at: number,
  note?: string | null,
  input?: Entry['input'] | null,
  result?: Entry['result'] | null,
  rarer?: Pick<Entry, 'name' | 'until' | 'turn'>,
]

export function storedTrace(entries: readonly Entry[]): StoredEntry[] {
  let before = 0
  return entries.map(entry => {
    const { path, type, action, name, outcome, note, input, result, until, turn, at } = entry
    const rarer = {
      ...(name !== undefined && { name }),
      ...(until !== undefined && { until }),
      ...(turn !== undefined && { turn }),
    }
    const atMs = Date.parse(at)
    const stored: StoredEntry = [
      path,
      (action ?? type) as NodeType | ActionName,
      outcome,
      atMs - before,
      note,
      input ?? null,
      result ?? null,
      rarer,
    ]
    before = atMs
    if (Object.keys(rarer).length === 0) stored.pop()
    while (stored.at(-1) === null) stored.pop()
    return stored
  })
}

/** Also of a trace that was stored as it is shown, before there was this format. */
export function shownTrace(stored: readonly (StoredEntry | Entry)[]): Entry[] {
  let atMs = 0
  return stored.map(entry => {
    if (!Array.isArray(entry)) return entry
    const [path, node, outcome, sinceMs, note = null, input, result, rarer] = entry
    atMs += sinceMs
    return {
      path,
      ...(isAction(node) ? { type: 'action' as const, action: node } : { type: node }),
      outcome,
      note,
      ...(input && { input }),
      ...(result && { result }),
      ...rarer,
      at: new Date(atMs).toISOString(),
    }
  })
}

function isAction(node: NodeType | ActionName): node is ActionName {
  return (actionNames as readonly string[]).includes(node)
}
