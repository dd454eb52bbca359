import type { Context } from '#platform/context.ts'
import { record } from '#platform/events.ts'
import { escape } from '#platform/html.ts'
import { enqueue } from '#platform/jobs/queue.ts'
import { invalid, Problem, type Fault } from '#platform/problem.ts'
import { nextVersion } from '#platform/version.ts'
import { findLead } from '#domains/leads/service.ts'
import { writeMessages } from '#domains/messages/compose.ts'
import { findMessageContent } from '#domains/messages/service.ts'
import { checkedWish, originOf, SEND_JOB } from './answer.ts'
import { conversationEvents, type ConversationEntry, type NewEntry } from './contract.ts'
import { enclose, encloseWith } from './enclosed.ts'
import { planSending } from './holds.ts'
import { asHtml, emailOf, fillIn, signerOf } from './letter.ts'
import { planCounted } from './mailbox-limit.ts'
import { findMail, findParts } from './mail-store.ts'
import { aboutConversation } from './model.ts'
import { templateFaults } from './whatsapp-templates.ts'
import * as store from './store.ts'
import type { ConversationRow } from './store.ts'
import { findThreadEntry } from './thread.ts'
import { SUBJECT_LENGTH_MAX } from './values.ts'

/** Passes an email of a conversation, whose row is held, on to somebody else. Nobody has been answered by it. */
export async function forward(
  ctx: Context,
  row: ConversationRow,
  wanted: NewEntry,
): Promise<{ row: ConversationRow; message_id: string }> {
  const { to, text, entry } = await checked(ctx, row, wanted)
  const lead = row.lead_id === null ? undefined : await findLead(ctx, row.lead_id)
  if (!lead)
    throw new Problem('conflict', 'Link the conversation to a lead before you forward from it.', {
      code: 'no_lead',
    })
  const wanted_plan = await planSending(
    ctx,
    { id: row.id, lead_id: null, address: to },
    'email',
    checkedWish(ctx, { ...wanted, channel: 'email' }),
  )
  if (wanted_plan.refusal) throw new Problem('conflict', wanted_plan.detail!, { code: wanted_plan.refusal })
  const files = (await findParts(ctx, [entry.id])).map(({ file_id }) => file_id)
  const file_ids = [...new Set([...files, ...(wanted.file_ids ?? [])])]
  const enclosed = await encloseWith(ctx, row, { ...wanted, channel: 'email', to, file_ids })
  const { signature } = await fillIn(ctx, lead, {
    subject: undefined,
    inherited: null,
    text: '',
    isFinished: true,
    signature: enclosed.mailbox?.signature ?? null,
    sender_name: signerOf(ctx, enclosed.mailbox),
  })
  const { plan, counted_on } = await planCounted(ctx, enclosed.mailbox, wanted_plan)
  const subject = forwarding(entry.subject)
  const email = emailOf({ subject, text, signature })
  const message_id = ctx.newId()
  const passed = await passedOn(ctx, entry)
  const about = { id: message_id, lead_id: lead.id, address: to, due_at: plan.due_at, origin: originOf(ctx) }
  const content = { subject, text: `${email.text}\n\n${passed.text}`, html: below(email.html, passed.html) }
  const track = { opens: false, clicks: false }
  writeMessages(ctx, { emails: [{ ...about, ...content, thread: [], track, meeting_url: null }] })
  enqueue(ctx, { kind: SEND_JOB, data: { ids: [message_id] }, run_at: plan.due_at })
  enclose(ctx, row, message_id, { ...enclosed, counted_on })
  store.insertReply(ctx, {
    message_id,
    conversation_id: row.id,
    hold_reason: plan.hold_reason,
    is_answer: false,
    undone_at: null,
    created_at: ctx.now(),
  })
  const updated_at = nextVersion(row.updated_at, ctx.now())
  store.updateConversation(ctx, row.id, { updated_at })
  const told = { message_id, to, subject, due_at: plan.due_at }
  record(ctx, conversationEvents.forwarded, aboutConversation(row), told)
  return { row: { ...row, updated_at }, message_id }
}

/** Whether this message of ours was passed on to somebody else: what comes back is no answer of the lead. */
export async function isForwarded(ctx: Context, message_id: string): Promise<boolean> {
  return (await store.findReplies(ctx, [message_id])).get(message_id)?.is_answer === false
}

async function checked(
  ctx: Context,
  row: ConversationRow,
  { to, message_id, text, channel, subject, html, mentions, template }: NewEntry,
): Promise<{ to: string; text: string; entry: ConversationEntry }> {
  const faults: Fault[] = []
  if (to === undefined) faults.push({ path: 'to', message: 'is missing' })
  if (text === undefined) faults.push({ path: 'text', message: 'is required' })
  for (const [path, value] of Object.entries({ channel, subject, html, mentions }))
    if (value !== undefined) faults.push({ path, message: 'is not for forwarding' })
  if (template) faults.push(...templateFaults(template, 'is not for forwarding'))
  const entry = message_id === undefined ? undefined : await findThreadEntry(ctx, row, message_id)
  if (entry?.kind !== 'message' || entry.channel !== 'email' || entry.hidden)
    faults.push({ path: 'message_id', message: 'is not an email of this conversation' })
  if (faults.length > 0) throw invalid(faults)
  return { to: to!, text: text!, entry: entry! }
}

function forwarding(subject: string | null): string {
  const bare = subject ?? '(no subject)'
  return (/^fwd?:/i.test(bare) ? bare : `Fwd: ${bare}`).slice(0, SUBJECT_LENGTH_MAX)
}

/** The email with its head, as mail programs pass it on. */
async function passedOn(ctx: Context, entry: ConversationEntry): Promise<{ text: string; html: string }> {
  const { text, html } = await contentOf(ctx, entry)
  const head = headOf(entry)
  const lines = head.map(([name, value]) => `${name}: ${value}`)
  const rows = head.map(([name, value]) => `<b>${name}:</b> ${escape(value)}`)
  return {
    text: ['---------- Forwarded message ----------', ...lines, '', text].join('\n'),
    html: `<p>---------- Forwarded message ----------<br>\n${rows.join('<br>\n')}</p>\n<div>${html ? bodyOf(html) : asHtml(text)}</div>`,
  }
}

async function contentOf(
  ctx: Context,
  { id, direction, text }: ConversationEntry,
): Promise<{ text: string; html: string | null }> {
  if (direction === 'out') return (await findMessageContent(ctx, id)) ?? { text, html: null }
  const mail = await findMail(ctx, id)
  return mail ? { text: mail.text, html: mail.html } : { text, html: null }
}

function headOf({ author, address, at, subject, direction, cc }: ConversationEntry): [string, string][] {
  const who = [author.name, direction === 'in' && address && `<${address}>`].filter(Boolean).join(' ')
  return [
    ['From', who],
    ['Date', new Date(at).toUTCString()],
    ['Subject', subject ?? ''],
    ...(direction === 'out' && address ? [['To', address] as [string, string]] : []),
    ...(cc.length > 0 ? [['Cc', cc.map(party => party.address).join(', ')] as [string, string]] : []),
  ]
}

/** A page within a page is its body; what runs or styles the whole of a page stays behind. */
function bodyOf(html: string): string {
  const body = /<body[^>]*>([\s\S]*?)(?:<\/body>|$)/i.exec(html)?.[1] ?? html
  return body
    .replace(/<(script|style|title|head)\b[\s\S]*?<\/\1\s*>/gi, '')
    .replace(
      /<\/?(?:html|head|body|meta|link|base|script|style|title|iframe|object|embed|form)\b[^>]*>/gi,
      '',
    )
}

function below(html: string, passed: string): string {
  const end = html.lastIndexOf('</body>')
  return end < 0 ? html + passed : html.slice(0, end) + passed + html.slice(end)
}
