import { tidyInstant } from '#platform/clock.ts'
import type { Context } from '#platform/context.ts'
import { record } from '#platform/events.ts'
import { enqueue } from '#platform/jobs/queue.ts'
import { invalid, Problem } from '#platform/problem.ts'
import { atLeast } from '#platform/scopes.ts'
import { nextVersion } from '#platform/version.ts'
import { takeFiles } from '#domains/files/service.ts'
import { isMember, membersAmong } from '#domains/identity/members.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { createLead } from '#domains/leads/service.ts'
import { writeMessages, type Origin } from '#domains/messages/compose.ts'
import { SMS_LENGTH_MAX } from '#domains/messages/values.ts'
import { recordAnswer } from './answers.ts'
import { deleteDraft } from './agent-store.ts'
import { refuseLoop } from './automatic-limit.ts'
import { calledBy, tell } from './clock.ts'
import { conversationEvents, type NewEntry } from './contract.ts'
import { planSending, type Sending } from './holds.ts'
import { enclose, encloseFiles, encloseWith } from './enclosed.ts'
import { answering, emailOf, fillIn, signerOf, threadOf } from './letter.ts'
import { leadOfAddress, linkAddress } from './linking.ts'
import { planCounted } from './mailbox-limit.ts'
import { say, type Reply } from './saying.ts'
import { aboutConversation, beginningOf, channelOf, sent } from './model.ts'
import { blankEntry, insertEntry } from './entry-store.ts'
import { refuseUnfit } from './whatsapp.ts'
import { insertUse } from './whatsapp-store.ts'
import { fillTemplate, templateFaults } from './whatsapp-templates.ts'
import * as store from './store.ts'
import type { ConversationRow } from './store.ts'
import { SEND_LATER_MAX_DAYS, type ConversationChannel } from './values.ts'

export const SEND_JOB = 'conversations.send'
const DAY_MS = 86_400_000

/** Writes a message in a conversation whose row is held. It is sent once the time to take it back is over. */
export async function reply(
  ctx: Context,
  before: ConversationRow,
  wanted: Reply,
): Promise<{ row: ConversationRow; message_id: string }> {
  await refuseLoop(ctx, before.id, wanted.channel)
  const template = await templateOf(ctx, wanted)
  const text = template?.text ?? wanted.text!
  if (wanted.channel === 'chat') return say(ctx, before, { ...wanted, text })
  const row = await linkedRow(ctx, before)
  const { channel, to = row.address } = wanted
  const wish = checkedWish(ctx, wanted)
  const enclosed = await encloseWith(ctx, row, wanted)
  const wanted_plan = await planSending(ctx, { id: row.id, lead_id: row.lead_id, address: to }, channel, wish)
  if (wanted_plan.refusal) throw new Problem('conflict', wanted_plan.detail!, { code: wanted_plan.refusal })
  const { plan, counted_on } = await planCounted(ctx, enclosed.mailbox, wanted_plan)
  const lead = plan.lead ?? (await leadFrom(ctx, row))
  const message_id = ctx.newId()
  const filled = await fillIn(ctx, lead, {
    subject: channel === 'email' ? wanted.subject : undefined,
    inherited: channel === 'email' ? subjectAfter(row) : null,
    text,
    isFinished: template !== undefined || (wanted.isFinished ?? false),
    signature: enclosed.mailbox?.signature ?? null,
    sender_name: signerOf(ctx, enclosed.mailbox),
  })
  if (channel === 'whatsapp') refuseUnfit(filled.text, enclosed.files, template !== undefined)
  await write(ctx, row, { ...filled, message_id, lead, channel, plan, html: wanted.html })
  enclose(ctx, row, message_id, { ...enclosed, counted_on })
  if (template) insertUse(ctx, { ...template.use, message_id, conversation_id: row.id })
  const said = { channel, subject: filled.subject, text: filled.text, at: ctx.now() }
  const updated_at = nextVersion(row.updated_at, ctx.now())
  const fields = {
    ...sent(row, said),
    lead_id: lead.id,
    ...(channel === 'email' && { mailbox_id: enclosed.mailbox?.id ?? null }),
    updated_at,
  }
  const after = { ...row, ...fields }
  const at = ctx.now()
  await recordAnswer(ctx, row, { id: message_id, at })
  store.updateConversation(ctx, row.id, fields)
  deleteDraft(ctx, row.id)
  store.insertReply(ctx, {
    message_id,
    conversation_id: row.id,
    hold_reason: plan.hold_reason,
    is_answer: true,
    undone_at: null,
    created_at: at,
  })
  record(ctx, conversationEvents.sent, aboutConversation(after), {
    message_id,
    channel,
    address: plan.to!,
    subject: filled.subject,
    text: beginningOf(filled.text),
    due_at: plan.due_at,
  })
  return { row: after, message_id }
}

/** For the team only. The people it mentions are notified. */
export async function note(
  ctx: Context,
  row: ConversationRow,
  { text, mentions = [], file_ids = [] }: Pick<NewEntry, 'mentions' | 'file_ids'> & { text: string },
): Promise<{ row: ConversationRow; entry_id: string }> {
  const members = await membersAmong(ctx, mentions)
  const faults = mentions.flatMap((id, at) =>
    members.has(id) ? [] : [{ path: `mentions[${at}]`, message: 'is not a member of this team' }],
  )
  if (faults.length > 0) throw invalid(faults)
  const entry_id = ctx.newId()
  const { kind, id, name } = ctx.actor
  const author_id = kind === 'agent' ? id : (ctx.principal?.user_id ?? null)
  insertEntry(ctx, {
    ...blankEntry(ctx, row.id),
    id: entry_id,
    kind: 'note',
    text,
    ...(kind === 'agent' && { author_kind: kind, name }),
    author_id,
    mentions,
  })
  encloseFiles(ctx, row.id, entry_id, await takeFiles(ctx, file_ids))
  const updated_at = nextVersion(row.updated_at, ctx.now())
  store.updateConversation(ctx, row.id, { updated_at })
  record(ctx, conversationEvents.noted, aboutConversation(row), { entry_id, text, mentions })
  const others = mentions.filter(id => id !== author_id)
  const title = `${ctx.actor.name ?? 'Somebody'} mentioned you: ${calledBy(row)}`
  if (others.length > 0) await tell(ctx, row, others, title, text)
  return { row: { ...row, updated_at }, entry_id }
}

type Written = {
  message_id: string
  lead: Lead
  channel: ConversationChannel
  subject: string | null
  text: string
  signature: { html: string; text: string } | null
  html: string | undefined
  plan: Sending
}

async function write(
  ctx: Context,
  row: ConversationRow,
  { message_id: id, lead, channel, subject, text, signature, html, plan }: Written,
): Promise<void> {
  const about = { id, lead_id: lead.id, address: plan.to!, due_at: plan.due_at, origin: originOf(ctx) }
  if (channel === 'sms') {
    if (text.length > SMS_LENGTH_MAX)
      throw invalid([
        { path: 'text', message: `must have at most ${SMS_LENGTH_MAX} characters as a text message` },
      ])
    writeMessages(ctx, { sms: [{ ...about, text }] })
  } else if (channel === 'whatsapp') {
    writeMessages(ctx, { whatsapp: [{ ...about, text }] })
  } else {
    if (!subject?.trim()) throw invalid([{ path: 'subject', message: 'is needed for the first email' }])
    const thread = await threadOf(ctx, row, plan.to!)
    const email = emailOf({ subject, text, signature, html })
    const track = { opens: false, clicks: false }
    writeMessages(ctx, { emails: [{ ...about, ...email, thread, track, meeting_url: null }] })
  }
  enqueue(ctx, { kind: SEND_JOB, data: { ids: [id] }, run_at: plan.due_at })
}

/** What goes out instead of a text of one's own. */
async function templateOf(ctx: Context, { channel, template, text }: Reply) {
  if (template === undefined) {
    if (text === undefined) throw invalid([{ path: 'text', message: 'is required' }])
    return undefined
  }
  if (channel !== 'whatsapp') throw invalid(templateFaults(template, 'is only for WhatsApp'))
  if (text !== undefined) throw invalid([{ path: 'text', message: 'must be left out: the template says it' }])
  return fillTemplate(ctx, template)
}

export function checkedWish(ctx: Context, { send_at, send_anyway, template }: Reply) {
  const { principal } = ctx
  if (send_anyway && !(principal?.role && atLeast(principal.role, 'ADMIN')))
    throw new Problem('forbidden', 'Only an admin can send in quiet hours.', { code: 'insufficient_role' })
  if (send_at === undefined) return { send_anyway, template }
  const at = tidyInstant(send_at)
  if (at <= ctx.now()) throw invalid([{ path: 'send_at', message: 'must be in the future' }])
  if (at > ctx.in(SEND_LATER_MAX_DAYS * DAY_MS))
    throw invalid([{ path: 'send_at', message: `must be within ${SEND_LATER_MAX_DAYS} days` }])
  return { send_at: at, send_anyway, template }
}

/** An address may have become a lead's since it wrote. */
async function linkedRow(ctx: Context, row: ConversationRow): Promise<ConversationRow> {
  const lead = row.lead_id === null ? await leadOfAddress(ctx, row.address) : undefined
  return lead ? linkAddress(ctx, row, lead, await store.lockOfLead(ctx, lead.id)) : row
}

/** Writing to an unknown address makes it a lead. */
export async function leadFrom(
  ctx: Context,
  { address, name, assignee_id }: Pick<ConversationRow, 'address' | 'name' | 'assignee_id'>,
): Promise<Lead> {
  const [first_name, ...rest] = name?.trim().split(/\s+/) ?? []
  const last_name = rest.join(' ')
  const isAssigned = assignee_id !== null && (await isMember(ctx, assignee_id))
  const owner_id = isAssigned ? assignee_id : ctx.principal?.user_id
  return createLead(ctx, {
    ...addressFieldsOf(address),
    ...(first_name && { first_name }),
    ...(last_name && { last_name }),
    ...(owner_id && { owner_id }),
    source: 'Conversation',
  })
}

/** Somebody who hides their number in WhatsApp has neither. */
function addressFieldsOf(address: string) {
  const channel = channelOf(address)
  if (channel === 'whatsapp') return {}
  return channel === 'email' ? { email: address } : { phone: address }
}

function subjectAfter({ subject }: ConversationRow): string | null {
  return subject === null ? null : answering(subject)
}

export function originOf({ actor, principal }: Context): Origin {
  const { kind, id, name } = actor
  if (kind === 'workflow' || kind === 'agent') return { source_kind: kind, source_id: id, source_name: name }
  return { source_kind: 'person', source_id: principal?.user_id ?? null, source_name: name }
}
