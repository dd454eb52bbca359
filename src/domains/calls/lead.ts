import type { Context } from '#platform/context.ts'
import { atOnce } from '#platform/database/at-once.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { holdLeads, moveLeads } from '#domains/leads/service.ts'
import { callStatusOf, wasAnswered } from './model.ts'
import { findNewestOfLeads, type CallRow } from './store.ts'

/**
 * Updates the lead after its call has changed. `call_status` follows the newest call, so late events of an
 * older one change nothing, and a lead that was reached is no longer new.
 */
export async function followLead(ctx: Context, call: CallRow): Promise<void> {
  const { lead_id, status } = call
  if (lead_id && status !== 'SCHEDULED') await followAtOnce(ctx, { ctx, call, lead_id })
}

type Moved = { ctx: Context; call: CallRow; lead_id: string }

const followAtOnce = atOnce<Moved, void>(async (ctx, moved) => {
  const byLead = Map.groupBy(moved, ({ lead_id }) => lead_id)
  const ids = [...byLead.keys()]
  // Locked before their calls are read: of two concurrent changes, the second sees the first.
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
