import type { Context } from '#platform/context.ts'
import { record } from '#platform/events.ts'
import { invalid, Problem, type Fault } from '#platform/problem.ts'
import { nextVersion } from '#platform/version.ts'
import { findLeads } from '#domains/leads/service.ts'
import { deleteDraft } from './agent-store.ts'
import { recordAnswer } from './answers.ts'
import { writerOf } from './author.ts'
import { conversationEvents, type NewEntry } from './contract.ts'
import { encloseFiles, filesOfChat } from './enclosed.ts'
import { blankEntry, findChatAddress, insertEntry, type EntryRow } from './entry-store.ts'
import { planSaying } from './holds.ts'
import { fillIn } from './letter.ts'
import { aboutConversation, beginningOf, lastOf, sent } from './model.ts'
import * as store from './store.ts'
import type { ConversationRow } from './store.ts'
import type { ConversationChannel } from './values.ts'

/** What is to be sent or said. */
export type Reply = Pick<
  NewEntry,
  'subject' | 'html' | 'template' | 'cc' | 'bcc' | 'file_ids' | 'mailbox_id' | 'send_at' | 'send_anyway'
> & {
  /** Absent where there is a template. */
  text?: string | undefined
  channel: ConversationChannel
  /** Instead of the address that they wrote from last. */
  to?: string
  /** Placeholders are filled in already. */
  isFinished?: true
}

const NOT_IN_A_CHAT = ['subject', 'send_at', 'send_anyway'] as const

/**
 * Says something in a web chat, in a conversation whose row is held. It is an entry like what came in: the visitor's page reads it
 * there, so nothing has to carry it, and there is no time to take it back. What is no answer leaves it as it was: our turn.
 */
export async function say(
  ctx: Context,
  row: ConversationRow,
  wanted: Reply & { text: string; isAnswer?: false },
): Promise<{ row: ConversationRow; message_id: string }> {
  const faults = NOT_IN_A_CHAT.filter(path => wanted[path] !== undefined).map((path): Fault => ({
    path,
    message: 'is not for web chats',
  }))
  if (faults.length > 0) throw invalid(faults)
  const files = await filesOfChat(ctx, wanted)
  const { to, refusal, detail } = planSaying(await findChatAddress(ctx, row.id), ctx.now())
  if (refusal) throw new Problem('conflict', detail!, { code: refusal })
  const [lead] = row.lead_id === null ? [] : await findLeads(ctx, [row.lead_id])
  const { text } = await fillIn(ctx, lead, {
    subject: undefined,
    inherited: null,
    text: wanted.text,
    isFinished: wanted.isFinished ?? false,
    signature: null,
    sender_name: null,
  })
  const isAnswer = wanted.isAnswer ?? true
  const message_id = ctx.newId()
  const at = ctx.now()
  insertEntry(ctx, { ...blankEntry(ctx, row.id), ...asWriter(ctx), id: message_id, ...saidBy(to!, text) })
  encloseFiles(ctx, row.id, message_id, files)
  store.insertReply(ctx, {
    message_id,
    conversation_id: row.id,
    hold_reason: null,
    is_answer: isAnswer,
    undone_at: null,
    created_at: at,
  })
  const said = { channel: 'chat', subject: null, text, at } as const
  const fields = isAnswer ? sent(row, said) : lastOf(said, 'out')
  const after = { ...row, ...fields, updated_at: nextVersion(row.updated_at, at) }
  if (isAnswer) {
    await recordAnswer(ctx, row, { id: message_id, at })
    deleteDraft(ctx, row.id)
  }
  store.updateConversation(ctx, row.id, { ...fields, updated_at: after.updated_at })
  record(ctx, conversationEvents.sent, aboutConversation(after), {
    message_id,
    channel: 'chat',
    address: to!,
    subject: null,
    text: beginningOf(text),
    due_at: at,
  })
  return { row: after, message_id }
}

function saidBy(address: string, text: string) {
  return { channel: 'chat', direction: 'out', address, text } as const
}

function asWriter(ctx: Context): Pick<EntryRow, 'author_kind' | 'author_id' | 'name'> {
  const { author_kind, author_id } = writerOf(ctx)
  return { author_kind, author_id, name: ctx.actor.name }
}
