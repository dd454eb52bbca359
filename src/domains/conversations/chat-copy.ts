import type { Context } from '#platform/context.ts'
import { enqueue } from '#platform/jobs/queue.ts'
import { findFiles, type KeptFile } from '#domains/files/service.ts'
import { FILE_BYTES_MAX } from '#domains/files/values.ts'
import { findLead } from '#domains/leads/service.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { mailboxFor } from '#domains/mailboxes/sending.ts'
import { writeMessages, type Origin } from '#domains/messages/compose.ts'
import { leadFrom, SEND_JOB } from './answer.ts'
import { enclose } from './enclosed.ts'
import { findChatPlace, findUnseen, type EntryRow } from './entry-store.ts'
import { planSending } from './holds.ts'
import { emailOf, fillIn, threadOf } from './letter.ts'
import { planCounted } from './mailbox-limit.ts'
import { leadOfAddress, linkAddress } from './linking.ts'
import { findParts } from './mail-store.ts'
import * as store from './store.ts'
import type { ConversationRow } from './store.ts'

/** Messages in one email; what is more comes with the next. */
const COPIED_MAX = 50

/** Who has left a chat, and where they said that answers reach them. */
export type Absent = { address: string; email: string; name: string | null }

/** Whether the team has said something after this moment that the visitor has not seen. */
export async function hasUnseen(ctx: Context, address: string, after: string | null): Promise<boolean> {
  return (await findUnseen(ctx, address, after, 1)).length > 0
}

/**
 * Sends by email what the team said in a chat and its visitor has not seen, by the engine that sends every reply. How things stand
 * in the conversation stays as it is: it was answered in the chat. Answers until when everything has been sent, and whose it is;
 * undefined where there is nothing, or nothing may be sent there.
 */
export async function copyUnseen(
  ctx: Context,
  absent: Absent,
  after: string | null,
  words: { subject: string; beginning: string },
): Promise<{ until: string; lead_id: string } | undefined> {
  ctx.transactionOrThrow()
  const entries = await findUnseen(ctx, absent.address, after, COPIED_MAX)
  const last = entries.at(-1)
  const place = last && (await findChatPlace(ctx, absent.address))
  const row = place && (await store.lockConversation(ctx, place.id))
  if (!last || !row) return undefined
  const plan = await planSending(ctx, { id: row.id, lead_id: row.lead_id, address: absent.email }, 'email')
  if (plan.refusal) return undefined
  const { lead, row: own } = await leadOf(ctx, row, absent)
  const mailbox = await mailboxFor(ctx, { wanted: undefined, current: own.mailbox_id })
  if (mailbox === 'refused') return undefined
  const filled = await fillIn(ctx, lead, {
    subject: undefined,
    inherited: words.subject,
    text: [words.beginning, ...entries.map(({ text }) => text)].join('\n\n'),
    isFinished: true,
    signature: mailbox?.signature ?? null,
    sender_name: mailbox?.name ?? null,
  })
  const id = ctx.newId()
  const { plan: counted, counted_on } = await planCounted(ctx, mailbox, plan)
  const { due_at, hold_reason } = counted
  const about = { id, lead_id: lead.id, address: plan.to!, due_at, origin: originOf(last) }
  const thread = await threadOf(ctx, own, plan.to!)
  const email = emailOf({ ...filled, subject: words.subject })
  const track = { opens: false, clicks: false }
  writeMessages(ctx, { emails: [{ ...about, ...email, thread, track, meeting_url: null }] })
  enqueue(ctx, { kind: SEND_JOB, data: { ids: [id] }, run_at: due_at })
  enclose(ctx, own, id, { mailbox, cc: [], bcc: [], files: await filesOf(ctx, entries), counted_on })
  store.insertReply(ctx, {
    message_id: id,
    conversation_id: own.id,
    hold_reason,
    is_answer: true,
    undone_at: null,
    // What was answered then: not what came in since.
    created_at: last.at,
  })
  return { until: last.at, lead_id: lead.id }
}

/** Emails are written to leads: a visitor who is none becomes one. */
async function leadOf(
  ctx: Context,
  row: ConversationRow,
  { email, name }: Absent,
): Promise<{ lead: Lead; row: ConversationRow }> {
  const own = row.lead_id === null ? undefined : await findLead(ctx, row.lead_id)
  if (own) return { lead: own, row }
  const { assignee_id } = row
  const lead =
    (await leadOfAddress(ctx, email)) ?? (await leadFrom(ctx, { address: email, name, assignee_id }))
  return { lead, row: await linkAddress(ctx, row, lead, await store.lockOfLead(ctx, lead.id)) }
}

function originOf({ author_kind, author_id, name }: EntryRow): Origin {
  const isPerson = author_kind === 'person'
  return { source_kind: 'person', source_id: isPerson ? author_id : null, source_name: name }
}

/** As many as an email can have. */
async function filesOf(ctx: Context, entries: readonly EntryRow[]): Promise<KeptFile[]> {
  const parts = await findParts(
    ctx,
    entries.map(({ id }) => id),
  )
  const files = await findFiles(
    ctx,
    parts.map(({ file_id }) => file_id),
  )
  let left = FILE_BYTES_MAX
  return files.filter(({ size }) => {
    if (size > left) return false
    left -= size
    return true
  })
}
