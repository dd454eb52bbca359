import { shapes } from './nodes/shapes.ts'
import type { ActionName } from './values.ts'

/** What the interface calls actions, where it is not what the builder calls them. */
const otherLabels: [string, ActionName][] = [['Update Record Field', 'update_field']]

const byLabel = new Map<string, ActionName>(
  [...Object.values(shapes).map(({ action, title }) => [title, action] as const), ...otherLabels].map(
    ([label, action]) => [keyOf(label), action],
  ),
)

/** By its label; what is none stays as it is. */
export function actionOf(text: unknown): unknown {
  return typeof text === 'string' ? (byLabel.get(keyOf(text)) ?? text) : text
}

/** The same nodes, in which every action goes by its name. They may be a draft, and then anything. */
export function withActionNames<Nodes>(nodes: Nodes): Nodes {
  return named(nodes) as Nodes
}

function named(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(named)
  if (typeof value !== 'object' || value === null) return value
  const node = Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, BELOW.has(key) ? named(part) : part]),
  )
  return node.type === 'action' ? { ...node, action: actionOf(node.action) } : node
}

const BELOW = new Set(['then', 'else', 'catch', 'nodes', 'paths'])

function keyOf(label: string): string {
  return label.trim().toLowerCase()
}
