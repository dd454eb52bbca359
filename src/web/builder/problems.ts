import type { Warning } from '#domains/workflows/contract.ts'
import { asSentence } from '../ui/words.ts'
import { isSame, nodeAt, nodePathOf, walk, type Nodes } from './tree.ts'

export type { Warning as Problem }

/**
 * What the server said of the nodes it was given, told of the nodes as they are now: it moves along with its node, and goes
 * when the field it is about has been changed since.
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

/** The stop at which a problem is mended: its node, or the trigger. */
export function stopOf(path: string): string {
  return nodePathOf(path) ?? 'trigger'
}

/** What is wrong with one field of a node, or with a part of it. */
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
