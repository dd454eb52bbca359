import type { Warning } from '#domains/workflows/contract.ts'
import { asSentence } from '../ui/words.ts'
import { isSame, nodeAt, nodePathOf, walk, type Nodes } from './tree.ts'

export type { Warning as Problem }

/**
 * The problems the server found in the saved nodes, applied to the current nodes: a problem moves along with its node and
 * disappears once its field has changed.
 */
export function problemsNow(problems: readonly Warning[], then: Nodes, now: Nodes): Warning[] {
  if (then === now) return [...problems]
  const places = new Map([...walk(now)].map(({ path, node }) => [node, path]))
  return problems.flatMap(problem => {
    const at = nodePathOf(problem.path)
    if (at === undefined) return problem
    const node = nodeAt(then, at)
    if (!node) return []
    const field = problem.path.slice(at.length)
    const moved = places.get(node)
    if (moved !== undefined) return { ...problem, path: moved + field }
    const same = nodeAt(now, at)
    const name = /^\.(\w+)/.exec(field)?.[1]
    const isMended = !same || same.type !== node.type || (name && !isSame(same[name], node[name]))
    return isMended ? [] : problem
  })
}

/** The stop at which a problem can be fixed: its node, or the trigger. */
export function stopOf(path: string): string {
  return nodePathOf(path) ?? 'trigger'
}

/** The first problem of a field, or of a part of it. */
export function faultAt(problems: readonly Warning[], path: string): string | undefined {
  const own = problems.find(
    problem =>
      problem.path === path || problem.path.startsWith(`${path}.`) || problem.path.startsWith(`${path}[`),
  )
  return own && sentence(own.message)
}

export function sentence(message: string): string {
  const told = asSentence(message)
  return /[.!?]$/.test(told) ? told : `${told}.`
}
