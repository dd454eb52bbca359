import type { Context } from '#platform/context.ts'
import { isRefusal } from '#platform/problem.ts'
import { schemaCheck } from '#platform/schema-check.ts'
import { LeadChange, type Lead } from '#domains/leads/contract.ts'
import { changeLead, findLead, recentSettings } from '#domains/leads/service.ts'
import type { ToolResult } from '../lines.ts'
import { kept, keptLine } from '../text.ts'
import type { Tool } from './tool.ts'

const FIELDS = ['first_name', 'last_name', 'phone', 'company', 'title', 'timezone'] as const
const VALUE_LENGTH_MAX = 250
const CUSTOM_LENGTH_MAX = 2_000

/** A caller ID can be spoofed: what is known already stays. */
export const updateFieldTool: Tool = {
  use: (ctx, { call, arguments: given }) => updateField(ctx, call.lead_id, given, { onlyEmpty: true }),
}

/**
 * Stores what somebody said about themselves, with their own lead and no other. Who they are found by, who owns them and what
 * they consented to is nothing that a model decides.
 */
export async function updateField(
  ctx: Context,
  lead_id: string | null,
  given: Record<string, unknown>,
  { onlyEmpty }: { onlyEmpty: boolean },
): Promise<ToolResult> {
  const lead = lead_id ? await findLead(ctx, lead_id) : undefined
  if (!lead) return { ok: false, text: 'This person is not in the CRM.' }
  const field = keptLine(given.field, VALUE_LENGTH_MAX) ?? ''
  const isCustom = field.startsWith('custom.')
  const value = isCustom ? customValue(given.value) : keptLine(given.value, VALUE_LENGTH_MAX)
  if (!value) return { ok: false, text: 'Send field and value.' }
  if (!(await isAllowed(ctx, field))) return { ok: false, text: 'This field cannot be updated by an agent.' }
  if (onlyEmpty && knownValue(lead, field))
    return { ok: false, text: 'This is known already. Only a person can change it.' }
  const change = changeOf(field, value)
  const [fault] = faultsOf(change)
  if (fault) return { ok: false, text: `Not stored: ${field} ${fault.message}.` }
  try {
    await changeLead(ctx, lead.id, change)
    return { ok: true, text: 'Stored.' }
  } catch (error) {
    if (isRefusal(error)) return { ok: false, text: `Not stored: ${error.message}` }
    throw error
  }
}

const faultsOf = schemaCheck(LeadChange)

async function isAllowed(ctx: Context, field: string): Promise<boolean> {
  if ((FIELDS as readonly string[]).includes(field)) return true
  const { custom_fields } = await recentSettings(ctx)
  return custom_fields.some(({ key, kind }) => kind === 'text' && `custom.${key}` === field)
}

function knownValue(lead: Lead, field: string): unknown {
  return field.startsWith('custom.')
    ? lead.custom[field.slice('custom.'.length)]
    : lead[field as (typeof FIELDS)[number]]
}

function customValue(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number'
    ? kept(String(value), CUSTOM_LENGTH_MAX)
    : undefined
}

/** A phone number is kept in one form only. */
function changeOf(field: string, value: string): LeadChange {
  if (field.startsWith('custom.')) return { custom: { [field.slice('custom.'.length)]: value } }
  return { [field]: field === 'phone' ? value.replaceAll(/[\s()/.-]/g, '') : value }
}
