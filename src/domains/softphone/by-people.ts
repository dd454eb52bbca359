import type { Context } from '#platform/context.ts'
import type { CallRow } from '#domains/calls/service.ts'
import { membersAmong } from '#domains/identity/members.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { nameOf } from '#domains/leads/model.ts'
import { createTask } from '#domains/projects/tasks.ts'
import { findBrief } from './store.ts'

const TITLE_LENGTH_MAX = 500

/** A task to call when no agent can: for the lead's owner, or else for the person who requested the call. */
export async function makeTask(ctx: Context, call: CallRow, lead: Lead, reason: string) {
  const candidates = [lead.owner_id, call.user_id].filter(id => id !== null)
  const people = await membersAmong(ctx, candidates)
  const brief = await findBrief(ctx, call.id)
  return createTask(ctx, {
    title: `Call ${nameOf(lead)}`.slice(0, TITLE_LENGTH_MAX),
    description: [`No agent could call: ${reason}`, brief].filter(Boolean).join('\n\n'),
    lead_id: lead.id,
    assignee_id: candidates.find(id => people.has(id)) ?? null,
    due_at: ctx.now(),
  })
}
