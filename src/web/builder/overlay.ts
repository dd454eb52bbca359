/** The result of a run or a test at each node, from its trace. */

import type { TraceEntry } from '#domains/workflows/contract.ts'
import type { Outcome } from '#domains/workflows/values.ts'
import { ownerOf, walk, type Nodes } from './tree.ts'

export type Mark = {
  outcome: Outcome | 'none'
  /** As shown on the node. */
  word: string
  /** When it ran, or until when it waits. */
  at?: string
  /** How many times it ran. */
  times: number
}

export const outcomeWords: Record<Outcome, string> = {
  done: 'Done',
  yes: 'Yes',
  no: 'No',
  waiting: 'Waiting',
  held: 'Held',
  retrying: 'Retrying',
  failed: 'Failed',
  skipped: 'Skipped',
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

/** Another entry of the same node follows these, so they do not count as a run of it. */
const passing: readonly Outcome[] = ['waiting', 'held', 'retrying']

/** By path. After the run has ended, nodes it did not reach are marked as not run. */
export function marksOf(trace: readonly TraceEntry[], nodes: Nodes, ended: boolean): Map<string, Mark> {
  const marks = new Map<string, Mark>()
  for (const entry of trace) {
    const { path, outcome, at, until } = entry
    const times = (marks.get(path)?.times ?? 0) + (passing.includes(outcome) ? 0 : 1)
    marks.set(path, { outcome, word: outcomeWords[outcome], at: until ?? at, times })
  }
  if (!ended) return marks
  for (const { path } of walk(nodes)) {
    if (!marks.has(path)) marks.set(path, { outcome: 'none', word: 'Not run', times: 0 })
  }
  return marks
}

/** The nodes that were reached, with their ancestors. */
export function reached(trace: readonly TraceEntry[]): Set<string> {
  const paths = new Set<string>()
  for (const { path } of trace)
    for (let at: string | undefined = path; at !== undefined && !paths.has(at); at = ownerOf(at))
      paths.add(at)
  return paths
}
