/** Where the arrow keys lead. A stop is a node, the trigger, or the place in an empty branch. */

import { isGate } from './layout.ts'
import { branchesOf, listAt, nodeAt, ownerOf, placeOf, ROOT, type Nodes, type Place } from './tree.ts'

export const TRIGGER = 'trigger'
export type Way = 'up' | 'down' | 'left' | 'right'

const EMPTY = '[+]'

/** The stop of an empty list. */
export function emptyStop(list: string): string {
  return `${list}${EMPTY}`
}

export function placeOfStop(stop: string): Place | undefined {
  return stop.endsWith(EMPTY) ? { list: stop.slice(0, -EMPTY.length), at: 0 } : undefined
}

/** The stop itself or, if it no longer exists, the one next to it or above it. */
export function nearest(nodes: Nodes, stop: string): string {
  if (stop === TRIGGER) return stop
  const place = placeOfStop(stop)
  const list = place?.list ?? placeOf(stop).list
  if (place && isEmptyPlace(nodes, list)) return stop
  if (!place && nodeAt(nodes, stop)) return stop
  const here = listAt(nodes, list)
  const at = place ? 0 : placeOf(stop).at
  if (here && here.length > 0) return `${list}[${Math.min(at, here.length - 1)}]`
  const owner = ownerOf(list)
  return owner === undefined ? TRIGGER : nearest(nodes, owner)
}

/** The next stop in that direction. */
export function next(nodes: Nodes, stop: string, way: Way): string | undefined {
  switch (way) {
    case 'down':
      return down(nodes, stop)
    case 'up':
      return up(stop)
    default:
      return beside(nodes, stop, way)
  }
}

function down(nodes: Nodes, stop: string): string | undefined {
  if (stop === TRIGGER) return firstOf(nodes, ROOT)
  const place = placeOfStop(stop)
  if (place) return onwards(nodes, place.list)
  const node = nodeAt(nodes, stop)
  if (!node) return undefined
  if (!isGate(node) && node.type !== 'action') {
    const inner = branchesOf(node, stop)[0]
    if (inner) return firstOf(nodes, inner.list)
  }
  return following(nodes, stop)
}

/** The stop after a node and everything in it. */
function following(nodes: Nodes, path: string): string | undefined {
  const { list, at } = placeOf(path)
  const after = `${list}[${at + 1}]`
  return nodeAt(nodes, after) ? after : onwards(nodes, list)
}

/** The stop after the end of a list. */
function onwards(nodes: Nodes, list: string): string | undefined {
  const owner = ownerOf(list)
  if (owner === undefined) return undefined
  const node = nodeAt(nodes, owner)
  // Nothing follows the branch of a gate: the run ends there.
  return node && isGate(node) ? undefined : following(nodes, owner)
}

function up(stop: string): string | undefined {
  if (stop === TRIGGER) return undefined
  const place = placeOfStop(stop)
  const { list, at } = place ?? placeOf(stop)
  if (at > 0) return `${list}[${at - 1}]`
  return ownerOf(list) ?? TRIGGER
}

/** To the neighboring branch, at the same height if possible. */
function beside(nodes: Nodes, stop: string, way: 'left' | 'right'): string | undefined {
  if (stop === TRIGGER) return undefined
  const own = placeOfStop(stop) === undefined ? nodeAt(nodes, stop) : undefined
  const hangs = own && (own.type === 'action' || isGate(own))
  if (hangs && way === 'right') {
    const inner = columnsOf(nodes, stop).at(-1)
    if (inner !== undefined) return firstOf(nodes, inner)
  }
  let { list, at } = placeOfStop(stop) ?? placeOf(stop)
  for (;;) {
    const owner = ownerOf(list)
    if (owner === undefined) break
    const node = nodeAt(nodes, owner)
    const columns = columnsOf(nodes, owner)
    const to = columns[columns.indexOf(list) + (way === 'left' ? -1 : 1)]
    if (to !== undefined) return atOrLast(nodes, to, at)
    if (way === 'left' && node && (node.type === 'action' || isGate(node))) return owner
    ;({ list, at } = placeOf(owner))
  }
  const columns = own && !hangs ? columnsOf(nodes, stop) : []
  const inner = way === 'left' ? columns[0] : columns.at(-1)
  return inner === undefined ? undefined : firstOf(nodes, inner)
}

/** The lists below a node from left to right, including a No branch that is drawn but not defined yet. */
function columnsOf(nodes: Nodes, path: string): string[] {
  const node = nodeAt(nodes, path)
  if (!node) return []
  const lists = branchesOf(node, path).map(({ list }) => list)
  return node.type === 'condition' && node.else === undefined ? [...lists, `${path}.else`] : lists
}

function firstOf(nodes: Nodes, list: string): string {
  return atOrLast(nodes, list, 0)
}

function atOrLast(nodes: Nodes, list: string, at: number): string {
  const length = listAt(nodes, list)?.length ?? 0
  return length === 0 ? emptyStop(list) : `${list}[${Math.min(at, length - 1)}]`
}

function isEmptyPlace(nodes: Nodes, list: string): boolean {
  const owner = ownerOf(list)
  const isDrawn = owner === undefined ? list === ROOT : columnsOf(nodes, owner).includes(list)
  return isDrawn && (listAt(nodes, list)?.length ?? 0) === 0
}
