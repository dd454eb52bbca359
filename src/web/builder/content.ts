import type { Draft, WorkflowInFull } from '#domains/workflows/contract.ts'
import { asNodes, type Nodes } from './tree.ts'

/** All that is edited in the builder. */
export type Content = {
  name: string
  trigger: string
  filters: Record<string, unknown>[]
  once_per_lead: boolean
  nodes: Nodes
}

/** What somebody is working at: the draft, or what is published where there is none. */
export function contentOf(workflow: WorkflowInFull): Content {
  const { name, trigger, filters, once_per_lead, nodes } = workflow.draft ?? workflow
  return { name, trigger, filters: filters as Content['filters'], once_per_lead, nodes: asNodes(nodes) }
}

export function bodyOf({ nodes, filters, ...rest }: Content): Draft {
  return { ...rest, filters: [...filters], nodes: [...nodes] }
}
