/** What two definitions differ in, in words. Pure, and read by the web app as well. */

import type { Difference } from './contract.ts'
import { listsBelow, type Definition, type Node } from './definition.ts'

export function differences(before: Definition | null, after: Definition): Difference[] {
  const from = before ?? { trigger: '', filters: [], once_per_lead: false, nodes: [] }
  const own = (['trigger', 'filters', 'once_per_lead'] as const).flatMap(field =>
    isSame(from[field], after[field]) || before === null
      ? []
      : [
          {
            path: field,
            kind: 'changed' as const,
            what: WORDS[field],
            fields: [{ field, before: from[field], after: after[field] }],
          },
        ],
  )
  return [...own, ...withMoves(listDifferences(from.nodes, after.nodes, 'nodes', 'nodes'))]
}

const WORDS = {
  trigger: 'Trigger',
  filters: 'Trigger conditions',
  once_per_lead: 'Once per lead',
} as const

type Found = Difference & { node?: Node }

/** Nodes that are the same stay where they are; between them, those of one kind are taken to be changed ones. */
function listDifferences(before: readonly Node[], after: readonly Node[], was: string, is: string): Found[] {
  const found: Found[] = []
  let [a, b] = [0, 0]
  for (const [x, y] of [...common(before, after), [before.length, after.length] as const]) {
    found.push(...gapDifferences(before, after, [a, x], [b, y], was, is))
    ;[a, b] = [x + 1, y + 1]
  }
  return found
}

function gapDifferences(
  before: readonly Node[],
  after: readonly Node[],
  [from, to]: [number, number],
  [begin, end]: [number, number],
  was: string,
  is: string,
): Found[] {
  const found: Found[] = []
  let y = begin
  for (let x = from; x < to; x++) {
    const kind = kindOf(before[x]!)
    const match = after.slice(y, end).findIndex(node => kindOf(node) === kind)
    if (match < 0) {
      found.push(whole('removed', before[x]!, `${was}[${x}]`))
      continue
    }
    for (; match > 0 && y < end && kindOf(after[y]!) !== kind; y++)
      found.push(whole('added', after[y]!, `${is}[${y}]`))
    found.push(...nodeDifferences(before[x]!, after[y]!, `${was}[${x}]`, `${is}[${y}]`))
    y++
  }
  for (; y < end; y++) found.push(whole('added', after[y]!, `${is}[${y}]`))
  return found
}

function nodeDifferences(before: Node, after: Node, was: string, is: string): Found[] {
  const [own, other] = [ownFields(before), ownFields(after)]
  const fields = [...new Set([...Object.keys(own), ...Object.keys(other)])]
    .filter(field => !isSame(own[field], other[field]))
    .map(field => ({ field, before: own[field] ?? null, after: other[field] ?? null }))
  const found: Found[] =
    fields.length > 0 ? [{ path: is, kind: 'changed', what: titleOf(after), fields }] : []
  const lists = new Map(listsBelow(before).map(({ key, nodes }) => [key, nodes]))
  for (const { key, nodes } of listsBelow(after)) {
    found.push(...listDifferences(lists.get(key) ?? [], nodes, `${was}.${key}`, `${is}.${key}`))
    lists.delete(key)
  }
  for (const [key, nodes] of lists) found.push(...listDifferences(nodes, [], `${was}.${key}`, `${is}.${key}`))
  return found
}

/** A node removed in one place and added in another has moved. */
function withMoves(found: Found[]): Difference[] {
  const gone = found.filter(({ kind }) => kind === 'removed')
  const moved = new Set<Found>()
  const told = found.map(one => {
    if (one.kind !== 'added') return one
    const from = gone.find(other => !moved.has(other) && isSame(other.node, one.node))
    if (!from) return one
    moved.add(from)
    return {
      ...one,
      kind: 'moved' as const,
      fields: [{ field: 'place', before: from.path, after: one.path }],
    }
  })
  return told.filter(one => !moved.has(one)).map(({ node: _, ...difference }) => difference)
}

function whole(kind: 'added' | 'removed', node: Node, path: string): Found {
  return { path, kind, what: titleOf(node), fields: [], node }
}

function titleOf(node: Node): string {
  const kind = node.type === 'action' ? node.action : node.type
  const title = kind.charAt(0).toUpperCase() + kind.slice(1).replaceAll('_', ' ')
  return node.name ? `${title} “${node.name}”` : title
}

function kindOf(node: Node): string {
  return node.type === 'action' ? node.action : node.type
}

const BELOW = new Set(['then', 'else', 'catch', 'nodes'])

function ownFields(node: Node): Record<string, unknown> {
  const own = Object.fromEntries(Object.entries(node).filter(([key]) => !BELOW.has(key)))
  if (node.type === 'split') own.paths = node.paths.map(({ nodes: _, ...path }) => path)
  return own
}

/** The longest row of nodes that both have, as pairs of places. */
function common(before: readonly Node[], after: readonly Node[]): [number, number][] {
  const [a, b] = [before.map(textOf), after.map(textOf)]
  const lengths = Array.from({ length: a.length + 1 }, () => Array.from({ length: b.length + 1 }, () => 0))
  for (let x = a.length - 1; x >= 0; x--)
    for (let y = b.length - 1; y >= 0; y--)
      lengths[x]![y] =
        a[x] === b[y] ? lengths[x + 1]![y + 1]! + 1 : Math.max(lengths[x + 1]![y]!, lengths[x]![y + 1]!)
  const pairs: [number, number][] = []
  for (let x = 0, y = 0; x < a.length && y < b.length;) {
    if (a[x] === b[y]) pairs.push([x++, y++])
    else if (lengths[x + 1]![y]! >= lengths[x]![y + 1]!) x++
    else y++
  }
  return pairs
}

function isSame(a: unknown, b: unknown): boolean {
  return textOf(a) === textOf(b)
}

/** The order of fields is no difference. */
function textOf(value: unknown): string {
  return (
    JSON.stringify(value, (_, part: unknown) =>
      typeof part === 'object' && part !== null && !Array.isArray(part)
        ? Object.fromEntries(Object.entries(part).toSorted(([x], [y]) => (x < y ? -1 : 1)))
        : part,
    ) ?? ''
  )
}
