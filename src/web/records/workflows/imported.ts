import type { Draft, NewWorkflow } from '#domains/workflows/contract.ts'
import { DEFINITION_LENGTH_MAX } from '#domains/workflows/values.ts'

export type Imported = Omit<NewWorkflow, 'status'>

const NAME_LENGTH_MAX = 200

/**
 * What somebody pasted or chose as a file: a workflow, or in words why it is none. Whether it can run is for the server
 * to say; of what else the API answers about a workflow nothing is taken.
 */
export function imported(text: string): Imported | string {
  if (!text.trim()) return 'Paste a workflow, or choose a file.'
  if (text.length > DEFINITION_LENGTH_MAX * 2) return 'This is too long to be a workflow.'
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return `This is not JSON: ${error instanceof Error ? error.message : 'it cannot be read'}`
  }
  if (!isRecord(value)) return 'A workflow is an object with a trigger and nodes.'
  const { name, trigger, filters, once_per_lead, nodes } = value
  if (typeof trigger !== 'string' || !Array.isArray(nodes))
    return 'A workflow has a “trigger” and a list of “nodes”: one of them is missing.'
  return {
    name: (typeof name === 'string' && name.trim().slice(0, NAME_LENGTH_MAX)) || 'Imported workflow',
    trigger,
    nodes: nodes as NewWorkflow['nodes'],
    ...(filters !== undefined && { filters: filters as NonNullable<NewWorkflow['filters']> }),
    ...(typeof once_per_lead === 'boolean' && { once_per_lead }),
  }
}

/** The same as something to go on working at; not everything that is wrong can be kept. */
export function asDraft({ name, trigger, filters = [], once_per_lead = false, nodes }: Imported): Draft {
  return {
    name,
    trigger,
    filters: Array.isArray(filters) ? (filters as unknown[]).filter(isRecord) : [],
    once_per_lead,
    nodes: (nodes as unknown[]).filter(isRecord),
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
