import type { Context } from '#platform/context.ts'
import { LIST_LIMIT_DEFAULT } from '#platform/contract.ts'
import { decodeInstantCursor, encodeCursor } from '#platform/cursor.ts'
import { findAgents } from '#domains/agents/service.ts'
import { findCall, findCallsOfLead, type CallRow } from '#domains/calls/service.ts'
import { membersAmong } from '#domains/identity/members.ts'
import { findOfLead, findWithText, type LeadMessage } from '#domains/messages/service.ts'
import type { ConversationEntry } from './contract.ts'
import * as store from './store.ts'
import type { ConversationRow, EntryRow, Place, ReplyRow } from './store.ts'

type Of = Pick<ConversationRow, 'id' | 'lead_id' | 'name'>

/**
 * The entries of a conversation, newest first: what came in and notes are its own, what we sent is in messages, and calls
 * are in calls. One place in time goes for all three.
 */
export async function readThread(
  ctx: Context,
  of: Of,
  { limit = LIST_LIMIT_DEFAULT, cursor }: { limit?: number; cursor?: string },
) {
  const rows = await newest(ctx, of, cursor === undefined ? undefined : placeOf(cursor), limit + 1)
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  return { data, next_cursor: rows.length > limit && last ? encodeCursor([last.at, last.id]) : null }
}

export async function findThreadEntry(
  ctx: Context,
  of: Of,
  id: string,
): Promise<ConversationEntry | undefined> {
  const [entry, message, call] = await Promise.all([
    store.findEntry(ctx, of.id, id),
    of.lead_id === null ? undefined : findWithText(ctx, of.lead_id, id),
    of.lead_id === null ? undefined : findCall(ctx, id),
  ])
  const calls = call && call.lead_id === of.lead_id ? [call] : []
  const shown = await asEntries(ctx, of, entry ? [entry] : [], message ? [message] : [], calls)
  return shown[0]
}

/** The last message that says how things stand: no note, no call, and nothing that never went out. */
export async function findLastSaid(ctx: Context, of: Of): Promise<ConversationEntry | undefined> {
  const rows = await newest(ctx, of, undefined, LOOKED_AT)
  return rows.find(({ kind, status }) => kind === 'message' && status !== 'CANCELLED' && status !== 'FAILED')
}
const LOOKED_AT = 50

async function newest(
  ctx: Context,
  of: Of,
  before: Place | undefined,
  limit: number,
): Promise<ConversationEntry[]> {
  const { id, lead_id } = of
  const [entries, messages, calls] = await Promise.all([
    store.findEntries(ctx, id, before, limit),
    lead_id === null ? [] : findOfLead(ctx, lead_id, { before, limit }),
    lead_id === null ? [] : findCallsOfLead(ctx, lead_id, { before, limit }),
  ])
  const shown = await asEntries(ctx, of, entries, messages, calls)
  return shown.toSorted((a, b) => (isBefore(a, b) ? 1 : -1)).slice(0, limit)
}

function isBefore(a: Place, b: Place): boolean {
  return a.at === b.at ? a.id < b.id : a.at < b.at
}

function placeOf(cursor: string): Place {
  const [at, id] = decodeInstantCursor(cursor)
  return { at, id }
}

async function asEntries(
  ctx: Context,
  of: Of,
  entries: readonly EntryRow[],
  messages: readonly LeadMessage[],
  calls: readonly CallRow[],
): Promise<ConversationEntry[]> {
  const people = [...entries.map(({ author_id }) => author_id), ...calls.map(({ user_id }) => user_id)]
  const agentIds = calls.flatMap(({ agent_id }) => agent_id ?? [])
  const [members, agents, replies] = await Promise.all([
    membersAmong(
      ctx,
      people.filter(id => id !== null),
    ),
    agentIds.length > 0 ? findAgents(ctx, [...new Set(agentIds)]) : [],
    store.findReplies(
      ctx,
      messages.map(({ id }) => id),
    ),
  ])
  const names = new Map([...members.values(), ...agents].map(({ id, name }) => [id, name]))
  const nameOf = (id: string | null) => (id && names.get(id)) || null
  return [
    ...entries.map(row => (row.kind === 'note' ? noteOf(row, nameOf(row.author_id)) : incomingOf(of, row))),
    ...messages.map(message => outgoingOf(ctx, message, replies.get(message.id))),
    ...calls.map(call => callOf(of, call, nameOf(call.agent_id ?? call.user_id))),
  ]
}

const blank = {
  channel: null,
  address: null,
  subject: null,
  automatic: false,
  mentions: [],
  status: null,
  reason: null,
  held_until: null,
  hold_reason: null,
  delivered_at: null,
  opened_at: null,
  bounced_at: null,
  call: null,
} satisfies Partial<ConversationEntry>

function incomingOf({ lead_id, name }: Of, row: EntryRow): ConversationEntry {
  const { id, at, channel, address, subject, text, automatic } = row
  const author = { kind: 'lead' as const, id: lead_id, name: row.name ?? name }
  return {
    ...blank,
    id,
    kind: 'message',
    direction: 'in',
    at,
    author,
    channel,
    address,
    subject,
    text,
    automatic,
  }
}

function noteOf({ id, at, text, author_id, mentions }: EntryRow, name: string | null): ConversationEntry {
  const author = { kind: 'person' as const, id: author_id, name }
  return { ...blank, id, kind: 'note', direction: null, at, author, text, mentions }
}

function outgoingOf(ctx: Context, message: LeadMessage, reply: ReplyRow | undefined): ConversationEntry {
  const { id, channel, address, subject, text, status, reason, due_at, delivered_at, opened_at, bounced_at } =
    message
  const isHeld = status === 'DUE' && due_at > ctx.now()
  return {
    ...blank,
    id,
    kind: 'message',
    direction: 'out',
    at: due_at,
    author: { kind: message.source_kind, id: message.source_id, name: message.source_name },
    channel,
    address,
    subject,
    text,
    status,
    reason: reason ?? message.bounce?.reason ?? null,
    held_until: isHeld ? due_at : null,
    hold_reason: isHeld ? (reply?.hold_reason ?? null) : null,
    delivered_at,
    opened_at,
    bounced_at,
  }
}

function callOf({ lead_id, name }: Of, call: CallRow, caller: string | null): ConversationEntry {
  const { id, direction, status, duration_sec, outcome, agent_id, user_id } = call
  const isOurs = direction === 'outbound'
  const author = isOurs
    ? agent_id === null
      ? { kind: 'person' as const, id: user_id, name: caller }
      : { kind: 'agent' as const, id: agent_id, name: caller }
    : { kind: 'lead' as const, id: lead_id, name }
  return {
    ...blank,
    id,
    kind: 'call',
    direction: isOurs ? 'out' : 'in',
    at: call.started_at,
    author,
    address: isOurs ? call.to : call.from,
    text: call.summary ?? call.notes ?? '',
    call: { status, direction, duration_sec, outcome },
  }
}
