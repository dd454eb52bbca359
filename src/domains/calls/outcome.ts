import type { Context } from '#platform/context.ts'
import { record } from '#platform/events.ts'
import { difference } from '#platform/records.ts'
import { callEvents } from './contract.ts'
import { bookedIn, decideFollowUp, takeBackTask } from './follow-up.ts'
import { followLead } from './lead.ts'
import { followUpWith, hasEnded, summaryOf, type Booked } from './model.ts'
import { about, lockKnown, write } from './service.ts'
import type { CallRow } from './store.ts'

/** A meeting was agreed on in this call. Told after its end, it takes the place of what else would have been done. */
export async function noteMeeting(ctx: Context, call_id: string, meeting: Booked): Promise<void> {
  await ctx.transaction(async ctx => {
    const call = await lockKnown(ctx, call_id)
    if (bookedIn(call)?.id === meeting.id) return
    const follow_up = followUpWith(call, meeting)
    if (call.follow_up && follow_up.intent === 'meeting') await takeBackTask(ctx, call.follow_up)
    change(ctx, call, { follow_up, ...mendedSummary(call, meeting) })
  })
}

/** How it went, in the words of who spoke: what is known already stays, except what we have made up of the facts. */
export async function noteOutcome(
  ctx: Context,
  call_id: string,
  { outcome, summary }: { outcome?: string | undefined; summary?: string | undefined },
): Promise<void> {
  await ctx.transaction(async ctx => {
    const call = await lockKnown(ctx, call_id)
    const isOurs = call.summary === null || isMadeUp(call)
    change(ctx, call, {
      ...(outcome && call.outcome === null && { outcome }),
      ...(summary && isOurs && { summary }),
    })
  })
}

/** It has turned out who it was. What depends on it is done now. */
export async function attachLead(ctx: Context, call: CallRow, lead_id: string): Promise<CallRow> {
  const known = { ...call, lead_id }
  const isOpen = hasEnded(call.status) && call.follow_up?.intent === 'none'
  const follow_up = isOpen ? (await decideFollowUp(ctx, known)).follow_up : call.follow_up
  const changed = change(ctx, call, { lead_id, follow_up })
  await followLead(ctx, changed)
  return changed
}

function change(ctx: Context, call: CallRow, fields: Partial<CallRow>): CallRow {
  const changes = difference(call, fields)
  if (!changes) return call
  const changed = write(ctx, call, changes.after)
  record(ctx, callEvents.changed, about(changed), changes)
  return changed
}

function mendedSummary(call: CallRow, meeting: Booked): Partial<CallRow> {
  return hasEnded(call.status) && isMadeUp(call) ? { summary: summaryOf(call, meeting) } : {}
}

function isMadeUp(call: CallRow): boolean {
  return hasEnded(call.status) && call.summary === summaryOf(call, bookedIn(call))
}
