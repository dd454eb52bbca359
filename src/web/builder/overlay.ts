/** What a run, or a test, has done at each node, drawn from its trace. */

import type { TraceEntry } from '#domains/workflows/contract.ts'
import type { Outcome } from '#domains/workflows/values.ts'
import { ownerOf, walk, type Nodes } from './tree.ts'

export type Mark = {
  outcome: Outcome | 'none'
  /** In a word or two, as it stands on the node. */
  word: string
  /** When it was, or until when it waits. */
  at?: string
  /** How often it was done. */
  times: number
}

export const outcomeWords: Record<Outcome, string> = {
  done: 'Done',
  yes: 'Yes',
  no: 'No',
  waiting: 'Waiting',
  held: 'Held',
  retrying: 'Trying again',
  failed: 'Failed',
  skipped: 'Left out',
  stopped: 'Stopped',
}

export const outcomeTones: Record<Outcome, string> = {
  done: 'green',
  yes: 'green',
  no: 'green',
  waiting: 'blue',
  held: 'amber',
  retrying: 'amber',
  failed: 'red',
  skipped: 'slate',
  stopped: 'slate',
}

/** What follows only on another entry of the same node is one doing of it. */
const passing: readonly Outcome[] = ['waiting', 'held', 'retrying']

/** By path. Where the run has ended, what it never came to is marked as left out. */
export function marksOf(trace: readonly TraceEntry[], nodes: Nodes, ended: boolean): Map<string, Mark> {
  const marks = new Map<string, Mark>()
  for (const entry of trace) {
    const { path, outcome, at, until } = entry
    const times = (marks.get(path)?.times ?? 0) + (passing.includes(outcome) ? 0 : 1)
    marks.set(path, { outcome, word: outcomeWords[outcome], at: until ?? at, times })
  }
  if (!ended) return marks
  for (const { path } of walk(nodes)) {
    if (!marks.has(path)) marks.set(path, { outcome: 'none', word: 'Skipped', times: 0 })
  }
  return marks
}

/** The nodes that have been come to, with all that are around them. */
export function reached(trace: readonly TraceEntry[]): Set<string> {
  const paths = new Set<string>()
  for (const { path } of trace)
    for (let at: string | undefined = path; at !== undefined && !paths.has(at); at = ownerOf(at))
      paths.add(at)
  return paths
}
