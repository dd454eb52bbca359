import type { Context } from '#platform/context.ts'
import { findAgents } from '#domains/agents/service.ts'
import type { CallRow } from '#domains/calls/service.ts'
import { membersAmong } from '#domains/identity/members.ts'
import type { LeadMessage } from '#domains/messages/service.ts'
import type { ConversationEntry } from './contract.ts'
import { findMailParts, type MailParts } from './mail-parts.ts'
import type { MailRecipient } from './mail-store.ts'
import * as store from './store.ts'
import type { EntryRow } from './entry-store.ts'
import type { ConversationRow, ReplyRow } from './store.ts'

export type Of = Pick<ConversationRow, 'id' | 'lead_id' | 'name'>

/** What the rows of a thread are shown as, in no order. */
export async function asEntries(
  ctx: Context,
  of: Of,
  entries: readonly EntryRow[],
  messages: readonly LeadMessage[],
  calls: readonly CallRow[],
): Promise<ConversationEntry[]> {
  const people = [...entries.map(({ author_id }) => author_id), ...calls.map(({ user_id }) => user_id)]
  const agentIds = calls.flatMap(({ agent_id }) => agent_id ?? [])
  const ids = messages.map(({ id }) => id)
  const [members, agents, replies, mails] = await Promise.all([
    membersAmong(
      ctx,
      people.filter(id => id !== null),
    ),
    agentIds.length > 0 ? findAgents(ctx, [...new Set(agentIds)]) : [],
    store.findReplies(ctx, ids),
    findMailParts(ctx, entries, ids),
  ])
  const names = new Map([...members.values(), ...agents].map(({ id, name }) => [id, name]))
  const nameOf = (id: string | null) => (id && names.get(id)) || null
  return [
    ...entries.map(row =>
      row.kind === 'note'
        ? noteOf(row, nameOf(row.author_id), mails)
        : row.direction === 'out'
          ? saidOf(row, mails)
          : incomingOf(ctx, of, row, mails),
    ),
    ...messages.map(message => outgoingOf(ctx, message, replies.get(message.id), mails)),
    ...calls.map(call => callOf(of, call, nameOf(call.agent_id ?? call.user_id))),
  ]
}

const blank = {
  channel: null,
  address: null,
  mailbox_id: null,
  to: [],
  cc: [],
  bcc: [],
  subject: null,
  has_original: false,
  hidden: false,
  files: [],
  automatic: false,
  mentions: [],
  is_forward: false,
  status: null,
  reason: null,
  held_until: null,
  hold_reason: null,
  accepted_at: null,
  delivered_at: null,
  opened_at: null,
  bounced_at: null,
  call: null,
} satisfies Partial<ConversationEntry>

function incomingOf(ctx: Context, { lead_id, name }: Of, row: EntryRow, mails: MailParts): ConversationEntry {
  const { id, at, channel, address, subject, text, automatic, mailbox_id, private_to } = row
  const author = { kind: 'lead' as const, id: lead_id, name: row.name ?? name }
  const shown = {
    ...blank,
    id,
    kind: 'message' as const,
    direction: 'in' as const,
    at,
    author,
    channel,
    address,
  }
  // The others of the team see that it came.
  if (private_to !== null && private_to !== (ctx.principal?.user_id ?? null))
    return { ...shown, mailbox_id, automatic, text: '', hidden: true }
  const recipients = mails.recipients.get(id) ?? []
  return {
    ...shown,
    mailbox_id,
    to: partiesAs('to', recipients),
    cc: partiesAs('cc', recipients),
    subject,
    text,
    has_original: row.has_original,
    files: mails.files.get(id) ?? [],
    automatic,
  }
}

function partiesAs(kind: MailRecipient['kind'], recipients: readonly MailRecipient[]) {
  return recipients.filter(one => one.kind === kind).map(({ address, name }) => ({ address, name }))
}

function unnamed(address: string) {
  return { address, name: null }
}

function noteOf(
  { id, at, text, author_kind, author_id, name: written, mentions }: EntryRow,
  name: string | null,
  mails: MailParts,
): ConversationEntry {
  const author = { kind: author_kind ?? ('person' as const), id: author_id, name: name ?? written }
  return {
    ...blank,
    id,
    kind: 'note',
    direction: null,
    at,
    author,
    text,
    mentions,
    files: mails.files.get(id) ?? [],
  }
}

/** What the team said in a web chat. */
function saidOf(row: EntryRow, mails: MailParts): ConversationEntry {
  const { id, at, channel, address, text, seen_at, author_kind, author_id, name } = row
  return {
    ...blank,
    id,
    kind: 'message',
    direction: 'out',
    at,
    author: { kind: author_kind ?? 'person', id: author_id, name },
    channel,
    address,
    text,
    files: mails.files.get(id) ?? [],
    status: 'SENT',
    delivered_at: seen_at,
    opened_at: seen_at,
  }
}

function outgoingOf(
  ctx: Context,
  message: LeadMessage,
  reply: ReplyRow | undefined,
  mails: MailParts,
): ConversationEntry {
  const { id, channel, address, subject, text, status, reason, due_at, delivered_at, opened_at, bounced_at } =
    message
  const isHeld = status === 'DUE' && due_at > ctx.now()
  const letter = mails.letters.get(id)
  return {
    ...blank,
    id,
    kind: 'message',
    direction: 'out',
    at: due_at,
    author: { kind: message.source_kind, id: message.source_id, name: message.source_name },
    channel,
    address,
    mailbox_id: letter?.mailbox_id ?? null,
    to: channel === 'email' ? [unnamed(address)] : [],
    cc: (letter?.cc ?? []).map(unnamed),
    bcc: (letter?.bcc ?? []).map(unnamed),
    subject,
    text,
    files: mails.files.get(id) ?? [],
    is_forward: reply?.is_answer === false,
    status,
    reason: reason ?? message.bounce?.reason ?? null,
    held_until: isHeld ? due_at : null,
    hold_reason: isHeld ? (reply?.hold_reason ?? null) : null,
    accepted_at: message.accepted_at,
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
