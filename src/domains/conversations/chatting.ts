import type { Context } from '#platform/context.ts'
import { announce, record } from '#platform/events.ts'
import { nextVersion } from '#platform/version.ts'
import { takeFiles } from '#domains/files/service.ts'
import { findLead, touchLead } from '#domains/leads/service.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { noteReply } from '#domains/enrolments/engagement.ts'
import { wakeForWaiting } from './agent-wake.ts'
import { conversationEvents, type ConversationEntry } from './contract.ts'
import { findSources, type AgentSource } from './agent-store.ts'
import { findUsual } from './answer-store.ts'
import { encloseFiles } from './enclosed.ts'
import { asEntries } from './entries.ts'
import {
  findBySource,
  findChatAddress,
  findChatEntries,
  findChatEntry,
  findChatPlace,
  findLastPerson,
  findUnseen,
  isInChat,
  markSeen,
  type EntryRow,
  type Place,
} from './entry-store.ts'
import { linkAddress } from './linking.ts'
import { aboutConversation } from './model.ts'
import { conversationWith, receive, sourceKeyOf, tidied } from './receive.ts'
import * as store from './store.ts'
import { findOfAddress, type ConversationRow } from './store.ts'
import type { AgentMode } from './values.ts'

/** Who chats on a page of the team's: `chat:` and the ID of the session. */
export type Visitor = { address: string; lead_id: string | null; name: string | null }

export type ChatMessage = {
  text: string
  /** Given by the visitor's page: the same message brought twice is one. */
  key: string
  file_ids: readonly string[]
}

/** With the key that the visitor's page gave it, and what an agent answered from. */
export type SaidInChat = ConversationEntry & { key: string | null; sources: AgentSource[] }

/**
 * What a visitor writes. It goes to the conversation of the lead they have become, or to one of their own. Answers the entry, also
 * where it was brought before.
 */
export async function takeChat(
  ctx: Context,
  { address, lead_id, name }: Visitor,
  { text, key, file_ids }: ChatMessage,
): Promise<{ conversation_id: string | undefined; entry_id: string }> {
  return ctx.transaction(async ctx => {
    const lead = lead_id === null ? undefined : await findLead(ctx, lead_id)
    const answer_id = `${address} ${key}`
    const said = { address, name, subject: null, text, answer_id, automatic: false }
    const message = tidied({ ...said, channel: 'chat' as const })
    const taken = await receive(ctx, lead, message)
    if (!taken) {
      const known = await findBySource(ctx, sourceKeyOf(message)!)
      return { conversation_id: undefined, entry_id: known!.id }
    }
    encloseFiles(ctx, taken.row.id, taken.entry_id, await takeFiles(ctx, file_ids))
    if (lead) {
      touchLead(ctx, lead.id, ctx.now())
      await noteReply(ctx, lead.id, ctx.now())
    }
    return { conversation_id: taken.row.id, entry_id: taken.entry_id }
  })
}

/** The visitor has turned out to be this lead: their conversation goes on as the lead's. */
export async function linkVisitor(ctx: Context, address: string, lead: Lead): Promise<void> {
  await ctx.transaction(async ctx => {
    const stray = await store.lockOfAddress(ctx, address)
    if (stray) await linkAddress(ctx, stray, lead, await store.lockOfLead(ctx, lead.id))
  })
}

/** The conversation that this visitor's messages are in, if there is one yet. */
export async function findVisitorConversation(
  ctx: Context,
  { address, lead_id }: Pick<Visitor, 'address' | 'lead_id'>,
): Promise<ConversationRow | undefined> {
  return lead_id === null ? findOfAddress(ctx, address) : store.findOfLead(ctx, lead_id)
}

/** Which agent answers this visitor, from the beginning of the conversation. A person may change it at any time. */
export async function setChatAgent(
  ctx: Context,
  { address, lead_id, name }: Visitor,
  agent: { agent_id: string; agent_mode: AgentMode },
): Promise<void> {
  await ctx.transaction(async ctx => {
    const lead = lead_id === null ? undefined : await findLead(ctx, lead_id)
    const { row } = await conversationWith(ctx, lead, { channel: 'chat', address, name })
    const updated_at = nextVersion(row.updated_at, ctx.now())
    store.updateConversation(ctx, row.id, { ...agent, updated_at })
    record(ctx, conversationEvents.changed, aboutConversation(row), {
      before: { agent_id: row.agent_id, agent_mode: row.agent_mode },
      after: agent,
    })
    await wakeForWaiting(ctx, { ...row, ...agent })
  })
}

/** What this visitor may see: what was said in their own session, the oldest first. Never notes, and nothing of other channels. */
export async function readChat(
  ctx: Context,
  address: string,
  { after, limit }: { after?: Place | undefined; limit: number },
): Promise<SaidInChat[]> {
  return saidIn(ctx, await findChatEntries(ctx, address, after, limit))
}

/** One of them. */
export async function readSaid(ctx: Context, address: string, id: string): Promise<SaidInChat | undefined> {
  const row = await findChatEntry(ctx, address, id)
  return row && (await saidIn(ctx, [row]))[0]
}

async function saidIn(ctx: Context, rows: readonly EntryRow[]): Promise<SaidInChat[]> {
  const byAgents = rows.filter(({ author_kind }) => author_kind === 'agent').map(({ id }) => id)
  const [shown, sources] = await Promise.all([
    asEntries(ctx, { id: '', lead_id: null, name: null }, rows, [], []),
    findSources(ctx, byAgents),
  ])
  return rows.map(row => ({
    ...shown.find(({ id }) => id === row.id)!,
    key: keyOfMessage(row),
    sources: sources.get(row.id) ?? [],
  }))
}

/** As `takeChat` has put it together with the address. */
function keyOfMessage({ source_key, address }: EntryRow): string | null {
  return source_key?.slice(`chat ${address} `.length) ?? null
}

/** The visitor's page has shown everything up to this moment. The team is shown that, where there is anything new in it. */
export async function chatSeen(ctx: Context, address: string, until: string): Promise<void> {
  const [first] = await findUnseen(ctx, address, null, 1)
  markSeen(ctx, address, until, ctx.now())
  if (!first || first.at > until) return
  const subject = { kind: 'conversation', id: first.conversation_id }
  announce(ctx, 'conversations:read', 'conversation.seen', subject, { until })
}

/** Shown to the team for a few seconds, and kept nowhere. */
export async function tellVisitorWriting(ctx: Context, visitor: Visitor): Promise<void> {
  const row = await findVisitorConversation(ctx, visitor)
  if (!row) return
  const subject = { kind: 'conversation', id: row.id }
  await ctx.transaction(async ctx =>
    announce(ctx, 'conversations:read', 'conversation.writing', subject, {
      user_id: null,
      name: visitor.name,
    }),
  )
}

/** Where somebody chatted last in this conversation. */
export const latestChatOf = findChatAddress

/** The last person of the team who has said something in this session. */
export const lastPersonIn = findLastPerson

/** The conversation that this session is part of, and whose it is: the team may have linked it to a lead. */
export const placeOfChat = findChatPlace

/** Within how many seconds of open hours four of five answers of people in web chats came. */
export const usualAnswerSec = findUsual

/** Whether a file is part of what was said in this session. */
export const isFileOfChat = isInChat
