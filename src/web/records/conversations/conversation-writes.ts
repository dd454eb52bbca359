import type {
  Conversation,
  ConversationEntry,
  NewConversation,
  NewEntry,
} from '#domains/conversations/contract.ts'
import type { ConversationChannel } from '#domains/conversations/values.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { api } from '../../api.ts'
import { queryClient } from '../../query-client.ts'
import { toastFault, toastWithUndo } from '../../ui/toast.ts'
import { patch, put } from '../cache.ts'
import { truthOf } from '../edits.ts'
import { inTurn } from '../in-turn.ts'
import { refreshLists as refreshLeads } from '../leads/cache.ts'
import { putEntry } from './conversations-cache.ts'
import { putBack, type ForwardDraft } from './drafts.ts'
import { forwardSent, reopenForward } from './forwarding.ts'
import { refreshConversation, refreshLists } from './refresh.ts'
import { conversations } from './store.ts'
import { emailOf, phoneOf, visitQuery } from './visits.ts'
import { addressOf, channelOf, conversationName, shortDayAndTime } from './words.ts'

/** Adds a reply or note to the conversation as it was shown. Throws if it was refused. */
export async function addEntry(conversation: Conversation, body: NewEntry): Promise<ConversationEntry> {
  return written(conversation.id, body, () => versionOf(conversation))
}

/** Passes an email on, whatever has been written since: nobody is answered by it. */
export async function forward(
  { id }: Pick<Conversation, 'id'>,
  draft: ForwardDraft,
  from: string | null | undefined,
): Promise<ConversationEntry> {
  const { message_id, to, cc, bcc, text } = draft
  const entry = await written(id, {
    kind: 'forward',
    message_id,
    ...(to[0] && { to: to[0].address }),
    ...(cc.length > 0 && { cc: cc.map(({ address }) => address) }),
    ...(bcc.length > 0 && { bcc: bcc.map(({ address }) => address) }),
    ...(from !== undefined && { mailbox_id: from }),
    text: text.trim(),
  })
  forwardSent(id, entry, draft)
  toastWithUndo(`Forwarded to ${to[0]?.address}`, () => takeBack(id, entry))
  return entry
}

async function written(id: string, body: NewEntry, version?: () => string): Promise<ConversationEntry> {
  // After own changes that are on their way: they are no reason to refuse it.
  const answer = await inTurn(id, () =>
    api('POST /api/conversations/:id/messages', {
      params: { id },
      body,
      ...(version && { ifMatch: version() }),
    }),
  )
  const { updated_at, ...entry } = answer
  putEntry(id, entry)
  // The next change builds on this version.
  put({ id, updated_at } as Conversation)
  void refreshConversation(id)
  void refreshLists()
  return entry
}

function versionOf({ id, updated_at }: Conversation): string {
  const own = truthOf(id)?.updated_at
  return own !== undefined && own > updated_at ? own : updated_at
}

/** Takes a reply back that has not left yet; its text is where it was written. False if it is too late. */
export async function takeBack(id: string, entry: ConversationEntry): Promise<boolean> {
  try {
    const params = { id, message_id: entry.id }
    putEntry(id, await api('POST /api/conversations/:id/messages/:message_id/cancel', { params }))
  } catch (error) {
    toastFault(error, "Couldn't undo")
    void refreshConversation(id)
    return false
  }
  if (entry.is_forward) reopenForward(id, entry)
  else putBackReply(id, entry)
  // The text may be sent again at once: that needs the version without the reply.
  await conversations.read(id).catch(() => {})
  void refreshConversation(id)
  void refreshLists()
  return true
}

function putBackReply(id: string, entry: ConversationEntry): void {
  const { text, subject, cc, bcc, mailbox_id } = entry
  const channel: ConversationChannel = entry.channel ?? 'email'
  const files = entry.files.map(({ inline: _inline, ...file }) => ({ key: file.id, ...file }))
  putBack(id, { text, subject, channel, cc, bcc, files, mailbox_id })
}

/** Hands over a message once more that has failed. */
export async function sendAgain(id: string, entry: ConversationEntry): Promise<void> {
  await api('POST /api/outreach/messages/:id/retry', { params: { id: entry.id } })
  await refreshConversation(id)
}

/** Begins a conversation, or continues the one that there is. Throws if it was refused. */
export async function startConversation(
  body: NewConversation,
): Promise<{ conversation: Conversation; message_id: string }> {
  const { message_id, ...begun } = await api('POST /api/conversations', { body })
  const conversation = conversations.keep(begun)
  void refreshConversation(conversation.id)
  void refreshLists()
  return { conversation, message_id }
}

/** Takes the message back that has just been written. */
export async function takeBackFirst(id: string, message_id: string): Promise<boolean> {
  const params = { id, message_id }
  return takeBack(id, await api('GET /api/conversations/:id/messages/:message_id', { params }))
}

export function close(conversation: Conversation): Promise<boolean> {
  const change = { state: 'CLOSED', snoozed_until: null } as const
  return conversations.change(conversation.id, change, `Closed: ${conversationName(conversation)}`)
}

export function reopen(conversation: Conversation): Promise<boolean> {
  const change = { state: 'OPEN', snoozed_until: null } as const
  return conversations.change(conversation.id, change, `Reopened: ${conversationName(conversation)}`)
}

export function snooze(conversation: Conversation, until: string): Promise<boolean> {
  const change = { state: 'SNOOZED', snoozed_until: until } as const
  const name = conversationName(conversation)
  return conversations.change(
    conversation.id,
    change,
    `Snoozed until ${shortDayAndTime(until, Date.now())}: ${name}`,
  )
}

export function assign(
  conversation: Conversation,
  assignee_id: string | null,
  name: string,
): Promise<boolean> {
  const say = assignee_id ? `Assigned to ${name}` : 'Assigned to nobody'
  return conversations.change(conversation.id, { assignee_id }, say)
}

export function setLabels({ id }: Pick<Conversation, 'id'>, labels: string[]): Promise<boolean> {
  return conversations.change(id, { labels }, null)
}

/** Shown as read before the server knows it; a failure is no loss. */
export async function markRead(id: string): Promise<void> {
  patch(id, { unread: false })
  await api('POST /api/conversations/:id/read', { params: { id }, changesNothing: true }).catch(() => {})
}

/** Makes a lead of an unknown address, or of a visitor. Answers the conversation of the lead, which may be another one. */
export async function createLeadOf(conversation: Conversation): Promise<Conversation> {
  const [first_name, ...rest] = conversation.participants[0]?.name?.trim().split(/\s+/) ?? []
  const last_name = rest.join(' ')
  const lead = await api('POST /api/crm/leads', {
    body: {
      ...(await reachedAt(conversation)),
      ...(first_name && { first_name }),
      ...(last_name && { last_name }),
      source: channelOf(addressOf(conversation)) === 'chat' ? 'Web chat' : 'Conversation',
    },
  })
  void refreshLeads()
  return linkToLead(conversation, lead)
}

/** Their address; of a visitor, what they have left. */
async function reachedAt(conversation: Conversation): Promise<{ email?: string; phone?: string }> {
  const address = addressOf(conversation)
  const channel = channelOf(address)
  if (channel !== 'chat') return channel === 'email' ? { email: address } : { phone: address }
  const visit = await queryClient.fetchQuery(visitQuery(conversation.id)).catch(() => undefined)
  const [email, phone] = visit ? [emailOf(visit), phoneOf(visit)] : []
  return { ...(email && { email }), ...(phone && { phone }) }
}

export async function linkToLead(
  conversation: Conversation,
  { id: lead_id }: Pick<Lead, 'id'>,
): Promise<Conversation> {
  const { id } = conversation
  // Whatever has changed since: the address is of this lead.
  const linked = await api('PATCH /api/conversations/:id', { params: { id }, body: { lead_id } })
  conversations.keep(linked)
  void refreshConversation(linked.id)
  void refreshLists()
  return linked
}
