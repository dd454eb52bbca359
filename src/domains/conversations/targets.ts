import { isoAt } from '#platform/clock.ts'
import type { Context } from '#platform/context.ts'
import { findOwnTargets } from '#domains/mailboxes/answer-targets.ts'
import type { OpenHours } from '#domains/mailboxes/answer-targets-contract.ts'
import { afterOpenMinutes } from './open-hours.ts'
import { findSettings } from './settings.ts'
import type { ConversationChannel } from './values.ts'

/** Where a message came in. */
export type Where = { channel: ConversationChannel; mailbox_id: string | null }

export type Targets = {
  first_answer_min: number | null
  next_answer_min: number | null
  escalate_after_min: number | null
  timezone: string
  hours: readonly OpenHours[]
}

/** The team's, but for what the mailbox of an email has of its own. */
export async function targetsFor(ctx: Context, { channel, mailbox_id }: Where): Promise<Targets> {
  const [team, own] = await Promise.all([
    findSettings(ctx),
    channel === 'email' && mailbox_id !== null ? findOwnTargets(ctx, mailbox_id) : undefined,
  ])
  return {
    first_answer_min: own?.first_answer_min ?? team.first_answer_min,
    next_answer_min: own?.next_answer_min ?? team.next_answer_min,
    escalate_after_min: team.escalate_after_min,
    timezone: own?.timezone ?? team.timezone,
    hours: own?.hours ?? team.hours,
  }
}

/** Until when what came in at this moment is to be answered, and when it is escalated. */
export function dueTimes(
  targets: Targets,
  isFirst: boolean,
  since: string,
): { answer_due_at: string | null; escalate_at: string | null } {
  const answer_due_at = laterBy(isFirst ? targets.first_answer_min : targets.next_answer_min, since, targets)
  return { answer_due_at, escalate_at: laterBy(targets.escalate_after_min, answer_due_at, targets) }
}

function laterBy(minutes: number | null, since: string | null, targets: Targets): string | null {
  if (minutes === null || since === null) return null
  const ms = afterOpenMinutes(Date.parse(since), minutes, targets)
  return ms === undefined ? null : isoAt(ms)
}
