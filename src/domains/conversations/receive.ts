import { tidyInstant } from '#platform/clock.ts'
import type { Context } from '#platform/context.ts'
import { isEmail } from '#platform/contract.ts'
import { record, type EventOf } from '#platform/events.ts'
import type { IncomingMessage } from '#platform/offers.ts'
import { nextVersion } from '#platform/version.ts'
import { noteReply } from '#domains/enrolments/engagement.ts'
import { isMember } from '#domains/identity/members.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { nameOf } from '#domains/leads/model.ts'
import { findLeads, touchLead } from '#domains/leads/service.ts'
import type { messageEvents } from '#domains/messages/contract.ts'
import { shareFiles } from '#domains/files/service.ts'
import { isOwnAddress } from '#domains/mailboxes/sending.ts'
import { findMessage } from '#domains/messages/service.ts'
import { deleteDraft } from './agent-store.ts'
import { presetAgent, wakeAgent } from './agent-wake.ts'
import { leadFrom } from './answer.ts'
import { calledBy, startClock, tell } from './clock.ts'
import { conversationEvents } from './contract.ts'
import { leadOfAddress, linkAddress } from './linking.ts'
import { findParts } from './mail-store.ts'
import { aboutConversation, answered, beginningOf, keyOf, lastOf, received } from './model.ts'
import * as entryStore from './entry-store.ts'
import { findSettings } from './settings.ts'
import * as store from './store.ts'
import type { ConversationRow } from './store.ts'
import {
  ADDRESS_LENGTH_MAX,
  ANSWER_ID_LENGTH_MAX,
  EVENT_TEXT_LENGTH_MAX,
  NAME_LENGTH_MAX,
  RECEIVED_LENGTH_MAX,
  type ConversationChannel,
} from './values.ts'
import { isLeadAddress } from './newcomers.ts'
import { senderAddress } from './sender-address.ts'
import { fetchLater } from './whatsapp-media.ts'
import { hasOriginal, keepMail, writeMail, type KeptMail } from './whole-mail.ts'

type Replied = EventOf<(typeof messageEvents)['replied']>

/** An answer to one of our messages: the engine of messages has found which. */
export async function takeReply(ctx: Context, event: Replied, automatic = false): Promise<void> {
  const { message_id, text = '', answer_id = null } = event.data
  const message = await findMessage(ctx, message_id)
  // Also of a lead in the trash: what somebody writes is not lost.
  const [lead] = message ? await findLeads(ctx, [message.lead_id]) : []
  if (!message || !lead) return
  const { channel, address, subject } = message
  const reply = { channel, address, name: null, subject, text, answer_id: answer_id ?? event.id, automatic }
  await receive(ctx, lead, tidied({ ...reply, answered: message_id }))
}

/**
 * A message as it came in: from a lead, or from an address that nobody knows yet. Whether it was taken. Of a personal mailbox only
 * what leads write is, and so is what was written before.
 */
export async function takeMessage(ctx: Context, message: IncomingMessage): Promise<boolean> {
  const { channel, address } = message
  if (channel === 'email' ? !isEmail(address) : address.length > ADDRESS_LENGTH_MAX) return false
  if (channel === 'email' && (await isOurs(ctx, address))) return false
  const tidy = tidied(message)
  if (await isTaken(ctx, tidy)) return true
  const { lead: known, isWanted } = await counterpartOf(ctx, tidy)
  if (!isWanted) return false
  const kept = await keepMail(ctx, tidy)
  return ctx.transaction(async ctx => {
    // Meanwhile another process may have taken it from another mailbox, or something else that the same person wrote.
    await entryStore.holdIncoming(ctx, { source_key: sourceKeyOf(tidy), address: keyOf(address) })
    if (await isTaken(ctx, tidy)) return true
    const lead = known ?? (message.answered ? undefined : await leadOfAddress(ctx, address))
    await receive(ctx, lead ?? (await newLead(ctx, tidy)), tidy, kept)
    if (lead && !message.automatic && !message.answered && !message.is_history) await heardFrom(ctx, lead)
    return true
  })
}

/** Whose message it is. A newsletter or a notification is nobody who writes. */
async function counterpartOf(
  ctx: Context,
  { address, automatic, answered, is_history, mailbox }: IncomingMessage,
): Promise<{ lead: Lead | undefined; isWanted: boolean }> {
  const lead = answered ? await leadOfMessage(ctx, answered) : await leadOfAddress(ctx, address)
  const isForKnown = automatic || is_history || (mailbox?.owner_id ?? null) !== null
  if (lead || !isForKnown) return { lead, isWanted: true }
  return { lead, isWanted: (await store.findOfAddress(ctx, keyOf(address))) !== undefined }
}

/** A stranger who writes where new senders become leads. One who cannot be one, such as a sender without a number, stays a stranger. */
async function newLead(ctx: Context, message: IncomingMessage): Promise<Lead | undefined> {
  const { address, name, mailbox, automatic, is_history } = message
  if (automatic || is_history || !isLeadAddress(address)) return undefined
  if (!(mailbox ?? (await findSettings(ctx))).creates_leads) return undefined
  return leadFrom(ctx, { address: keyOf(address), name, assignee_id: mailbox?.owner_id ?? null })
}

async function leadOfMessage(ctx: Context, message_id: string): Promise<Lead | undefined> {
  const message = await findMessage(ctx, message_id)
  const [lead] = message ? await findLeads(ctx, [message.lead_id]) : []
  return lead
}

/** Who writes by themselves has answered as well: sequences that stop at a reply stop. */
async function heardFrom(ctx: Context, { id }: Lead): Promise<void> {
  touchLead(ctx, id, ctx.now())
  await noteReply(ctx, id, ctx.now())
}

async function isOurs(ctx: Context, address: string): Promise<boolean> {
  return senderAddress(ctx) === keyOf(address) || isOwnAddress(ctx, address)
}

/**
 * The key that tells that a message is brought again. Some programs give many emails one Message-ID: one that says something
 * else is another.
 */
async function isTaken(ctx: Context, message: IncomingMessage): Promise<boolean> {
  const { mail, mailbox } = message
  const key = sourceKeyOf(message)
  if (key === null) return false
  const known = await entryStore.findBySource(ctx, key)
  if (!known) return false
  if (mail && known.fingerprint !== null && known.fingerprint !== mail.fingerprint) {
    message.answer_id = `${message.answer_id} ${mail.fingerprint}`.slice(-ANSWER_ID_LENGTH_MAX)
    return (await entryStore.findBySource(ctx, sourceKeyOf(message)!)) !== undefined
  }
  // It came to a shared mailbox as well: then it is nobody's secret.
  if (known.private_to !== null && mailbox && mailbox.private_to === null)
    await ctx.transaction(async ctx => {
      entryStore.makePublic(ctx, known.id)
      shareFiles(
        ctx,
        (await findParts(ctx, [known.id])).map(({ file_id }) => file_id),
      )
    })
  return true
}

export function sourceKeyOf({ channel, answer_id }: Pick<CameIn, 'channel' | 'answer_id'>): string | null {
  return answer_id === null ? null : `${channel} ${answer_id}`
}

/** What came in: by email or text message, or in a web chat. */
export type CameIn = Omit<IncomingMessage, 'channel'> & { channel: ConversationChannel }

/** Answers the entry that it has become, and undefined where it was brought before. */
export async function receive(
  ctx: Context,
  lead: Lead | undefined,
  message: CameIn,
  kept?: KeptMail,
): Promise<{ row: ConversationRow; entry_id: string } | undefined> {
  const { channel, subject, text, automatic, answer_id, name: given, mail, mailbox } = message
  const address = keyOf(message.address)
  const source_key = sourceKeyOf(message)
  const private_to = mailbox?.private_to ?? null
  const name = lead ? nameOf(lead) : given
  if (source_key !== null && (await entryStore.findBySource(ctx, source_key))) return undefined
  const owner_id = lead ? lead.owner_id : (mailbox?.owner_id ?? null)
  const { row, isNew } = await conversationWith(ctx, lead, { channel, address, name, owner_id })
  // The row is held: who brought the same message meanwhile is done.
  if (source_key !== null && (await entryStore.findBySource(ctx, source_key))) return undefined
  const at = writtenAt(ctx, mail?.at ?? message.at)
  const entry_id = ctx.newId()
  entryStore.insertEntry(ctx, {
    ...entryStore.blankEntry(ctx, row.id),
    id: entry_id,
    channel,
    address,
    // Who writes may be a colleague of the lead.
    name: given ?? name,
    subject,
    text,
    automatic,
    is_history: message.is_history === true,
    source_key,
    message_id: channel === 'email' ? (message.mail ? messageIdOf(answer_id) : answer_id) : null,
    mailbox_id: mailbox?.id ?? null,
    private_to,
    has_original: hasOriginal(text, mail),
    at,
  })
  if (kept) await writeMail(ctx, { id: entry_id, conversation_id: row.id }, kept)
  if (message.media) fetchLater(ctx, entry_id, message.media)
  if (message.is_history) {
    if (isNew || at > row.last_message_at) remember(ctx, row, { ...message, at, isNew })
    return { row, entry_id }
  }
  await tellReceived(ctx, row, { ...message, address, name, isNew, entry_id })
  return { row, entry_id }
}

type Remembered = CameIn & { at: string; isNew: boolean }

/** What was written before waits for nobody. */
function remember(
  ctx: Context,
  row: ConversationRow,
  { channel, subject, text, at, isNew, mailbox }: Remembered,
): void {
  const isSecret = Boolean(mailbox?.private_to)
  const said = { channel, subject: isSecret ? null : subject, text: isSecret ? '' : text, at }
  store.updateConversation(ctx, row.id, {
    ...lastOf(said, 'in'),
    ...(isNew && { state: 'CLOSED' }),
    mailbox_id: mailbox?.id ?? row.mailbox_id,
    updated_at: nextVersion(row.updated_at, ctx.now()),
  })
}

type Received = CameIn & { address: string; name: string | null; isNew: boolean; entry_id: string }

async function tellReceived(ctx: Context, known: ConversationRow, message: Received): Promise<void> {
  const { channel, address, name, automatic, mailbox, isNew, answered = null } = message
  const agent = isNew && !automatic ? await presetAgent(ctx, mailbox?.id) : {}
  const row = { ...known, ...agent }
  const isSecret = Boolean(mailbox?.private_to)
  const subject = isSecret ? null : message.subject
  const text = isSecret ? '' : message.text
  const said = { channel, address, name, subject, text, at: ctx.now() }
  const where = { channel, mailbox_id: channel === 'email' ? (mailbox?.id ?? null) : null }
  const fields = automatic
    ? {}
    : {
        ...received(row, said),
        ...agent,
        ...(row.unanswered_since === null && (await startClock(ctx, row, said.at, where))),
        ...(channel === 'email' && { mailbox_id: where.mailbox_id }),
      }
  store.updateConversation(ctx, row.id, { ...fields, updated_at: nextVersion(row.updated_at, ctx.now()) })
  if (!automatic && row.agent_mode !== 'off') {
    deleteDraft(ctx, row.id)
    if (!isSecret) wakeAgent(ctx, row, message.entry_id)
  }
  const { assignee_id } = row
  const event = {
    channel,
    address,
    name,
    subject,
    text: text.slice(0, EVENT_TEXT_LENGTH_MAX).toWellFormed(),
    automatic,
    assignee_id,
    is_first: isNew,
    message_id: answered,
  }
  record(ctx, conversationEvents.received, aboutConversation(row), event, { automations: !automatic })
  if (!assignee_id || automatic) return
  const shown = assignee_id === mailbox?.private_to ? message.text : text
  await tell(ctx, row, [assignee_id], `${calledBy({ ...row, name })} wrote`, beginningOf(shown))
}

/** As its server, or WhatsApp, dates it, for the order of the thread; what comes from the future came now. */
function writtenAt(ctx: Context, told: string | undefined): string {
  const now = ctx.now()
  if (told === undefined) return now
  const at = tidyInstant(told)
  return at < now ? at : now
}

/** One that was made up, of an email without any, is nothing to name in an answer. */
function messageIdOf(answer_id: string | null): string | null {
  return answer_id?.startsWith('<') ? answer_id.split(' ')[0]! : null
}

type With = {
  channel: ConversationChannel
  address: string
  name: string | null
  /** Whose it is, where it is new; by default the lead's owner's. */
  owner_id?: string | null
}

/** The conversation with this lead, or with this address, held; it is begun where there is none. */
export async function conversationWith(
  ctx: Context,
  lead: Lead | undefined,
  { channel, address, name, owner_id = lead?.owner_id ?? null }: With,
): Promise<{ row: ConversationRow; isNew: boolean }> {
  const find = () => (lead ? store.lockOfLead(ctx, lead.id) : store.lockOfAddress(ctx, address))
  const known = await find()
  // Somebody wrote from an address that has become a lead's.
  const stray = lead && (await store.lockOfAddress(ctx, address))
  if (stray) return { row: await linkAddress(ctx, stray, lead, known), isNew: false }
  if (known) return { row: known, isNew: false }
  const row: ConversationRow = {
    ...blankConversation(ctx, channel, address),
    lead_id: lead?.id ?? null,
    name,
    assignee_id: owner_id !== null && (await isMember(ctx, owner_id)) ? owner_id : null,
  }
  if (await store.insertConversation(ctx, row)) return { row, isNew: true }
  return { row: (await find())!, isNew: false }
}

function blankConversation(ctx: Context, channel: ConversationChannel, address: string): ConversationRow {
  const at = ctx.now()
  return {
    id: ctx.newId(),
    lead_id: null,
    address,
    name: null,
    channel,
    subject: null,
    state: 'WAITING',
    snoozed_until: null,
    assignee_id: null,
    mailbox_id: null,
    agent_id: null,
    agent_mode: 'off',
    labels: [],
    last_message_at: at,
    last_direction: 'in',
    last_text: '',
    last_in_at: null,
    ...answered,
    answered_at: null,
    merged_into: null,
    created_at: at,
    updated_at: at,
  }
}

/** Other people's words, fit for the database and for one line where one is wanted. */
export function tidied<Message extends CameIn>(message: Message): Message {
  const clean = (text: string) => text.replaceAll('\0', '').toWellFormed()
  const line = (text: string | null) =>
    text && clean(text.replace(/\s+/g, ' ').trim().slice(0, NAME_LENGTH_MAX))
  return {
    ...message,
    text: clean(message.text.slice(0, RECEIVED_LENGTH_MAX)),
    subject: line(message.subject) || null,
    name: line(message.name) || null,
    // It is looked up by an index, which takes no longer ones.
    answer_id: message.answer_id && clean(message.answer_id.slice(0, ANSWER_ID_LENGTH_MAX)),
  }
}
