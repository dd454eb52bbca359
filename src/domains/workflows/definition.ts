import type { Static, TSchema } from '#platform/contract.ts'
import type { Comparison as ComparisonSchema } from './nodes/kind.ts'
import type { shapes } from './nodes/shapes.ts'
import type { ActionName } from './values.ts'

export type Comparison = Static<typeof ComparisonSchema>

type Own<Fields> = {
  [Key in keyof Fields]: Fields[Key] extends TSchema ? Static<Fields[Key]> : never
}
type Named = { name?: string }
export type Retry = { times: number; wait?: string }
export type Window = { days: number[]; from: string; until: string }

export type ConditionNode = Named &
  Comparison & { type: 'condition'; also?: Comparison[]; match?: 'all' | 'any'; then?: Node[]; else?: Node[] }
export type DelayNode = Named & { type: 'delay'; delay?: string; until_field?: string; window?: Window }
export type Path = { name: string; percent?: number; nodes: Node[] }
export type SplitNode = Named & { type: 'split'; paths: Path[] }
export type MergeNode = Named & { type: 'merge'; wait?: 'all' | 'any' }
export type LoopNode = Named & { type: 'loop'; over?: string; times?: number; nodes: Node[] }
export type BreakNode = Named & { type: 'break' }
type OneAction<Action extends ActionName> = Named & {
  type: 'action'
  action: Action
  delay?: string
  retry?: Retry
  on_error?: 'stop' | 'continue'
  /** Runs when the action has failed permanently; then the run continues after the action. */
  catch?: Node[]
} & Partial<Own<(typeof shapes)[Action]['fields']>>
export type ActionNode<Action extends ActionName = ActionName> = Action extends ActionName
  ? OneAction<Action>
  : never

export type Node = ConditionNode | DelayNode | SplitNode | MergeNode | LoopNode | BreakNode | ActionNode

/** All that decides what a workflow does: what a version keeps, what is exported, what two versions differ in. */
export type Definition = {
  trigger: string
  filters: Comparison[]
  once_per_lead: boolean
  nodes: Node[]
}

/** The lists of nodes directly below a node, with their paths. */
export function listsBelow(node: Node): { key: string; nodes: Node[] }[] {
  switch (node.type) {
    case 'condition':
      return [...listAt('then', node.then), ...listAt('else', node.else)]
    case 'split':
      return node.paths.flatMap(({ nodes }, at) => listAt(`paths[${at}].nodes`, nodes))
    case 'loop':
      return listAt('nodes', node.nodes)
    case 'action':
      return listAt('catch', node.catch)
    default:
      return []
  }
}

/** Every node with its path, parents first. */
export function* walk(nodes: readonly Node[], list = 'nodes'): Generator<{ path: string; node: Node }> {
  for (const [at, node] of nodes.entries()) {
    const path = `${list}[${at}]`
    yield { path, node }
    for (const below of listsBelow(node)) yield* walk(below.nodes, `${path}.${below.key}`)
  }
}

/** A draft may be anything: what is no tree of nodes is passed over, its faults tell. */
export function* walkSafely(nodes: readonly Node[]): Generator<{ path: string; node: Node }> {
  try {
    yield* walk(nodes)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
  }
}

function listAt(key: string, nodes: Node[] | undefined) {
  return nodes ? [{ key, nodes }] : []
}
