import type { Context } from '#platform/context.ts'
import { record } from '#platform/events.ts'
import { nextVersion } from '#platform/version.ts'
import { listWriters } from '#domains/identity/members.ts'
import { note } from './answer.ts'
import { findLastAnswer } from './agent-store.ts'
import type { Incoming } from './agent-task.ts'
import { languageOf, saysItHandsOver } from './agent-words.ts'
import { calledBy, tell } from './clock.ts'
import { conversationEvents } from './contract.ts'
import { aboutConversation, beginningOf } from './model.ts'
import { say } from './saying.ts'
import * as store from './store.ts'
import type { ConversationRow } from './store.ts'

const ASKED_SHOWN_MAX = 1_000
const SAID_SHOWN_MAX = 500

type HandOver = {
  agent: { id: string; name: string }
  entry: Incoming
  reason: string
  /** In the agent's own words. */
  summary: string | null
}

/**
 * A person takes over: the agent is off, the conversation is open, and a note says who wrote, what they want, what was said and why.
 * The row is held; `ctx` is the agent's.
 */
export async function handOver(
  ctx: Context,
  before: ConversationRow,
  { agent, entry, reason, summary }: HandOver,
): Promise<ConversationRow> {
  let row = before
  if (entry.channel === 'chat') {
    const text = saysItHandsOver(languageOf(entry.text))
    row = (await say(ctx, row, { channel: 'chat', text, isFinished: true, isAnswer: false })).row
  }
  const text = await noteOf(ctx, row, { agent, entry, reason, summary })
  row = (await note(ctx, row, { text })).row
  const fields = {
    agent_mode: 'off' as const,
    state: 'OPEN' as const,
    snoozed_until: null,
    updated_at: nextVersion(row.updated_at, ctx.now()),
  }
  store.updateConversation(ctx, row.id, fields)
  const { channel, address, name } = entry
  const { assignee_id } = row
  record(ctx, conversationEvents.handedOver, aboutConversation(row), {
    agent_id: agent.id,
    agent: agent.name,
    reason,
    summary,
    channel,
    address,
    name: name ?? row.name,
    text: beginningOf(entry.text),
    assignee_id,
    before: before.agent_mode,
  })
  const people = assignee_id ? [assignee_id] : (await listWriters(ctx)).map(({ id }) => id)
  await tell(ctx, row, people, `${agent.name} handed over ${calledBy(row)}`, reason)
  return { ...row, ...fields }
}

async function noteOf(
  ctx: Context,
  row: ConversationRow,
  { agent, entry, reason, summary }: HandOver,
): Promise<string> {
  const last = await findLastAnswer(ctx, row.id)
  const lines = [
    `${agent.name} handed over: ${reason}`,
    `Who: ${[entry.name ?? row.name, entry.address].filter(Boolean).join(', ')} (${entry.channel})`,
    `They wrote: ${shortened(entry.text, ASKED_SHOWN_MAX)}`,
    last?.text
      ? `${last.agent_name} answered last: ${shortened(last.text, SAID_SHOWN_MAX)}`
      : 'No agent has answered here.',
    ...(summary ? [`Summary by the agent: ${summary}`] : []),
  ]
  return lines.join('\n')
}

function shortened(text: string, lengthMax: number): string {
  const cut = text.length > lengthMax ? `${text.slice(0, lengthMax - 1)}…` : text
  return cut.toWellFormed().trim()
}
