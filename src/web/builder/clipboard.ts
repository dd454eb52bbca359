import { nodeTypes, NODES_MAX } from '#domains/workflows/values.ts'
import { asRecord, branchesOf, count, type Nodes, type TreeNode } from './tree.ts'

/** Distinguishes copied steps from other text. */
const MARK = 'rapport/workflow-nodes'

export function asText(nodes: Nodes): string {
  return JSON.stringify({ kind: MARK, nodes }, null, 2)
}

/** The nodes in a text that was copied here or written by hand; undefined if it has none. */
export function nodesIn(text: string): Nodes | undefined {
  const data = parsed(text)
  const own = asRecord(data)
  const nodes = own?.kind === MARK || Array.isArray(own?.nodes) ? own?.nodes : data
  const list = Array.isArray(nodes) ? nodes : [nodes]
  return list.length > 0 && list.every(isWhole) && count(list as Nodes) <= NODES_MAX
    ? (list as Nodes)
    : undefined
}

/** Of a known type, like everything in it. */
function isWhole(value: unknown): boolean {
  const node = asRecord(value)
  if (!node || !nodeTypes.some(type => type === node.type)) return false
  if (node.type === 'action' && typeof node.action !== 'string') return false
  const lists = [node.then, node.else, node.catch, ...(node.type === 'loop' ? [node.nodes] : [])]
  if (lists.some(list => list !== undefined && !(Array.isArray(list) && list.every(isWhole)))) return false
  if (node.type !== 'split') return true
  return (
    Array.isArray(node.paths) &&
    node.paths.every(path => {
      const nodes = asRecord(path)?.nodes
      return Array.isArray(nodes) && nodes.every(isWhole)
    }) &&
    branchesOf(node as TreeNode, '').length === node.paths.length
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
