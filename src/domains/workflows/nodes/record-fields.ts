import { AccountChange } from '#domains/accounts/contract.ts'
import { LeadChange } from '#domains/leads/contract.ts'
import { OpportunityChange } from '#domains/opportunities/contract.ts'
import { TaskChange } from '#domains/projects/contract.ts'

/** The records whose fields a workflow may set, by what a person may write in them. */
export const recordSchemas = {
  lead: LeadChange,
  opportunity: OpportunityChange,
  task: TaskChange,
  account: AccountChange,
}
export type RecordKind = keyof typeof recordSchemas

/** The keys of the fields that the team has made itself. */
export type OwnKeys = { lead: readonly string[]; account: readonly string[] }

export const recordWords: Record<RecordKind, string> = {
  lead: 'a lead',
  opportunity: 'an opportunity',
  task: 'a task',
  account: 'an account',
}

/** `lead.email` and `email` are the same field of a lead. */
export function fieldName(record: RecordKind, field: string): string {
  return field.startsWith(`${record}.`) ? field.slice(record.length + 1) : field
}

/** What is wrong with a field to set; the team's own fields are judged where their keys are known. */
export function fieldFault(record: RecordKind, field: string, own?: OwnKeys): string | undefined {
  const [first, key, ...more] = field.split('.') as [string, ...string[]]
  const isOwn = first === 'custom' && key !== undefined
  const isKnown = Object.hasOwn(recordSchemas[record].properties, first) && more.length === 0
  if (!isKnown || isOwn !== (first === 'custom') || (key !== undefined && !isOwn))
    return `must be a field of ${recordWords[record]} that can be set`
  if (!isOwn || !own || own[record as keyof OwnKeys]?.includes(key)) return undefined
  return `must be a field of this team; there is no ${field}`
}
