import type { Context } from '#platform/context.ts'
import { difference } from '#platform/records.ts'
import type { Lead, LeadChange } from '#domains/leads/contract.ts'
import { changeLead, findLead, touchLead } from '#domains/leads/service.ts'
import { callStatusOf, wasAnswered } from './model.ts'
import { findNewestOfLead, type CallRow } from './store.ts'

/**
 * How it stands with the lead after this call has moved: its `call_status` is that of its newest call, so that what is told
 * late of an older one changes nothing, and who was spoken with is no longer new.
 */
export async function followLead(ctx: Context, call: CallRow): Promise<void> {
  const { lead_id, status } = call
  if (!lead_id || status === 'SCHEDULED' || !(await findLead(ctx, lead_id))) return
  // Held before its calls are looked at: of two that move at once, the second sees what the first has done.
  const lead = await changeLead(ctx, lead_id, {})
  const newest = await findNewestOfLead(ctx, lead_id)
  const change = { ...statusAfter(newest), ...progress(lead, call) }
  if (difference(lead, change as Partial<Lead>)) await changeLead(ctx, lead_id, change)
  await touchLead(ctx, lead_id, call.ended_at ?? call.connected_at ?? call.started_at)
}

function statusAfter(newest: CallRow | undefined): LeadChange {
  return { call_status: (newest && callStatusOf(newest)) ?? 'NONE' }
}

function progress({ status }: Lead, call: CallRow): LeadChange {
  return status === 'NEW' && wasAnswered(call) ? { status: 'WORKING' } : {}
}
