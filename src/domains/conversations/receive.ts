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
import { findMessage } from '#domains/messages/service.ts'
import { blankEntry } from './answer.ts'
import { calledBy, startClock, tell } from './clock.ts'
import { conversationEvents } from './contract.ts'
import { leadOfAddress, linkAddress } from './linking.ts'
import { aboutConversation, beginningOf, keyOf, received } from './model.ts'
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
  await receive(ctx, lead, reply, message_id)
}

/** A message that answers none of ours: from a lead, or from an address that nobody knows yet. */
export async function takeMessage(ctx: Context, message: IncomingMessage): Promise<boolean> {
  const { channel, address } = message
  if (channel === 'email' ? !isEmail(address) || isOurs(ctx, address) : address.length > ADDRESS_LENGTH_MAX)
    return false
  return ctx.transaction(async ctx => {
    const lead = await leadOfAddress(ctx, address)
    // A newsletter or a notification is nobody who writes.
    if (message.automatic && !lead && !(await store.lockOfAddress(ctx, keyOf(address)))) return false
    await receive(ctx, lead, message)
    if (lead && !message.automatic) await heardFrom(ctx, lead)
    return true
  })
}

/** Who writes by themselves has answered as well: sequences that stop at a reply stop. */
async function heardFrom(ctx: Context, { id }: Lead): Promise<void> {
  touchLead(ctx, id, ctx.now())
  await noteReply(ctx, id, ctx.now())
}

function isOurs({ runtime: { settings } }: Context, address: string): boolean {
  const own = /<([^<>]+)>\s*$/.exec(settings.emailFrom)?.[1] ?? settings.emailFrom
  return keyOf(own.trim()) === keyOf(address)
}

/** `answered`: the message of ours that it answers. */
async function receive(
  ctx: Context,
  lead: Lead | undefined,
  message: IncomingMessage,
  answered: string | null = null,
): Promise<void> {
  const { channel, subject, text, automatic, answer_id, name: given } = tidied(message)
  const address = keyOf(message.address)
  const source_key = answer_id === null ? null : `${channel} ${answer_id}`
  const name = lead ? nameOf(lead) : given
  if (source_key !== null && (await store.isKnownSource(ctx, source_key))) return
  const { row, isNew } = await conversationWith(ctx, lead, { channel, address, name })
  // The row is held: who brought the same message meanwhile is done.
  if (source_key !== null && (await store.isKnownSource(ctx, source_key))) return
  const said = { channel, address, name, subject, text, at: ctx.now() }
  store.insertEntry(ctx, {
    ...blankEntry(ctx, row.id),
    id: ctx.newId(),
    channel,
    address,
    name,
    subject,
    text,
    automatic,
    source_key,
    message_id: channel === 'email' ? answer_id : null,
  })
  const updated_at = nextVersion(row.updated_at, ctx.now())
  const due_at =
    automatic || row.unanswered_since !== null ? row.answer_due_at : await startClock(ctx, row, said.at)
  const fields = automatic ? {} : { ...received(row, said), answer_due_at: due_at }
  store.updateConversation(ctx, row.id, { ...fields, updated_at })
  const { assignee_id } = row
  const told = text.slice(0, EVENT_TEXT_LENGTH_MAX).toWellFormed()
  const event = {
    channel,
    address,
    name,
    subject,
    text: told,
    automatic,
    assignee_id,
    is_first: isNew,
    message_id: answered,
  }
  record(ctx, conversationEvents.received, aboutConversation(row), event, { automations: !automatic })
  if (assignee_id && !automatic)
    await tell(ctx, row, [assignee_id], `${calledBy({ ...row, name })} wrote`, beginningOf(text))
}

type With = { channel: ConversationChannel; address: string; name: string | null }

/** The conversation with this lead, or with this address, held; it is begun where there is none. */
export async function conversationWith(
  ctx: Context,
  lead: Lead | undefined,
  { channel, address, name }: With,
): Promise<{ row: ConversationRow; isNew: boolean }> {
  const find = () => (lead ? store.lockOfLead(ctx, lead.id) : store.lockOfAddress(ctx, address))
  const known = await find()
  // Somebody wrote from an address that has become a lead's.
  const stray = lead && (await store.lockOfAddress(ctx, address))
  if (stray) return { row: await linkAddress(ctx, stray, lead, known), isNew: false }
  if (known) return { row: known, isNew: false }
  const owner = lead?.owner_id ?? null
  const row: ConversationRow = {
    ...blankConversation(ctx, channel, address),
    lead_id: lead?.id ?? null,
    name,
    assignee_id: owner !== null && (await isMember(ctx, owner)) ? owner : null,
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
    labels: [],
    last_message_at: at,
    last_direction: 'in',
    last_text: '',
    last_in_at: null,
    unanswered_since: null,
    answer_due_at: null,
    overdue_at: null,
    answered_at: null,
    merged_into: null,
    created_at: at,
    updated_at: at,
  }
}

/** Other people's words, fit for the database and for one line where one is wanted. */
function tidied(message: IncomingMessage): IncomingMessage {
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
