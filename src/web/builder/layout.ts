/** The position of everything on the canvas, computed from the tree alone, so nothing has to be arranged by hand. */

import { pathsOf, ROOT, asNodes, type Nodes, type Place, type TreeNode } from './tree.ts'

export type Box = { x: number; y: number; width: number; height: number }
export type NodeBox = Box & { path: string; node: TreeNode }
/** Where a step can be added. `only`: its list is empty. */
export type PlusBox = Box & { place: Place; only: boolean }
export type LabelBox = Box & { text: string }
/** What a loop repeats. */
export type FrameBox = Box & { path: string; text: string }
/** Where the run ends. */
export type EndBox = Box & { path: string }
/** `into`: the node it leads to, if any. */
export type Line = { points: [x: number, y: number][]; into?: string | undefined }

export type Layout = {
  width: number
  height: number
  trigger: Box
  nodes: NodeBox[]
  pluses: PlusBox[]
  labels: LabelBox[]
  frames: FrameBox[]
  ends: EndBox[]
  lines: Line[]
}

export const NODE_WIDTH = 212
export const NODE_HEIGHT = 74
export const PLUS_SIZE = 24
const GAP = 54
const COLUMN_GAP = 36
/** From a node down to where its branches begin, with their names. */
const FORK = 42
const ELBOW = 14
const JOIN = 22
const LABEL_HEIGHT = 20
const LABEL_WIDTH_MAX = 168
const FRAME_TOP = 34
const FRAME_PAD = 26
const FRAME_BOTTOM = 10
const END_WIDTH = 56
const END_HEIGHT = 22

export function layOut(nodes: Nodes): Layout {
  const root = measureList(nodes, ROOT)
  const left = Math.max(root.left, NODE_WIDTH / 2)
  const right = Math.max(root.right, NODE_WIDTH / 2)
  const layout: Layout = {
    width: left + right,
    height: NODE_HEIGHT + root.height,
    trigger: { x: left - NODE_WIDTH / 2, y: 0, width: NODE_WIDTH, height: NODE_HEIGHT },
    nodes: [],
    pluses: [],
    labels: [],
    frames: [],
    ends: [],
    lines: [],
  }
  new Placing(layout).list(root, left, NODE_HEIGHT)
  return layout
}

/** The size of a block on both sides of its axis, the line on which it is entered and left. */
type Extent = { left: number; right: number; height: number }
type ListBlock = Extent & { kind: 'list'; list: string; from: number; items: Item[] }
/** An empty branch; `place`: where a step can be added. */
type PassBlock = Extent & { kind: 'pass'; place: Place | undefined }
type Column = { block: ListBlock | PassBlock; text: string; ends?: string }
type Item = Extent & { path: string; node: TreeNode; below: Below }
type Below =
  | { kind: 'nothing' }
  | { kind: 'columns'; columns: Column[]; axes: number[]; joins: boolean }
  | { kind: 'frame'; body: ListBlock }

function measureList(nodes: Nodes, list: string, from = 0): ListBlock {
  const items: Item[] = []
  let height = GAP
  for (let at = from; at < nodes.length; at++) {
    const node = nodes[at]!
    const path = `${list}[${at}]`
    const rest = isGate(node) ? measureList(nodes, list, at + 1) : undefined
    const item = measureItem(node, path, rest)
    items.push(item)
    height += item.height
    // The rest of the list is below the gate: it runs only if the condition is met.
    if (rest) break
    height += GAP
  }
  return {
    kind: 'list',
    list,
    from,
    items,
    height,
    left: Math.max(PLUS_SIZE / 2, ...items.map(({ left }) => left)),
    right: Math.max(PLUS_SIZE / 2, ...items.map(({ right }) => right)),
  }
}

/** A condition without a Yes branch: the following steps run only if it is met. */
export function isGate(node: TreeNode): boolean {
  return node.type === 'condition' && node.then === undefined
}

function measureItem(node: TreeNode, path: string, rest: ListBlock | undefined): Item {
  if (node.type === 'loop') return framed(node, path)
  const columns = columnsOf(node, path, rest)
  if (columns.length === 0)
    return {
      path,
      node,
      below: { kind: 'nothing' },
      left: NODE_WIDTH / 2,
      right: NODE_WIDTH / 2,
      height: NODE_HEIGHT,
    }
  const isStraight = rest !== undefined || node.type === 'action'
  return { path, node, ...inColumns(columns, isStraight, rest === undefined) }
}

function columnsOf(node: TreeNode, path: string, rest: ListBlock | undefined): Column[] {
  if (node.type === 'split')
    return pathsOf(node).map((one, at) => ({
      block: measureList(asNodes(one.nodes), `${path}.paths[${at}].nodes`),
      text: pathLabel(one.name, one.percent),
    }))
  if (node.type === 'action')
    return node.catch === undefined
      ? []
      : [
          { block: pass(undefined), text: '' },
          { block: measureList(asNodes(node.catch), `${path}.catch`), text: 'On failure' },
        ]
  if (node.type !== 'condition') return []
  const no: Column = {
    block:
      node.else === undefined
        ? pass({ list: `${path}.else`, at: 0 })
        : measureList(asNodes(node.else), `${path}.else`),
    text: 'No',
  }
  if (rest) return [{ block: rest, text: 'Yes' }, ended(no, path)]
  return [{ block: measureList(asNodes(node.then), `${path}.then`), text: 'Yes' }, no]
}

function ended({ block, text }: Column, path: string): Column {
  return { text, ends: path, block: { ...block, height: block.height + END_HEIGHT } }
}

function pass(place: Place | undefined): PassBlock {
  return { kind: 'pass', place, left: PLUS_SIZE / 2, right: PLUS_SIZE / 2, height: place ? GAP : 0 }
}

/** Side by side. Straight: the first continues right below the node, the others are beside it. */
function inColumns(columns: Column[], isStraight: boolean, joins: boolean): Extent & { below: Below } {
  const axes: number[] = []
  let edge = 0
  for (const [at, { block, text, ends }] of columns.entries()) {
    const half = Math.max(labelWidth(text) / 2, ends === undefined ? 0 : END_WIDTH / 2)
    // Columns beside a node must clear the node itself, too.
    const first = isStraight && at === 0 ? NODE_WIDTH / 2 : 0
    const axis = edge + (at === 0 ? 0 : COLUMN_GAP) + Math.max(block.left, half, first)
    axes.push(axis)
    edge = axis + Math.max(block.right, half, first)
  }
  const middle = isStraight ? axes[0]! : (axes[0]! + axes.at(-1)!) / 2
  const height = Math.max(...columns.map(({ block }) => block.height))
  return {
    below: { kind: 'columns', columns, axes: axes.map(axis => axis - middle), joins },
    left: Math.max(NODE_WIDTH / 2, middle),
    right: Math.max(NODE_WIDTH / 2, edge - middle),
    height: NODE_HEIGHT + FORK + height + (joins ? JOIN : 0),
  }
}

function framed(node: TreeNode, path: string): Item {
  const body = measureList(asNodes(node.nodes), `${path}.nodes`)
  return {
    path,
    node,
    below: { kind: 'frame', body },
    left: Math.max(NODE_WIDTH / 2, body.left + FRAME_PAD),
    right: Math.max(NODE_WIDTH / 2, body.right + FRAME_PAD),
    height: NODE_HEIGHT + FRAME_TOP + body.height + FRAME_BOTTOM,
  }
}

class Placing {
  private readonly layout: Layout

  constructor(layout: Layout) {
    this.layout = layout
  }

  /** Places a list downwards from a point of its axis. */
  list({ list, from, items }: ListBlock, x: number, top: number): void {
    let y = top
    this.gap(x, y, { list, at: from }, items[0]?.path, items.length === 0 && from === 0)
    y += GAP
    for (const [at, item] of items.entries()) {
      this.item(item, x, y)
      y += item.height
      // The steps after a gate are already below it.
      if (isGate(item.node)) return
      const next = items[at + 1]
      // Nothing can be added between a split and its merge.
      if (item.node.type === 'split' && next?.node.type === 'merge')
        this.line([x, y], [x, y + GAP], next.path)
      else this.gap(x, y, { list, at: from + at + 1 }, next?.path, false)
      y += GAP
    }
  }

  private gap(x: number, y: number, place: Place, into: string | undefined, only: boolean): void {
    this.line([x, y], [x, y + GAP], into)
    this.plus(x, y + GAP / 2, place, only)
  }

  private item({ path, node, below }: Item, x: number, y: number): void {
    this.layout.nodes.push({
      path,
      node,
      x: x - NODE_WIDTH / 2,
      y,
      width: NODE_WIDTH,
      height: NODE_HEIGHT,
    })
    const bottom = y + NODE_HEIGHT
    if (below.kind === 'frame') this.frame(path, below.body, x, bottom)
    if (below.kind === 'columns') this.columns(path, below, x, bottom)
  }

  private frame(path: string, body: ListBlock, x: number, y: number): void {
    const left = Math.max(NODE_WIDTH / 2, body.left + FRAME_PAD)
    const right = Math.max(NODE_WIDTH / 2, body.right + FRAME_PAD)
    this.layout.frames.push({
      path,
      text: 'Each iteration',
      x: x - left,
      y: y + ELBOW,
      width: left + right,
      height: FRAME_TOP - ELBOW + body.height,
    })
    this.line([x, y], [x, y + FRAME_TOP], body.items[0]?.path)
    this.list(body, x, y + FRAME_TOP)
    this.line([x, y + FRAME_TOP + body.height], [x, y + FRAME_TOP + body.height + FRAME_BOTTOM])
  }

  private columns(
    path: string,
    { columns, axes, joins }: Extract<Below, { kind: 'columns' }>,
    x: number,
    y: number,
  ): void {
    const top = y + FORK
    const bottom = top + Math.max(...columns.map(({ block }) => block.height))
    for (const [at, { block, text, ends }] of columns.entries()) {
      const axis = x + axes[at]!
      const into = block.kind === 'list' ? block.items[0]?.path : undefined
      this.elbow([x, y], [axis, top], y + ELBOW, into)
      if (text !== '') this.label(axis, y + ELBOW + 5, text)
      if (block.kind === 'list') this.list(block, axis, top)
      else if (block.place) this.gap(axis, top, block.place, undefined, true)
      const end = top + block.height
      if (ends !== undefined) {
        this.layout.ends.push({
          path,
          x: axis - END_WIDTH / 2,
          y: end - END_HEIGHT,
          width: END_WIDTH,
          height: END_HEIGHT,
        })
      } else if (joins) this.elbow([axis, end], [x, bottom + JOIN], bottom + JOIN - ELBOW / 2)
      else if (end < bottom) this.line([axis, end], [axis, bottom])
    }
  }

  private plus(x: number, y: number, place: Place, only: boolean): void {
    const half = PLUS_SIZE / 2
    this.layout.pluses.push({ place, only, x: x - half, y: y - half, width: PLUS_SIZE, height: PLUS_SIZE })
  }

  private label(x: number, y: number, text: string): void {
    const width = labelWidth(text)
    this.layout.labels.push({ text, x: x - width / 2, y, width, height: LABEL_HEIGHT })
  }

  /** Down, across at this height, and down again. */
  private elbow(from: [number, number], to: [number, number], across: number, into?: string): void {
    if (from[0] === to[0]) return this.line(from, to, into)
    this.layout.lines.push({ points: [from, [from[0], across], [to[0], across], to], into })
  }

  private line(from: [number, number], to: [number, number], into?: string): void {
    this.layout.lines.push({ points: [from, to], into })
  }
}

export function pathLabel(name: unknown, percent: unknown): string {
  const called = typeof name === 'string' && name !== '' ? name : 'Unnamed'
  return typeof percent === 'number' ? `${called} ${percent}%` : called
}

function labelWidth(text: string): number {
  return text === '' ? 0 : Math.min(LABEL_WIDTH_MAX, Math.round(text.length * 6.6) + 18)
}
