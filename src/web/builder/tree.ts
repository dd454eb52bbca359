/** The tree of a workflow. Nothing is changed in place: parts an edit does not touch stay the same objects. */

/** A node of a draft: its type may be unknown and its fields invalid. */
export type TreeNode = { type: string; [field: string]: unknown }
export type Nodes = readonly TreeNode[]

/** A place in a list: before the node that is there now. */
export type Place = { list: string; at: number }

export const ROOT = 'nodes'

/** A list of nodes directly below a node, and its path. */
export type Branch = { list: string; nodes: Nodes }

/** The lists of a node, in drawing order. */
export function branchesOf(node: TreeNode, path: string): Branch[] {
  switch (node.type) {
    case 'condition':
      return [...branch(node.then, `${path}.then`), ...branch(node.else, `${path}.else`)]
    case 'split':
      return pathsOf(node).map(({ nodes }, at) => ({
        list: `${path}.paths[${at}].nodes`,
        nodes: asNodes(nodes),
      }))
    case 'loop':
      return [{ list: `${path}.nodes`, nodes: asNodes(node.nodes) }]
    case 'action':
      return branch(node.catch, `${path}.catch`)
    default:
      return []
  }
}

export type SplitPath = { name?: unknown; percent?: unknown; nodes?: unknown }

export function pathsOf(node: TreeNode): SplitPath[] {
  return Array.isArray(node.paths) ? node.paths.map(path => asRecord(path) ?? {}) : []
}

/** Every node with its path, parents first. */
export function* walk(nodes: Nodes, list = ROOT): Generator<{ path: string; node: TreeNode }> {
  for (const [at, node] of nodes.entries()) {
    const path = `${list}[${at}]`
    yield { path, node }
    for (const below of branchesOf(node, path)) yield* walk(below.nodes, below.list)
  }
}

export function nodeAt(nodes: Nodes, path: string): TreeNode | undefined {
  const found = valueAt({ nodes }, keysOf(path))
  return isNode(found) && path.endsWith(']') ? found : undefined
}

/** The list at a path; undefined if the node has no such list. */
export function listAt(nodes: Nodes, list: string): Nodes | undefined {
  const found = valueAt({ nodes }, keysOf(list))
  return Array.isArray(found) ? asNodes(found) : undefined
}

/** Inserts nodes at a place. Creates the branch if needed. */
export function insert(nodes: Nodes, { list, at }: Place, added: Nodes): Nodes {
  const owner = ownerOf(list)
  if (added.length === 0 || (owner !== undefined && !nodeAt(nodes, owner))) return nodes
  return changed(nodes, list, before => asNodes(before).toSpliced(at, 0, ...added))
}

export function remove(nodes: Nodes, path: string): Nodes {
  if (!nodeAt(nodes, path)) return nodes
  const { list, at } = placeOf(path)
  return changed(nodes, list, before => asNodes(before).toSpliced(at, 1))
}

/** Sets fields of a node; undefined removes a field. */
export function setFields(nodes: Nodes, path: string, fields: Record<string, unknown>): Nodes {
  const node = nodeAt(nodes, path)
  if (!node || Object.entries(fields).every(([name, value]) => isSame(node[name], value))) return nodes
  const next = Object.entries({ ...node, ...fields }).filter(([, value]) => value !== undefined)
  return replaceNode(nodes, path, Object.fromEntries(next) as TreeNode)
}

export function replaceNode(nodes: Nodes, path: string, node: TreeNode): Nodes {
  return nodeAt(nodes, path) ? changed(nodes, path, () => node) : nodes
}

/** The result of an edit, and the new path of its node. */
export type Edited = { nodes: Nodes; path: string }

/** Swaps a node with its neighbor; undefined at the end of the list. */
export function move(nodes: Nodes, path: string, way: 'up' | 'down'): Edited | undefined {
  const { list, at } = placeOf(path)
  const to = way === 'up' ? at - 1 : at + 1
  const all = listAt(nodes, list)
  const node = all?.[at]
  if (!all || !node || !all[to]) return undefined
  const next = changed(nodes, list, () => all.toSpliced(at, 1).toSpliced(to, 0, node))
  return { nodes: next, path: `${list}[${to}]` }
}

export function duplicate(nodes: Nodes, path: string): Edited | undefined {
  const node = nodeAt(nodes, path)
  const place = placeAfter(path)
  return node && { nodes: insert(nodes, place, [structuredClone(node)]), path: pathAt(place) }
}

/** Moves a node into the first branch of another, which takes its place. */
export function wrap(nodes: Nodes, path: string, around: TreeNode): Edited | undefined {
  const node = nodeAt(nodes, path)
  const inner = branchesOf(around, path)[0]
  if (!node || !inner) return undefined
  const placed = replaceNode(nodes, path, around)
  return { nodes: insert(placed, { list: inner.list, at: 0 }, [node]), path: `${inner.list}[0]` }
}

export function placeOf(path: string): Place {
  const found = /^(.*)\[(\d+)\]$/.exec(path)
  return { list: found?.[1] ?? ROOT, at: Number(found?.[2] ?? 0) }
}

export function placeAfter(path: string): Place {
  const { list, at } = placeOf(path)
  return { list, at: at + 1 }
}

export function pathAt({ list, at }: Place): string {
  return `${list}[${at}]`
}

export function isSamePlace(one: Place, other: Place): boolean {
  return one.list === other.list && one.at === other.at
}

/** The parent of a list or a node; undefined at the top level. */
export function ownerOf(path: string): string | undefined {
  const list = path.endsWith(']') ? placeOf(path).list : path
  return list === ROOT ? undefined : list.replace(/\.(?:then|else|catch|nodes|paths\[\d+\]\.nodes)$/, '')
}

/** The node of a problem: the longest prefix of its path that is one. */
export function nodePathOf(path: string): string | undefined {
  return /^nodes\[\d+\](?:\.(?:then|else|catch|nodes|paths\[\d+\]\.nodes)\[\d+\])*/.exec(path)?.[0]
}

export function count(nodes: Nodes): number {
  return [...walk(nodes)].length
}

/** Equal as data: ignores the order of keys and undefined values. */
export function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(sorted(one)) === JSON.stringify(sorted(other))
}

export function asRecord(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined
}

export function asNodes(value: unknown): Nodes {
  return Array.isArray(value) ? value.filter(isNode) : []
}

function isNode(value: unknown): value is TreeNode {
  return typeof asRecord(value)?.type === 'string'
}

function branch(nodes: unknown, list: string): Branch[] {
  return nodes === undefined ? [] : [{ list, nodes: asNodes(nodes) }]
}

type Key = string | number

/** `nodes[1].paths[0]` → nodes, 1, paths, 0 */
function keysOf(path: string): Key[] {
  return path
    .split(/[.[\]]+/)
    .filter(part => part !== '')
    .map(part => (/^\d+$/.test(part) ? Number(part) : part))
}

function valueAt(root: unknown, keys: readonly Key[]): unknown {
  let at = root
  for (const key of keys) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined
    at = (at as Record<Key, unknown>)[key]
  }
  return at
}

function changed(nodes: Nodes, path: string, change: (before: unknown) => unknown): Nodes {
  const next = withChange({ nodes }, keysOf(path), change) as { nodes: Nodes }
  return next.nodes
}

function withChange(value: unknown, [key, ...rest]: Key[], change: (before: unknown) => unknown): unknown {
  if (key === undefined) return change(value)
  const inner = withChange((value as Record<Key, unknown>)[key], rest, change)
  if (Array.isArray(value)) return value.with(Number(key), inner)
  return { ...(value as object), [key]: inner }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  const record = asRecord(value)
  if (!record) return value
  return Object.fromEntries(
    Object.entries(record)
      .filter(([, each]) => each !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, each]) => [name, sorted(each)]),
  )
}
