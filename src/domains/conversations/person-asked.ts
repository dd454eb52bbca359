import type { Context } from '#platform/context.ts'
import { record } from '#platform/events.ts'
import { nextVersion } from '#platform/version.ts'
import { listPeopleOf } from '#domains/identity/members.ts'
import { findLead } from '#domains/leads/service.ts'
import type { Visitor } from './chatting.ts'
import { calledBy, startClock, tell } from './clock.ts'
import { conversationEvents } from './contract.ts'
import { blankEntry, insertEntry } from './entry-store.ts'
import { aboutConversation } from './model.ts'
import { conversationWith } from './receive.ts'
import * as store from './store.ts'
import type { ConversationRow } from './store.ts'

export type Asked = { about: ReturnType<typeof aboutConversation>; agent_id: string | null }

/**
 * A visitor wants a person: the agent is silent from now on, both sides read a line that says so, and the conversation waits for an
 * answer like one that came in. Its assignee is notified, or else the whole team.
 */
export async function turnToPerson(
  ctx: Context,
  { address, lead_id, name }: Visitor,
  text: string,
): Promise<Asked> {
  return ctx.transaction(async ctx => {
    const lead = lead_id === null ? undefined : await findLead(ctx, lead_id)
    const { row } = await conversationWith(ctx, lead, { channel: 'chat', address, name })
    const at = ctx.now()
    const line = { id: ctx.newId(), channel: 'chat', direction: 'out', address, text } as const
    insertEntry(ctx, { ...blankEntry(ctx, row.id), ...line, author_kind: 'system', automatic: true })
    const fields = {
      agent_mode: 'off',
      state: 'OPEN',
      snoozed_until: null,
      ...(await waiting(ctx, row, at)),
      updated_at: nextVersion(row.updated_at, at),
    } as const
    store.updateConversation(ctx, row.id, fields)
    record(ctx, conversationEvents.changed, aboutConversation(row), {
      before: { state: row.state, agent_mode: row.agent_mode },
      after: { state: fields.state, agent_mode: fields.agent_mode },
    })
    const people = row.assignee_id === null ? await listPeopleOf(ctx, ctx.team_id) : [row.assignee_id]
    await tell(ctx, row, people, `${calledBy(row)} wants to talk to a person`)
    return { about: aboutConversation(row), agent_id: row.agent_id }
  })
}

async function waiting(ctx: Context, row: ConversationRow, since: string): Promise<Partial<ConversationRow>> {
  if (row.unanswered_since !== null) return {}
  return startClock(ctx, row, since, { channel: 'chat', mailbox_id: null })
}
