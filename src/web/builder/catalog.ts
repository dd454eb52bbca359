import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Catalog, Warning } from '#domains/workflows/contract.ts'
import { catalogQuery } from '../records/workflows/workflows-cache.ts'
import { useMembers } from '../queries.ts'
import type { Offer } from './canvas-contract.ts'
import { sentence, stopOf } from './problems.ts'
import { asRecord, nodeAt, ownerOf, pathAt, type Nodes, type Place, type TreeNode } from './tree.ts'
import type { Names } from './words.ts'

export type Trigger = Catalog['triggers'][number]
export type Entry = Catalog['actions'][number] | Catalog['logic'][number]

export function useCatalog(): Catalog | undefined {
  return useQuery(catalogQuery).data
}

export function useNames(catalog: Catalog | undefined): Names {
  const members = useMembers()
  return useMemo(() => {
    const people = new Map(members.map(({ id, name, email }) => [id, name || email]))
    return {
      title: node => (catalog && entryOf(catalog, node)?.title) ?? spelledOut(node.action ?? node.type),
      person: id => people.get(id) ?? 'a former member',
    }
  }, [catalog, members])
}

/** The catalog entry of a node; undefined for types this server does not know. */
export function entryOf(catalog: Catalog, node: TreeNode): Entry | undefined {
  return node.type === 'action'
    ? catalog.actions.find(({ action }) => action === node.action)
    : catalog.logic.find(({ type }) => type === node.type)
}

/** "Template is missing.": with the label of the field in the panel. */
export function faultInWords({ path, message }: Warning, nodes: Nodes, catalog: Catalog): string {
  const stop = stopOf(path)
  const node = nodeAt(nodes, stop)
  if (!node) return sentence(path === 'nodes' ? `the workflow ${message}` : message)
  const name = path.slice(stop.length + 1).split(/[.[]/)[0] ?? ''
  const title = asRecord(asRecord(entryOf(catalog, node)?.schema.properties)?.[name])?.title
  return sentence([typeof title === 'string' ? title : name, message].filter(Boolean).join(' '))
}

/** By its name. Unknown events can be triggers, too. */
export function triggerOf(catalog: Catalog | undefined, name: string): Trigger {
  const known = catalog?.triggers.find(trigger => trigger.name === name)
  return known ?? { name, label: name || 'Choose a trigger', description: '', fields: [], sample: {} }
}

/** What can be added at a place: a merge only right after a split, and a break only inside a loop. */
export function offersAt(catalog: Catalog, nodes: Nodes, place: Place): Offer[] {
  const before = place.at > 0 ? nodeAt(nodes, pathAt({ ...place, at: place.at - 1 })) : undefined
  const fits: Partial<Record<string, boolean>> = {
    merge: before?.type === 'split',
    break: isInLoop(nodes, place.list),
  }
  return [
    ...catalog.actions.map(({ action, title, description }) => ({
      key: `action ${action}`,
      title,
      description,
      kind: 'action',
    })),
    ...catalog.logic
      .filter(({ type }) => fits[type] !== false)
      .map(({ type, title, description }) => ({ key: type, title, description, kind: type })),
  ]
}

/** A new node with common defaults. */
export function newNode(key: string): TreeNode {
  const [type = '', action] = key.split(' ')
  switch (type) {
    case 'action':
      return { type, action }
    case 'condition':
      return { type, field: '', op: '==', value: '', then: [], else: [] }
    case 'delay':
      return { type, delay: '1d' }
    case 'split':
      return { type, paths: ['A', 'B'].map(name => ({ name, percent: 50, nodes: [] })) }
    case 'loop':
      return { type, times: 3, nodes: [] }
    default:
      return { type }
  }
}

/** A loop around parallel paths cannot be exited by one of them. */
function isInLoop(nodes: Nodes, list: string): boolean {
  for (let at = ownerOf(list); at !== undefined; at = ownerOf(at)) {
    const node = nodeAt(nodes, at)
    if (node?.type === 'loop') return true
    const paths = node?.type === 'split' && Array.isArray(node.paths) ? node.paths : []
    if (paths.some(path => (path as { percent?: unknown }).percent === undefined)) return false
  }
  return false
}

function spelledOut(kind: unknown): string {
  const text = String(kind).replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
