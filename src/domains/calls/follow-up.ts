import type { Context } from '#platform/context.ts'
import { findListened } from '#platform/listeners.ts'
import { isRefusal } from '#platform/problem.ts'
import { addWorkingDays } from '#platform/zone.ts'
import { findAgent } from '#domains/agents/service.ts'
import { membersAmong } from '#domains/identity/members.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { findLead } from '#domains/leads/service.ts'
import { createTask, getTask, trashTask } from '#domains/projects/tasks.ts'
import type { FollowUp } from './contract.ts'
import { calledName, followUpOf, type Booked } from './model.ts'
import type { CallRow } from './store.ts'

const HEARD_WHEN_OVER = ['call.ended', 'webhook:call_ended']

/** What is to be done after a call that is over now. A task for it is written with it, once: so often does a call end. */
export async function decideFollowUp(
  ctx: Context,
  call: CallRow,
): Promise<{ follow_up: FollowUp; meeting: Booked | undefined }> {
  const meeting = bookedIn(call)
  const [agent, lead, listened] = await Promise.all([
    call.agent_id ? findAgent(ctx, call.agent_id) : undefined,
    call.lead_id ? findLead(ctx, call.lead_id) : undefined,
    findListened(ctx, HEARD_WHEN_OVER),
  ])
  const at = call.ended_at ?? ctx.now()
  const follow_up = followUpOf(call, {
    at,
    rules: agent?.outbound,
    meeting,
    listens: listened.size > 0,
    known: lead !== undefined,
  })
  if (follow_up.intent !== 'task' || !lead) return { follow_up, meeting }
  const task = await createTask(ctx, await taskFor(ctx, call, lead))
  return { follow_up: { ...follow_up, task_id: task.id, at: task.due_at! }, meeting }
}

/** Anything agreed during the call is recorded before it ends. */
export function bookedIn({ follow_up }: CallRow): Booked | undefined {
  return follow_up?.meeting_id && follow_up.at
    ? { id: follow_up.meeting_id, starts_at: follow_up.at }
    : undefined
}

/** A task that nobody has begun yet, and that is no longer needed. */
export async function takeBackTask(ctx: Context, { task_id }: FollowUp): Promise<void> {
  if (!task_id) return
  try {
    const { status } = await getTask(ctx, task_id)
    if (status === 'TODO') await trashTask(ctx, task_id)
  } catch (error) {
    if (!isRefusal(error)) throw error
  }
}

async function taskFor(ctx: Context, call: CallRow, lead: Lead) {
  const owner = lead.owner_id && (await membersAmong(ctx, [lead.owner_id])).has(lead.owner_id)
  const due = addWorkingDays(ctx.runtime.clock.now(), 1, lead.timezone ?? 'UTC')
  return {
    title: `Follow up: ${calledName(lead, call)}`.slice(0, TITLE_LENGTH_MAX),
    ...(call.summary && { description: call.summary }),
    lead_id: lead.id,
    ...(owner && { assignee_id: lead.owner_id }),
    due_at: new Date(due).toISOString(),
  }
}

const TITLE_LENGTH_MAX = 500
