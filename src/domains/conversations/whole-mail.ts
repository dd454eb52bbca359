import type { Context } from '#platform/context.ts'
import type { IncomingMessage } from '#platform/offers.ts'
import type { MailAddress } from '#platform/ports/mailbox.ts'
import { insertFiles, keepFiles, type KeptFile } from '#domains/files/service.ts'
import { ownAmong } from '#domains/mailboxes/sending.ts'
import { insertMail, insertParts, type MailRecipient } from './mail-store.ts'
import { keyOf } from './model.ts'
import { senderAddress } from './sender-address.ts'
import { HTML_LENGTH_MAX, NAME_LENGTH_MAX, RECIPIENTS_MAX, WHOLE_LENGTH_MAX } from './values.ts'

type Mail = NonNullable<IncomingMessage['mail']>

/** An email whose files are safe, and which is still to be written down. */
export type KeptMail = { mail: Mail; files: KeptFile[] }

/** Puts the files where files are kept, before the transaction: they may be large. */
export async function keepMail(
  ctx: Context,
  { mail, mailbox }: IncomingMessage,
): Promise<KeptMail | undefined> {
  if (!mail) return undefined
  const private_to = mailbox?.private_to ?? null
  const files = mail.files.map(({ name, type, bytes }) => ({ name, type, bytes, private_to }))
  return { mail, files: files.length === 0 ? [] : await keepFiles(ctx, files) }
}

/** Beside its entry, in the same transaction. */
export async function writeMail(
  ctx: Context,
  entry: { id: string; conversation_id: string },
  { mail, files }: KeptMail,
): Promise<void> {
  const { html, whole, fingerprint } = mail
  insertMail(ctx, {
    entry_id: entry.id,
    recipients: await othersOf(ctx, mail),
    text: storable(whole.slice(0, WHOLE_LENGTH_MAX)),
    html: html === null || html.length > HTML_LENGTH_MAX ? null : storable(html),
    fingerprint,
  })
  if (files.length === 0) return
  await insertFiles(ctx, files)
  insertParts(
    ctx,
    files.map(({ id: file_id }, position) => ({
      conversation_id: entry.conversation_id,
      part_of: entry.id,
      position,
      file_id,
      content_id: shownInPage(mail, mail.files[position]!.content_id),
    })),
  )
}

/** Whether there is more to it than its text: formatting, or what it quotes. */
export function hasOriginal(text: string, mail: Mail | undefined): boolean {
  return mail !== undefined && (mail.html !== null || mail.whole.trim() !== text.trim())
}

/** Who else got it: our own addresses are nobody to answer to. */
async function othersOf(ctx: Context, { to, cc }: Mail): Promise<MailRecipient[]> {
  const all = [...to.map(party => partyAs('to', party)), ...cc.map(party => partyAs('cc', party))]
  const some = all.slice(0, RECIPIENTS_MAX)
  const own = await ownAmong(
    ctx,
    some.map(({ address }) => address),
  )
  const sender = senderAddress(ctx)
  return some.filter(({ address }) => !own.has(keyOf(address)) && keyOf(address) !== sender)
}

function partyAs(kind: 'to' | 'cc', { address, name }: MailAddress): MailRecipient {
  return { kind, address: line(address), name: name === null ? null : line(name) || null }
}

function line(text: string): string {
  return storable(text.replace(/\s+/g, ' ').trim().slice(0, NAME_LENGTH_MAX))
}

function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}

/** A picture that its page shows; a file with an ID that no page names is a file like any other. */
function shownInPage({ html }: Mail, content_id: string | null): string | null {
  if (content_id === null || html === null) return null
  const isNamed = html.includes(`cid:${content_id}`) || html.includes(`cid:${encodeURIComponent(content_id)}`)
  return isNamed ? storable(content_id.slice(0, NAME_LENGTH_MAX)) : null
}
