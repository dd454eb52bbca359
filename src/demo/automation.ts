import { isoAt, type FakeClock } from '#platform/clock.ts'
import type { Context } from '#platform/context.ts'
import { createSequence } from '#domains/sequences/service.ts'
import { createWorkflow } from '#domains/workflows/service.ts'
import { starters } from '#domains/workflows/starters.ts'
import { DAY_MS } from './calendar.ts'
import type { Member } from './members.ts'

const BUILT_DAYS_AGO = 21

/**
 * A sequence that is ready to use and an active workflow. No one is enrolled: the demo sends nothing,
 * whatever mail server is configured.
 */
export async function automate(ctx: Context, clock: FakeClock, by: Member, now: number): Promise<void> {
  clock.set(isoAt(now - BUILT_DAYS_AGO * DAY_MS))
  await createSequence(ctx.as(by), {
    sequence_id: 'first_contact',
    name: 'First contact',
    status: 'ACTIVE',
    settings: { window: { days: [1, 2, 3, 4, 5], from: '09:00', until: '17:00' } },
    steps: [
      { type: 'email', delay_days: 0, template: 'intro', ai_personalization: true },
      { type: 'delay', delay_days: 3 },
      { type: 'email', delay_days: 0, template: 'follow_up', condition: '!opened' },
      { type: 'task', delay_days: 2, description: 'Call: they have read both emails, or neither' },
      {
        type: 'sms',
        delay_days: 4,
        message: 'Hi {{firstName | default: "there"}}, shall I show you the planner this week?',
      },
    ],
  })
  const [callFollowUp] = starters
  await createWorkflow(ctx.as(by), { name: callFollowUp!.name, ...callFollowUp!.definition })
}
