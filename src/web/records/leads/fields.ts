import { callStatuses, leadStatuses, type LeadSort } from '#domains/leads/values.ts'
import type { CustomField, Lead, LeadChange, LeadSettings } from '#domains/leads/contract.ts'

export type FieldKind =
  | 'name'
  | 'text'
  | 'email'
  | 'phone'
  | 'url'
  | 'timezone'
  | 'stage'
  | 'status'
  | 'person'
  | 'account'
  | 'number'
  | 'date'
  | 'checkbox'
  | 'choice'
  | 'instant'

export type Value = string | number | boolean | null
export type Values = Record<string, Value>

/** One field of a lead as tables, forms and timelines show it. */
export type Field = {
  key: string
  label: string
  kind: FieldKind
  width: number
  group: 'contact' | 'company' | 'pipeline' | 'custom' | 'record'
  editable: boolean
  nullable: boolean
  sort?: LeadSort
  options?: readonly string[]
}

const CUSTOM = 'custom.'
const text = { kind: 'text', editable: true, nullable: true } as const
const choice = { editable: true, nullable: false } as const
const told = { kind: 'instant', editable: false, nullable: true, group: 'record', width: 130 } as const

const standard: readonly Field[] = [
  {
    key: 'name',
    label: 'Name',
    kind: 'name',
    width: 210,
    group: 'contact',
    editable: true,
    nullable: true,
    sort: 'last_name',
  },
  { ...text, key: 'first_name', label: 'First name', width: 130, group: 'contact' },
  { ...text, key: 'last_name', label: 'Last name', width: 130, group: 'contact', sort: 'last_name' },
  { ...text, key: 'email', label: 'Email', kind: 'email', width: 230, group: 'contact', sort: 'email' },
  { ...text, key: 'phone', label: 'Phone', kind: 'phone', width: 150, group: 'contact' },
  { ...text, key: 'timezone', label: 'Time zone', kind: 'timezone', width: 150, group: 'contact' },
  { ...text, key: 'company', label: 'Company', width: 170, group: 'company', sort: 'company' },
  {
    ...text,
    key: 'account_id',
    label: 'Account',
    kind: 'account',
    width: 170,
    group: 'company',
    editable: false,
  },
  { ...text, key: 'title', label: 'Job title', width: 160, group: 'company' },
  { ...text, key: 'website', label: 'Website', kind: 'url', width: 190, group: 'company' },
  { ...choice, key: 'pipeline_stage', label: 'Stage', kind: 'stage', width: 140, group: 'pipeline' },
  {
    ...choice,
    key: 'status',
    label: 'Status',
    kind: 'status',
    width: 130,
    group: 'pipeline',
    options: leadStatuses,
  },
  { ...text, key: 'owner_id', label: 'Owner', kind: 'person', width: 160, group: 'pipeline' },
  {
    ...choice,
    key: 'call_status',
    label: 'Call status',
    kind: 'status',
    width: 120,
    group: 'pipeline',
    options: callStatuses,
  },
  { ...text, key: 'source', label: 'Source', width: 130, group: 'pipeline' },
  { ...told, key: 'last_activity_at', label: 'Last activity', sort: 'last_activity_at' },
  { ...told, key: 'created_at', label: 'Created', sort: 'created_at' },
  { ...told, key: 'updated_at', label: 'Updated', sort: 'updated_at' },
]

export const defaultColumns = [
  'name',
  'company',
  'email',
  'pipeline_stage',
  'owner_id',
  'last_activity_at',
  'status',
  'phone',
  'source',
  'created_at',
]

export function leadFields(settings: LeadSettings | undefined): Field[] {
  const stages = settings?.pipeline_stages
  return [
    ...standard.map(field => (field.kind === 'stage' && stages ? { ...field, options: stages } : field)),
    ...(settings?.custom_fields ?? []).map(customField),
  ]
}

export function customField(field: CustomField): Field {
  const width = field.kind === 'checkbox' || field.kind === 'number' ? 110 : 150
  return {
    key: CUSTOM + field.key,
    label: field.label,
    kind: field.kind as FieldKind,
    width,
    group: 'custom',
    editable: true,
    nullable: true,
    ...(field.options && { options: field.options }),
  }
}

export function valueOf(lead: Lead, key: string): Value {
  if (key === 'name') return leadName(lead)
  if (key.startsWith(CUSTOM)) return lead.custom[key.slice(CUSTOM.length)] ?? null
  return (lead[key as keyof Lead] ?? null) as Value
}

/** The body of a change. The server merges `custom`; null removes a value. */
export function toChange(values: Values): LeadChange {
  const change: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(values)) {
    if (!key.startsWith(CUSTOM)) change[key] = value
    else change.custom = { ...(change.custom as object | undefined), [key.slice(CUSTOM.length)]: value }
  }
  return change as LeadChange
}

/** The lead's fields after the change. */
export function changedFields(lead: Lead, values: Values): Partial<Lead> {
  const { custom, ...rest } = toChange(values)
  return { ...rest, ...(custom && { custom: { ...lead.custom, ...custom } }) } as Partial<Lead>
}

export function leadName(
  lead: Pick<Lead, 'first_name' | 'last_name' | 'email' | 'company' | 'phone'>,
): string {
  const name = [lead.first_name, lead.last_name].filter(Boolean).join(' ')
  return name || lead.email || lead.company || lead.phone || 'Unnamed lead'
}
