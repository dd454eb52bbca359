import type { Draft, NewWorkflow } from '#domains/workflows/contract.ts'
import { DEFINITION_LENGTH_MAX } from '#domains/workflows/values.ts'

export type Imported = Omit<NewWorkflow, 'status'>

const NAME_LENGTH_MAX = 200

/**
 * A pasted or uploaded workflow, or why it is invalid. The server checks whether it can run; other fields from API
 * responses are ignored.
 */
export function imported(text: string): Imported | string {
  if (!text.trim()) return 'Paste JSON or choose a file.'
  if (text.length > DEFINITION_LENGTH_MAX * 2) return 'This is too large for a workflow.'
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return `Invalid JSON: ${error instanceof Error ? error.message : 'could not be parsed'}`
  }
  if (!isRecord(value)) return 'Must be a JSON object with a trigger and nodes.'
  const { name, trigger, filters, once_per_lead, nodes } = value
  if (typeof trigger !== 'string' || !Array.isArray(nodes))
    return 'The “trigger” or the list of “nodes” is missing.'
  return {
    name: (typeof name === 'string' && name.trim().slice(0, NAME_LENGTH_MAX)) || 'Imported workflow',
    trigger,
    nodes: nodes as NewWorkflow['nodes'],
    ...(filters !== undefined && { filters: filters as NonNullable<NewWorkflow['filters']> }),
    ...(typeof once_per_lead === 'boolean' && { once_per_lead }),
  }
}

/** The same as a draft, without the parts that a draft cannot hold. */
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
