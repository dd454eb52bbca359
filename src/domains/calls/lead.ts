import type { Context } from '#platform/context.ts'
import { atOnce } from '#platform/database/at-once.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { holdLeads, moveLeads } from '#domains/leads/service.ts'
import { callStatusOf, wasAnswered } from './model.ts'
import { findNewestOfLeads, type CallRow } from './store.ts'

/**
 * How it stands with the lead after this call has moved: its `call_status` is that of its newest call, so that what is told
 * late of an older one changes nothing, and who was spoken with is no longer new.
 */
export async function followLead(ctx: Context, call: CallRow): Promise<void> {
  const { lead_id, status } = call
  if (lead_id && status !== 'SCHEDULED') await followAtOnce(ctx, { ctx, call, lead_id })
}

type Moved = { ctx: Context; call: CallRow; lead_id: string }

const followAtOnce = atOnce<Moved, void>(async (ctx, moved) => {
  const byLead = Map.groupBy(moved, ({ lead_id }) => lead_id)
  const ids = [...byLead.keys()]
  // Held before their calls are looked at: of two that move at once, the second sees what the first has done.
  const [leads, newest] = await Promise.all([holdLeads(ctx, ids), findNewestOfLeads(ctx, ids)])
  const happenings = leads.map(lead => {
    const own = byLead.get(lead.id)!
    const fields = { ...statusAfter(newest.get(lead.id)), ...progress(lead, own) }
    return {
      ctx: own[0]!.ctx,
      lead,
      fields,
      at: own
        .map(({ call }) => lastHeard(call))
        .toSorted()
        .at(-1)!,
    }
  })
  moveLeads(ctx, happenings)
  return []
})

function lastHeard({ ended_at, connected_at, started_at }: CallRow): string {
  return ended_at ?? connected_at ?? started_at
}

function statusAfter(newest: CallRow | undefined): Pick<Lead, 'call_status'> {
  return { call_status: (newest && callStatusOf(newest)) ?? 'NONE' }
}

function progress({ status }: Lead, moved: readonly Moved[]): Partial<Pick<Lead, 'status'>> {
  return status === 'NEW' && moved.some(({ call }) => wasAnswered(call)) ? { status: 'WORKING' } : {}
}
