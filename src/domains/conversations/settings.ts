import type { Context } from '#platform/context.ts'
import { record } from '#platform/events.ts'
import { invalid } from '#platform/problem.ts'
import { difference } from '#platform/records.ts'
import { nextVersion, unchangedSince } from '#platform/version.ts'
import { chosenAgentFaults } from '#domains/agents/references.ts'
import { hoursFaults } from '#domains/mailboxes/answer-targets.ts'
import {
  conversationSettingsChanged,
  type ConversationSettings,
  type ConversationSettingsChange,
} from './settings-contract.ts'
import * as store from './settings-store.ts'

const WEEKDAYS = [1, 2, 3, 4, 5]
const initial: ConversationSettings = {
  first_answer_min: null,
  next_answer_min: null,
  timezone: 'UTC',
  hours: WEEKDAYS.map(day => ({ day, from: '09:00', until: '17:00' })),
  escalate_after_min: null,
  agent_id: null,
  agent_mode: 'off',
  creates_leads: false,
  agents_say_ai: true,
  updated_at: new Date(0).toISOString(),
}

export async function findSettings(ctx: Context): Promise<ConversationSettings> {
  return (await store.findSettings(ctx)) ?? initial
}

export async function changeSettings(
  ctx: Context,
  change: ConversationSettingsChange,
  ifMatch?: string,
): Promise<ConversationSettings> {
  checkHours(change)
  return ctx.transaction(async ctx => {
    const before = unchangedSince(await store.lockSettings(ctx, initial), ifMatch)
    const faults = await chosenAgentFaults(ctx, before, change)
    if (faults.length > 0) throw invalid(faults)
    const changes = difference(before, change)
    if (!changes) return before
    const after = { ...before, ...changes.after, updated_at: nextVersion(before.updated_at, ctx.now()) }
    store.saveSettings(ctx, after)
    record(ctx, conversationSettingsChanged, { kind: 'conversation_settings', id: ctx.team_id }, changes)
    return after
  })
}

function checkHours({ hours = [] }: ConversationSettingsChange): void {
  const faults = hoursFaults(hours)
  if (faults.length > 0) throw invalid(faults)
}
