import { faultsInCustom, mergedCustom, withoutNulls } from '#platform/custom-fields.ts'
import { invalid, type Fault } from '#platform/problem.ts'
import type { Lead, LeadChange, LeadSettings, NewLead } from './contract.ts'
import { defaultPipelineStages } from './values.ts'

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

/** What a person calls the lead. */
export function nameOf({ first_name, last_name, email, company, phone }: Lead): string {
  return [first_name, last_name].filter(Boolean).join(' ') || email || company || phone || 'Somebody'
}

/** What a change comes to for this lead. Custom values are merged, and null removes one. */
export function wantedFields(
  lead: Lead,
  change: LeadChange,
  rules: Rules,
  found: Fault[] = [],
): Partial<Lead> {
  const faults = [...faultsIn(change, rules), ...found]
  if (faults.length > 0) throw invalid(faults)
  const wanted: LeadChange = change.custom
    ? { ...change, custom: mergedCustom(lead.custom, change.custom) }
    : change
  if (!knownBy.some(field => ({ ...lead, ...wanted })[field])) {
    throw invalid([
      { path: Object.keys(change)[0]!, message: `A lead needs at least one of ${knownBy.join(', ')}.` },
    ])
  }
  return wanted
}

/** The first stage, for a lead whose own was removed while it was in the trash. */
export function repairedStage({ pipeline_stage }: Lead, { pipeline_stages }: Rules): Partial<Lead> {
  return pipeline_stages.includes(pipeline_stage) ? {} : { pipeline_stage: pipeline_stages[0]! }
}

/** What is wrong with these values, whichever lead they are for. */
export function faultsIn(input: LeadChange, rules: Rules): Fault[] {
  const faults = faultsInCustom(input.custom, rules.custom_fields)
  if (input.pipeline_stage !== undefined && !rules.pipeline_stages.includes(input.pipeline_stage)) {
    faults.unshift({ path: 'pipeline_stage', message: `must be one of ${rules.pipeline_stages.join(', ')}` })
  }
  return faults
}
