import type { Answer } from '#platform/answer.ts'
import { tidyInstant } from '#platform/clock.ts'
import type { Context } from '#platform/context.ts'
import { announce, record } from '#platform/events.ts'
import { invalid, Problem } from '#platform/problem.ts'
import { difference } from '#platform/records.ts'
import { nextVersion, unchangedSince } from '#platform/version.ts'
import { chosenAgentFaults } from '#domains/agents/references.ts'
import { memberFaults } from '#domains/identity/members.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { nameOf } from '#domains/leads/model.ts'
import { findLead } from '#domains/leads/service.ts'
import { wakeForWaiting } from './agent-wake.ts'
import { loopFault } from './automatic-limit.ts'
import { mailboxAsked } from './mailbox-asked.ts'
import { planWithin } from './mailbox-limit.ts'
import { note, reply } from './answer.ts'
import { recordClosed } from './answers.ts'
import { calledBy, snooze, tell } from './clock.ts'
import {
  conversationEvents,
  type Conversation,
  type ConversationChange,
  type ConversationCounts,
  type ConversationEntry,
  type ListConversations,
  type NewConversation,
  type NewEntry,
  type ReplyDraft,
  type SendingCheck,
  type StartedConversation,
  type WrittenEntry,
} from './contract.ts'
import { draftReply } from './drafting.ts'
import { forward } from './forward.ts'
import { findChatAddress } from './entry-store.ts'
import { planSaying, planSending } from './holds.ts'
import { leadOfAddress, linkAddress } from './linking.ts'
import { findListed } from './listing.ts'
import { aboutConversation, answered, channelOf, keyOf } from './model.ts'
import { refuseForNotes } from './note-fields.ts'
import { originalOf } from './original.ts'
import { conversationWith } from './receive.ts'
import * as store from './store.ts'
import type { ConversationRow } from './store.ts'
import { findThreadEntry, readThread } from './thread.ts'
import { cancel, reopenWait } from './undo.ts'
import { SNOOZE_MAX_DAYS, type ConversationChannel } from './values.ts'

const DAY_MS = 86_400_000

export async function listConversations(ctx: Context, query: ListConversations) {
  const { data, next_cursor } = await findListed(ctx, query)
  return { data: await publicly(ctx, data), next_cursor }
}

export async function getConversation(ctx: Context, id: string): Promise<Conversation> {
  return onePublicly(ctx, await existing(ctx, id))
}

/** The conversation with a lead, if there is one. */
export async function findConversationOfLead(ctx: Context, lead_id: string): Promise<string | undefined> {
  return (await store.findOfLead(ctx, lead_id))?.id
}

export async function countConversations(ctx: Context): Promise<ConversationCounts> {
  return store.countViews(ctx, ctx.principal?.user_id ?? null)
}

/** Writes to a lead or an address. Where there is a conversation already, it goes on. */
export async function createConversation(ctx: Context, input: NewConversation): Promise<StartedConversation> {
  const { channel, lead_id, to } = input
  if ((lead_id === undefined) === (to === undefined))
    throw invalid([{ path: 'lead_id', message: 'must be given, or to, but not both' }])
  if (to !== undefined && (channelOf(to) === 'email') !== (channel === 'email'))
    throw invalid([
      { path: 'to', message: `must be ${channel === 'email' ? 'an email address' : 'a phone number'}` },
    ])
  return ctx.transaction(async ctx => {
    const lead = lead_id === undefined ? await leadOfAddress(ctx, to!) : await findLead(ctx, lead_id)
    if (lead_id !== undefined && !lead)
      throw invalid([{ path: 'lead_id', message: 'is not a lead, or it is in the trash' }])
    const address = addressOf(channel, to, lead)
    const { row } = await conversationWith(ctx, lead, { channel, address, name: lead ? nameOf(lead) : null })
    const written = await reply(ctx, row, { ...input, ...(to !== undefined && { to: address }) })
    return { ...(await onePublicly(ctx, written.row)), message_id: written.message_id }
  })
}

export async function changeConversation(
  ctx: Context,
  id: string,
  change: ConversationChange,
  ifMatch?: string,
): Promise<Conversation> {
  return ctx.transaction(async ctx => {
    const row = unchangedSince(await held(ctx, id), ifMatch)
    const linked = change.lead_id === undefined ? row : await link(ctx, row, change.lead_id)
    const wanted = await wantedFields(ctx, linked, change)
    const changes = difference(linked, { ...wanted, ...(await clockAgain(ctx, linked, wanted)) })
    if (!changes) return onePublicly(ctx, linked)
    const after = { ...linked, ...changes.after, updated_at: nextVersion(linked.updated_at, ctx.now()) }
    if (after.unanswered_since === null) await recordClosed(ctx, linked)
    store.updateConversation(ctx, linked.id, { ...changes.after, updated_at: after.updated_at })
    await tellOfChange(ctx, linked, after)
    if (changes.after.agent_mode ?? changes.after.agent_id) await wakeForWaiting(ctx, after)
    return onePublicly(ctx, after)
  })
}

export async function listEntries(ctx: Context, id: string, page: { limit?: number; cursor?: string }) {
  return readThread(ctx, await existing(ctx, id), page)
}

export async function getEntry(ctx: Context, id: string, entry_id: string): Promise<ConversationEntry> {
  return existingEntry(ctx, await existing(ctx, id), entry_id)
}

export async function draft(ctx: Context, id: string): Promise<ReplyDraft> {
  return draftReply(ctx, await existing(ctx, id))
}

export async function readOriginal(
  ctx: Context,
  id: string,
  entry_id: string,
  wanted: { images?: boolean },
): Promise<Answer> {
  return originalOf(ctx, await getEntry(ctx, id, entry_id), wanted)
}

export async function addEntry(
  ctx: Context,
  id: string,
  input: NewEntry,
  ifMatch?: string,
): Promise<WrittenEntry> {
  return ctx.transaction(async ctx => {
    const row = unchangedSince(await held(ctx, id), ifMatch)
    if (input.kind === 'note') {
      refuseForNotes(input)
      const { text } = input
      if (text === undefined) throw invalid([{ path: 'text', message: 'is required' }])
      const written = await note(ctx, row, { ...input, text })
      return {
        ...(await existingEntry(ctx, written.row, written.entry_id)),
        updated_at: written.row.updated_at,
      }
    }
    if (input.mentions) throw invalid([{ path: 'mentions', message: 'is only for notes' }])
    const written = await send(ctx, row, input)
    readUntilNow(ctx, written.row.id)
    const entry = await existingEntry(ctx, written.row, written.message_id)
    return { ...entry, updated_at: written.row.updated_at }
  })
}

async function send(ctx: Context, row: ConversationRow, input: NewEntry) {
  if (input.kind === 'forward') return forward(ctx, row, input)
  const faults = (['to', 'message_id'] as const)
    .filter(path => input[path] !== undefined)
    .map(path => ({ path, message: 'is only for forwarding' }))
  if (faults.length > 0) throw invalid(faults)
  const { to: _, ...rest } = input
  return reply(ctx, row, { ...rest, channel: input.channel ?? row.channel })
}

/** An automation's answer, whose text is finished. */
export async function replyFinished(ctx: Context, id: string, text: string): Promise<ConversationEntry> {
  return ctx.transaction(async ctx => {
    const row = await held(ctx, id)
    const written = await reply(ctx, row, { channel: row.channel, text, isFinished: true })
    return existingEntry(ctx, written.row, written.message_id)
  })
}

export async function cancelEntry(ctx: Context, id: string, entry_id: string): Promise<ConversationEntry> {
  return ctx.transaction(async ctx => {
    const row = await existing(ctx, id)
    await cancel(ctx, row, await existingEntry(ctx, row, entry_id))
    return existingEntry(ctx, row, entry_id)
  })
}

/** Why a workflow may not write there now, if so. */
export async function checkAutomatic(ctx: Context, id: string): Promise<string | null> {
  const row = await existing(ctx, id)
  return loopFault(ctx, row.id, row.channel)
}

export async function checkSending(
  ctx: Context,
  id: string,
  wanted: ConversationChannel | undefined,
  mailbox_id?: string,
): Promise<SendingCheck> {
  const row = await existing(ctx, id)
  const channel = wanted ?? row.channel
  const plan =
    channel === 'chat'
      ? planSaying(await findChatAddress(ctx, row.id), ctx.now())
      : await planWithin(
          ctx,
          channel === 'email' ? await mailboxAsked(ctx, mailbox_id, row.mailbox_id) : undefined,
          await planSending(ctx, row, channel),
        )
  const { to, due_at, hold_reason, window_closes_at, refusal, detail } = plan
  return { channel, to, held_until: hold_reason && due_at, hold_reason, window_closes_at, refusal, detail }
}

export async function markRead(ctx: Context, id: string): Promise<void> {
  ctx.requirePerson()
  await ctx.transaction(async ctx => readUntilNow(ctx, (await existing(ctx, id)).id))
}

/** Shown to those who look on for a few seconds, and kept nowhere. */
export async function tellWriting(ctx: Context, id: string): Promise<void> {
  const { user_id } = ctx.requirePerson()
  await ctx.transaction(async ctx => {
    const { id: conversation_id, channel } = await existing(ctx, id)
    const subject = { kind: 'conversation', id: conversation_id }
    const { name } = ctx.actor
    announce(ctx, 'conversations:read', 'conversation.writing', subject, { user_id, name, channel })
  })
}

function readUntilNow(ctx: Context, id: string): void {
  const user_id = ctx.principal?.user_id
  if (user_id) store.markRead(ctx, id, user_id, ctx.now())
}

/** Follows an old link to the conversation that it was merged into. */
export async function existing(ctx: Context, id: string): Promise<ConversationRow> {
  const row = await store.findConversation(ctx, id)
  if (!row) throw absent()
  return row.merged_into === null ? row : existing(ctx, row.merged_into)
}

async function held(ctx: Context, id: string): Promise<ConversationRow> {
  const row = await store.lockConversation(ctx, id)
  if (!row) throw absent()
  return row.merged_into === null ? row : held(ctx, row.merged_into)
}

function absent(): Problem {
  return new Problem('not_found', 'No such conversation.')
}

async function existingEntry(
  ctx: Context,
  row: ConversationRow,
  entry_id: string,
): Promise<ConversationEntry> {
  const entry = await findThreadEntry(ctx, row, entry_id)
  if (!entry) throw new Problem('not_found', 'No such message in this conversation.')
  return entry
}

function addressOf(channel: ConversationChannel, to: string | undefined, lead: Lead | undefined): string {
  const address = to ?? (channel === 'email' ? lead?.email : lead?.phone)
  if (address) return keyOf(address)
  const what = channel === 'email' ? 'email address' : 'phone number'
  throw new Problem('conflict', `There is no ${what} to write to.`, { code: 'no_address' })
}

async function link(ctx: Context, row: ConversationRow, lead_id: string): Promise<ConversationRow> {
  if (row.lead_id === lead_id) return row
  const lead = await findLead(ctx, lead_id)
  if (!lead) throw invalid([{ path: 'lead_id', message: 'is not a lead, or it is in the trash' }])
  if (row.lead_id !== null)
    throw new Problem('conflict', 'This conversation already belongs to another lead.', { code: 'has_lead' })
  return linkAddress(ctx, row, lead, await store.lockOfLead(ctx, lead_id))
}

/** The fields that a change sets. Only a snoozed conversation has a time. */
async function wantedFields(
  ctx: Context,
  row: ConversationRow,
  { lead_id: _, state, snoozed_until, assignee_id, labels, ...agent }: ConversationChange,
): Promise<Partial<ConversationRow>> {
  const faults = await memberFaults(ctx, assignee_id, 'assignee_id')
  faults.push(...(await chosenAgentFaults(ctx, row, agent)))
  const until = snoozed_until && tidyInstant(snoozed_until)
  const next = state ?? (until ? 'SNOOZED' : row.state)
  if (next !== 'SNOOZED' && until)
    faults.push({ path: 'snoozed_until', message: 'is only for the state SNOOZED' })
  if (next === 'SNOOZED' && state === 'SNOOZED' && !until)
    faults.push({ path: 'snoozed_until', message: 'is needed to snooze' })
  if (until && until <= ctx.now()) faults.push({ path: 'snoozed_until', message: 'must be in the future' })
  if (until && until > ctx.in(SNOOZE_MAX_DAYS * DAY_MS))
    faults.push({ path: 'snoozed_until', message: `must be within ${SNOOZE_MAX_DAYS} days` })
  if (faults.length > 0) throw invalid(faults)
  const isDone = next === 'CLOSED' || next === 'WAITING'
  return {
    state: next,
    snoozed_until: next === 'SNOOZED' ? (until ?? row.snoozed_until) : null,
    ...(isDone && state !== undefined && answered),
    ...(assignee_id !== undefined && { assignee_id }),
    ...(labels && { labels }),
    ...agent,
  }
}

/** What is reopened waits for an answer as it did before. */
async function clockAgain(
  ctx: Context,
  row: ConversationRow,
  { state }: Partial<ConversationRow>,
): Promise<Partial<ConversationRow>> {
  if (state !== 'OPEN' || row.state === 'OPEN' || row.unanswered_since !== null) return {}
  return (await reopenWait(ctx, row)) ?? {}
}

async function tellOfChange(ctx: Context, before: ConversationRow, after: ConversationRow): Promise<void> {
  const about = aboutConversation(after)
  const { assignee_id } = after
  if (assignee_id !== before.assignee_id) {
    record(ctx, conversationEvents.assigned, about, { before: before.assignee_id, assignee_id })
    if (assignee_id && assignee_id !== ctx.principal?.user_id)
      await tell(ctx, after, [assignee_id], `${ctx.actor.name ?? 'Somebody'} assigned you ${calledBy(after)}`)
  }
  if (after.state === 'CLOSED' && before.state !== 'CLOSED')
    record(ctx, conversationEvents.closed, about, { before: before.state })
  if (after.snoozed_until !== null && after.snoozed_until !== before.snoozed_until)
    snooze(ctx, after.id, after.snoozed_until)
  const rest = ({ state, snoozed_until, labels, agent_id, agent_mode }: ConversationRow) => ({
    state,
    snoozed_until,
    labels,
    agent_id,
    agent_mode,
  })
  const changes = difference(rest(before), rest(after))
  if (changes && after.state !== 'CLOSED') record(ctx, conversationEvents.changed, about, changes)
}

async function onePublicly(ctx: Context, row: ConversationRow): Promise<Conversation> {
  return (await publicly(ctx, [row]))[0]!
}

async function publicly(ctx: Context, rows: readonly ConversationRow[]): Promise<Conversation[]> {
  const user_id = ctx.principal?.user_id ?? null
  const reads =
    user_id === null
      ? new Map<string, string>()
      : await store.findReadTimes(
          ctx,
          user_id,
          rows.map(({ id }) => id),
        )
  return rows.map(row => {
    const { id, lead_id, address, name, last_in_at } = row
    return {
      id,
      lead_id,
      channel: row.channel,
      subject: row.subject,
      state: row.state,
      snoozed_until: row.snoozed_until,
      assignee_id: row.assignee_id,
      mailbox_id: row.mailbox_id,
      agent_id: row.agent_id,
      agent_mode: row.agent_mode,
      labels: row.labels,
      unread: last_in_at !== null && last_in_at > (reads.get(id) ?? ''),
      last_message_at: row.last_message_at,
      last_direction: row.last_direction,
      last_text: row.last_text,
      answer_due_at: row.answer_due_at,
      overdue_at: row.overdue_at,
      participants: [{ address, name, lead_id }],
      created_at: row.created_at,
      updated_at: row.updated_at,
    }
  })
}
