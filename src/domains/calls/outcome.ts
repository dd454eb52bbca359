import type { Context } from '#platform/context.ts'
import { bookedIn, decideFollowUp, takeBackTask } from './follow-up.ts'
import { followLead } from './lead.ts'
import { followUpWith, hasEnded, summaryOf, type Booked } from './model.ts'
import { holding, noteFields } from './service.ts'
import type { CallRow } from './store.ts'

/** A meeting was agreed on in this call. Told after its end, it takes the place of what else would have been done. */
export async function noteMeeting(ctx: Context, call_id: string, meeting: Booked): Promise<void> {
  await holding(ctx, call_id, async (ctx, call) => {
    if (bookedIn(call)?.id === meeting.id) return
    const follow_up = followUpWith(call, meeting)
    if (call.follow_up && follow_up.intent === 'meeting') await takeBackTask(ctx, call.follow_up)
    await noteFields(ctx, call, { follow_up, ...mendedSummary(call, meeting) })
  })
}

/** How it went, in the words of who spoke: what is known already stays, except what we have made up of the facts. */
export async function noteOutcome(
  ctx: Context,
  call_id: string,
  { outcome, summary }: { outcome?: string | undefined; summary?: string | undefined },
): Promise<void> {
  await holding(ctx, call_id, async (ctx, call) => {
    const isOurs = call.summary === null || isMadeUp(call)
    await noteFields(ctx, call, {
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
  const changed = await noteFields(ctx, call, { lead_id, follow_up })
  await followLead(ctx, changed)
  return changed
}

function mendedSummary(call: CallRow, meeting: Booked): Partial<CallRow> {
  return hasEnded(call.status) && isMadeUp(call) ? { summary: summaryOf(call, meeting) } : {}
}

function isMadeUp(call: CallRow): boolean {
  return hasEnded(call.status) && call.summary === summaryOf(call, bookedIn(call))
}
