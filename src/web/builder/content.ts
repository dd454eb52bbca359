import type { Draft, WorkflowInFull } from '#domains/workflows/contract.ts'
import { asNodes, type Nodes } from './tree.ts'

/** Everything the builder edits. */
export type Content = {
  name: string
  trigger: string
  filters: Record<string, unknown>[]
  once_per_lead: boolean
  nodes: Nodes
}

/** The draft or, if there is none, the published version. */
export function contentOf(workflow: WorkflowInFull): Content {
  const { name, trigger, filters, once_per_lead, nodes } = workflow.draft ?? workflow
  return { name, trigger, filters: filters as Content['filters'], once_per_lead, nodes: asNodes(nodes) }
}

export function bodyOf({ nodes, filters, ...rest }: Content): Draft {
  return { ...rest, filters: [...filters], nodes: [...nodes] }
}
