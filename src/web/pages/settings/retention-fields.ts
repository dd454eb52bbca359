import type { Retention, RetentionChange } from '#domains/retention/contract.ts'
import {
  RETENTION_DAYS_MAX,
  retentionKinds,
  retentionRules,
  type RetentionKind,
} from '#domains/retention/values.ts'
import type { FieldFault } from '../../problem.ts'

/** Days as typed; empty: for ever. */
export type RetentionFields = Record<RetentionKind, string>

export function fieldsOf(retention: Retention): RetentionFields {
  const fields = retentionKinds.map(kind => [kind, String(retention[kind] ?? '')])
  return Object.fromEntries(fields) as RetentionFields
}

export function faultsOf(fields: RetentionFields): FieldFault[] {
  return retentionKinds.flatMap(kind => {
    if (daysOf(kind, fields[kind]) !== undefined) return []
    const range = `from ${retentionRules[kind].daysMin} to ${RETENTION_DAYS_MAX}`
    const orEmpty = isForEver(kind) ? ', or empty' : ''
    return [{ path: kind, message: `must be a whole number ${range}${orEmpty}` }]
  })
}

export function changeOf(before: Retention, fields: RetentionFields): RetentionChange | undefined {
  const changed = retentionKinds
    .map(kind => [kind, daysOf(kind, fields[kind]), before[kind]] as const)
    .filter(([, after, was]) => after !== was)
  return changed.length > 0 ? Object.fromEntries(changed.map(([kind, after]) => [kind, after])) : undefined
}

/** Null: for ever. Undefined: not a valid number of days. */
export function daysOf(kind: RetentionKind, typed: string): number | null | undefined {
  const text = typed.trim()
  if (text === '') return isForEver(kind) ? null : undefined
  const days = /^\d{1,5}$/.test(text) ? Number(text) : NaN
  return days >= retentionRules[kind].daysMin && days <= RETENTION_DAYS_MAX ? days : undefined
}

/** Whether this can be kept without an end. */
export function isForEver(kind: RetentionKind): boolean {
  return retentionRules[kind].days === null
}
