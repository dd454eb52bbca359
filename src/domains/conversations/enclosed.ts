import type { Context } from '#platform/context.ts'
import type { Job } from '#platform/jobs/queue.ts'
import { MailRefused, type Attachment } from '#platform/ports/mail.ts'
import { invalid, Problem, type Fault } from '#platform/problem.ts'
import { bytesOf, findFiles, takeFiles, type KeptFile } from '#domains/files/service.ts'
import {
  fileSent,
  findMailbox,
  keepsSent,
  mailboxFor,
  mailerOf,
  senderOf,
  type MailboxRow,
} from '#domains/mailboxes/sending.ts'
import { mailOf, type Letter } from '#domains/messages/mail-of.ts'
import { findMessage, findMessageContent, type MessageRow } from '#domains/messages/service.ts'
import { senderWithoutPages } from '#domains/messages/settings.ts'
import { findSuppressed } from '#domains/suppressions/service.ts'
import type { NewEntry } from './contract.ts'
import { findLetters, findParts, insertLetter, insertParts } from './mail-store.ts'
import { keyOf } from './model.ts'
import type { ConversationRow } from './store.ts'
import type { ConversationChannel } from './values.ts'

export const FILE_SENT_JOB = 'conversations.file_sent'

/** What goes along with the text of a message. */
export type Enclosed = {
  mailbox: MailboxRow | undefined
  cc: string[]
  bcc: string[]
  files: KeptFile[]
  /** The day on which the mailbox counts it. */
  counted_on?: string | null
}

type Wish = Pick<NewEntry, (typeof ONLY_EMAIL)[number]> & { channel: ConversationChannel; to?: string }

const ONLY_EMAIL = ['mailbox_id', 'cc', 'bcc', 'file_ids', 'html'] as const

/** Checks what is to go along. The files are the message's from now on. */
export async function encloseWith(ctx: Context, row: ConversationRow, wanted: Wish): Promise<Enclosed> {
  if (wanted.channel !== 'email') {
    const hasFiles = wanted.channel === 'whatsapp'
    refuseOnlyEmail(
      wanted,
      ONLY_EMAIL.filter(path => !(hasFiles && path === 'file_ids')),
    )
    const files = hasFiles ? await takeFiles(ctx, wanted.file_ids ?? []) : []
    return { mailbox: undefined, cc: [], bcc: [], files }
  }
  const mailbox = await mailboxFor(ctx, { wanted: wanted.mailbox_id, current: row.mailbox_id })
  if (mailbox === 'refused')
    throw invalid([{ path: 'mailbox_id', message: 'is not a mailbox that you can send from' }])
  const to = keyOf(wanted.to ?? row.address)
  const cc = distinct(wanted.cc ?? [], [to])
  const bcc = distinct(wanted.bcc ?? [], [to, ...cc.map(keyOf)])
  await refuseSuppressed(ctx, [...cc, ...bcc])
  return { mailbox, cc, bcc, files: await takeFiles(ctx, wanted.file_ids ?? []) }
}

/** Of a message in a web chat: files, and nothing else that an email has. */
export async function filesOfChat(ctx: Context, wanted: Wish): Promise<KeptFile[]> {
  refuseOnlyEmail(
    wanted,
    ONLY_EMAIL.filter(path => path !== 'file_ids'),
  )
  return takeFiles(ctx, wanted.file_ids ?? [])
}

/** In the transaction that writes the message. */
export function enclose(
  ctx: Context,
  { id: conversation_id }: ConversationRow,
  message_id: string,
  { mailbox, cc, bcc, files, counted_on = null }: Enclosed,
): void {
  if (mailbox || cc.length > 0 || bcc.length > 0)
    insertLetter(ctx, { message_id, conversation_id, mailbox_id: mailbox?.id ?? null, cc, bcc, counted_on })
  encloseFiles(ctx, conversation_id, message_id, files)
}

/** `part_of`: the message, or the note. */
export function encloseFiles(
  ctx: Context,
  conversation_id: string,
  part_of: string,
  files: readonly KeptFile[],
): void {
  insertParts(
    ctx,
    files.map(({ id: file_id }, position) => ({
      conversation_id,
      part_of,
      position,
      file_id,
      content_id: null,
    })),
  )
}

/** Right before the message is handed over: its files are read, and its mailbox is signed in to. */
export async function letterOf(ctx: Context, message: MessageRow): Promise<Letter | undefined> {
  const { id } = message
  const [letters, attachments] = await Promise.all([findLetters(ctx, [id]), attachmentsOf(ctx, id)])
  const letter = letters.get(id)
  if (!letter) return attachments.length > 0 ? { attachments } : undefined
  const { mailbox_id, cc, bcc } = letter
  const beside = {
    ...(cc.length > 0 && { cc }),
    ...(bcc.length > 0 && { bcc }),
    ...(attachments.length > 0 && { attachments }),
  }
  if (mailbox_id === null) return beside
  const mailbox = await findMailbox(ctx, mailbox_id)
  if (!mailbox)
    throw new MailRefused('The mailbox it was to be sent from has been disconnected.', { address: false })
  const sender = senderOf(mailbox, message.source_name)
  return { ...beside, from_name: sender.name, mailer: await mailerOf(ctx, mailbox, sender) }
}

/** Of these messages, a copy that must not be sent, by the message. */
export async function suppressedCopies(
  ctx: Context,
  message_ids: readonly string[],
): Promise<Map<string, string>> {
  const letters = await findLetters(ctx, message_ids)
  const copies = [...letters.values()].flatMap(({ message_id, cc, bcc }) =>
    [...cc, ...bcc].map(address => ({ message_id, address })),
  )
  if (copies.length === 0) return new Map()
  const suppressed = await findSuppressed(
    ctx,
    'email',
    copies.map(({ address }) => address),
  )
  return new Map(
    copies
      .filter(({ address }) => suppressed.has(keyOf(address)))
      .map(({ message_id, address }) => [message_id, address]),
  )
}

/** A copy in the mailbox that it was sent from, as a mail program keeps it. */
export async function fileSentCopy(ctx: Context, { data }: Job): Promise<void> {
  const { message_id } = data as { message_id: string }
  const [message, content, letters] = await Promise.all([
    findMessage(ctx, message_id),
    findMessageContent(ctx, message_id),
    findLetters(ctx, [message_id]),
  ])
  const mailbox_id = letters.get(message_id)?.mailbox_id
  const mailbox = mailbox_id ? await findMailbox(ctx, mailbox_id) : undefined
  if (!message || !content || !mailbox || !keepsSent(mailbox)) return
  const letter = await letterOf(ctx, message)
  const mail = mailOf(ctx, await senderWithoutPages(ctx), { ...message, ...content }, letter)
  await fileSent(ctx, mailbox, senderOf(mailbox, message.source_name), mail)
}

async function attachmentsOf(ctx: Context, message_id: string): Promise<Attachment[]> {
  const parts = await findParts(ctx, [message_id])
  const ids = parts.map(({ file_id }) => file_id)
  const files = new Map((await findFiles(ctx, ids)).map(file => [file.id, file]))
  const attachments: Attachment[] = []
  for (const id of ids) {
    const { name, type } = files.get(id)!
    attachments.push({ name, type, bytes: await bytesOf(ctx, id) })
  }
  return attachments
}

async function refuseSuppressed(ctx: Context, addresses: readonly string[]): Promise<void> {
  if (addresses.length === 0) return
  const suppressed = await findSuppressed(ctx, 'email', addresses)
  const found = addresses.find(address => suppressed.has(keyOf(address)))
  if (found) throw new Problem('conflict', `${found} is on the suppression list.`, { code: 'suppressed' })
}

/** Each address once, and none that gets the message anyway. */
function distinct(addresses: readonly string[], others: readonly string[]): string[] {
  const seen = new Set(others)
  return addresses.filter(address => !seen.has(keyOf(address)) && seen.add(keyOf(address)))
}

function refuseOnlyEmail(wanted: Wish, paths: readonly (typeof ONLY_EMAIL)[number][]): void {
  const faults = paths
    .filter(path => wanted[path] !== undefined)
    .map((path): Fault => ({ path, message: 'is only for emails' }))
  if (faults.length > 0) throw invalid(faults)
}
