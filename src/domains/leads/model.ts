import { invalid, type Fault } from '#platform/problem.ts'
import type { CustomField, Lead, LeadChange, LeadSettings, NewLead } from './contract.ts'
import { defaultPipelineStages } from './values.ts'

export const TRASH_LIFE_MS = 30 * 86_400_000

export const initialSettings = { pipeline_stages: [...defaultPipelineStages], custom_fields: [] }

type Rules = Pick<LeadSettings, 'pipeline_stages' | 'custom_fields'>

const knownBy = ['first_name', 'last_name', 'email', 'phone', 'company'] as const

/** `found` are the faults that only the database knows, so that they are told together with the others. */
export function newLead(
  input: NewLead,
  rules: Rules,
  made: { id: string; at: string },
  found: Fault[] = [],
): Lead {
  const faults = [...faultsIn(input, rules), ...found]
  if (!knownBy.some(field => input[field])) {
    faults.unshift({ path: '', message: `A lead needs at least one of ${knownBy.join(', ')}.` })
  }
  if (faults.length > 0) throw invalid(faults)
  return {
    id: made.id,
    first_name: input.first_name ?? null,
    last_name: input.last_name ?? null,
    email: input.email ?? null,
    phone: input.phone ?? null,
    company: input.company ?? null,
    title: input.title ?? null,
    website: input.website ?? null,
    timezone: input.timezone ?? null,
    owner_id: input.owner_id ?? null,
    account_id: input.account_id ?? null,
    status: input.status ?? 'NEW',
    call_status: input.call_status ?? 'NONE',
    pipeline_stage: input.pipeline_stage ?? rules.pipeline_stages[0]!,
    source: input.source ?? null,
    utm: input.utm ?? {},
    custom: withoutNulls(input.custom ?? {}),
    last_activity_at: null,
    created_at: made.at,
    updated_at: made.at,
    deleted_at: null,
  }
}

export type Difference = { before: Partial<Lead>; after: Partial<Lead> }

/** The fields that really change; undefined when none does. Custom values are merged, and null removes one. */
export function difference(
  lead: Lead,
  change: LeadChange,
  rules: Rules,
  found: Fault[] = [],
): Difference | undefined {
  const faults = [...faultsIn(change, rules), ...found]
  if (faults.length > 0) throw invalid(faults)
  const wanted: LeadChange = change.custom
    ? { ...change, custom: withoutNulls({ ...lead.custom, ...change.custom }) }
    : change
  const changed = (Object.keys(wanted) as (keyof LeadChange)[]).filter(key => !same(lead[key], wanted[key]))
  if (changed.length === 0) return undefined
  const pick = (from: Partial<Lead>) =>
    Object.fromEntries(changed.map(key => [key, from[key]])) as Partial<Lead>
  const after = pick(wanted)
  if (!knownBy.some(field => ({ ...lead, ...after })[field])) {
    throw invalid([{ path: changed[0]!, message: `A lead needs at least one of ${knownBy.join(', ')}.` }])
  }
  return { before: pick(lead), after }
}

function faultsIn(input: LeadChange, rules: Rules): Fault[] {
  const faults: Fault[] = []
  if (input.pipeline_stage !== undefined && !rules.pipeline_stages.includes(input.pipeline_stage)) {
    faults.push({ path: 'pipeline_stage', message: `must be one of ${rules.pipeline_stages.join(', ')}` })
  }
  for (const [key, value] of Object.entries(input.custom ?? {})) {
    const field = rules.custom_fields.find(candidate => candidate.key === key)
    const message = field ? faultInCustom(field, value) : 'is no custom field of this team'
    if (message) faults.push({ path: `custom.${key}`, message })
  }
  return faults
}

function faultInCustom(field: CustomField, value: unknown): string | undefined {
  if (value === null) return undefined
  switch (field.kind) {
    case 'text':
      return typeof value === 'string' ? undefined : 'must be text'
    case 'number':
      return typeof value === 'number' ? undefined : 'must be a number'
    case 'checkbox':
      return typeof value === 'boolean' ? undefined : 'must be true or false'
    case 'date':
      return typeof value === 'string' && isCalendarDate(value) ? undefined : 'must be a date like 2026-03-31'
    case 'choice':
      return field.options?.includes(value as string)
        ? undefined
        : `must be one of ${field.options?.join(', ')}`
  }
}

export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

function withoutNulls(custom: Lead['custom']): Lead['custom'] {
  return Object.fromEntries(Object.entries(custom).filter(([, value]) => value !== null))
}

function same(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || !a || !b) return false
  const [left, right] = [Object.entries(a), Object.entries(b)]
  return (
    left.length === right.length &&
    left.every(([key, value]) => (b as Record<string, unknown>)[key] === value)
  )
}
