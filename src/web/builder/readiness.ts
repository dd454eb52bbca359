import type { Warning } from '#domains/workflows/contract.ts'
import { newNode } from './catalog.ts'
import { stopOf } from './problems.ts'
import { isSame, nodeAt, type Nodes, type TreeNode } from './tree.ts'

type Looked = {
  nodes: Nodes
  /** Steps whose fields were set since the page was opened. */
  touched: { has: (node: TreeNode) => boolean }
  /** Whether publishing was attempted. */
  tried: boolean
}

/**
 * Errors are shown only where someone has edited: a step that was just added, or an empty workflow, is not wrong but not
 * ready. An attempt to publish shows all of them.
 */
export function inTwo(
  problems: readonly Warning[],
  looked: Looked,
): { wrong: Warning[]; unready: Warning[] } {
  const isWrong = (problem: Warning) => looked.tried || !isUnready(problem, looked)
  return {
    wrong: problems.filter(isWrong),
    unready: problems.filter(problem => !isWrong(problem)),
  }
}

function isUnready({ path }: Warning, { nodes, touched }: Looked): boolean {
  if (path === 'nodes') return nodes.length === 0
  const node = nodeAt(nodes, stopOf(path))
  return node !== undefined && !touched.has(node) && isAsAdded(node)
}

/** Regardless of its branches. */
function isAsAdded(node: TreeNode): boolean {
  const { then: _then, else: _else, catch: _catch, nodes: _nodes, paths: _paths, ...own } = node
  const fresh = newNode(node.type === 'action' ? `action ${String(node.action)}` : node.type)
  return Object.entries(own).every(([key, value]) => isSame(value, fresh[key]))
}
