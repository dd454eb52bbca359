import type { TraceEntry, Warning } from '#domains/workflows/contract.ts'
import type { Nodes, Place } from './tree.ts'
import type { Names } from './words.ts'

/** What every canvas shows: the tree, and on its nodes what a run or a test has done there. */
export type CanvasProps = {
  trigger: { name: string; label: string; summary?: string }
  nodes: Nodes
  names: Names
  /** The path of the chosen node; `trigger` for the trigger; `…[+]` for a branch that holds nothing yet. */
  selected?: string | undefined
  onSelect?: (stop: string | undefined, how: 'pointer' | 'keys') => void
  /** Somebody wants to see, or change, what the chosen one says. */
  onOpen?: (stop: string) => void
  /** What is not right yet, by path. */
  problems?: readonly Warning[]
  /** The same of steps that nobody has worked at yet. */
  unready?: readonly Warning[]
  /** What keeps nothing from running, but will go wrong then. */
  warnings?: readonly Warning[]
  /** Without these nothing can be changed. */
  edits?: CanvasEdits
  /** When the run that is shown was set off. */
  began?: string
  /** What was done, oldest first; several entries may be of one node. */
  trace?: readonly TraceEntry[]
  /** Whether the run that `trace` is of has ended: then what has no entry was skipped. */
  ended?: boolean
  /** How a moment of the trace is said on a node. */
  timeOf?: (at: string) => string
}

/** What others may ask of a canvas. */
export type CanvasHandle = {
  /** All of it, as far as it can be read then. */
  fit: () => void
  /** Gives a stop the keyboard, and shows it. */
  focus: (stop: string) => void
}

export type CanvasEdits = {
  /** What can be added there. */
  offers: (place: Place) => Offer[]
  add: (place: Place, offer: Offer) => void
  remove: (path: string) => void
  duplicate: (path: string) => void
  move: (path: string, way: 'up' | 'down') => void
  copy: (path: string) => string | undefined
  paste: (place: Place, text: string) => boolean
}

/** One entry of the menu behind a plus. */
export type Offer = { key: string; title: string; description: string; kind: string }
