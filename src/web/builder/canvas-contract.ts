import type { TraceEntry, Warning } from '#domains/workflows/contract.ts'
import type { Nodes, Place } from './tree.ts'
import type { Names } from './words.ts'

/** What every canvas shows: the tree and, on its nodes, the results of a run or a test. */
export type CanvasProps = {
  trigger: { name: string; label: string; summary?: string }
  nodes: Nodes
  names: Names
  /** The path of the chosen node; `trigger` for the trigger; `…[+]` for an empty branch. */
  selected?: string | undefined
  onSelect?: (stop: string | undefined, how: 'pointer' | 'keys') => void
  /** The chosen node should open for viewing or editing. */
  onOpen?: (stop: string) => void
  /** Errors, by path. */
  problems?: readonly Warning[]
  /** Errors of steps that have not been set up yet. */
  unready?: readonly Warning[]
  /** Problems that do not prevent publishing, but will fail a run. */
  warnings?: readonly Warning[]
  /** Absent: read-only. */
  edits?: CanvasEdits
  /** When the run that is shown was triggered. */
  began?: string
  /** Oldest first; a node may have several entries. */
  trace?: readonly TraceEntry[]
  /** Whether the traced run has ended: then nodes without an entry were not run. */
  ended?: boolean
  /** Formats a time of the trace for a node. */
  timeOf?: (at: string) => string
}

export type CanvasHandle = {
  /** Zooms to show the whole workflow. */
  fit: () => void
  /** Focuses a stop and scrolls it into view. */
  focus: (stop: string) => void
}

export type CanvasEdits = {
  /** The steps that can be added there. */
  offers: (place: Place) => Offer[]
  add: (place: Place, offer: Offer) => void
  remove: (path: string) => void
  duplicate: (path: string) => void
  move: (path: string, way: 'up' | 'down') => void
  copy: (path: string) => string | undefined
  paste: (place: Place, text: string) => boolean
}

/** An entry of the "Add step" menu. */
export type Offer = { key: string; title: string; description: string; kind: string }
