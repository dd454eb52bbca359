import type { Context } from '#platform/context.ts'
import { MailRefused, MailUncertain } from '#platform/ports/mail.ts'
import { MailboxRefused, MailboxUnavailable } from '#platform/ports/mailbox.ts'
import { Problem } from '#platform/problem.ts'
import { membersAmong } from '#domains/identity/members.ts'
import { sentFrom } from '#domains/mailboxes/daily-limit.ts'
import { findMailbox, mailerOf, senderOf, type MailboxRow } from '#domains/mailboxes/sending.ts'
import { refuseFor } from '#domains/mailboxes/service.ts'
import { messageIdOf } from '#domains/messages/compose.ts'
import { valuesOf } from '#domains/messages/letters.ts'
import { senderOf as teamSender } from '#domains/messages/settings.ts'
import { wrap, wrapText } from '#domains/templates/render.ts'
import { signatureOf, signerOf } from './letter.ts'
import { findSettings } from './settings.ts'

const TEST_TEXT = 'This is a test. If you can read it, this mailbox sends, and this is how its emails look.'

/** What was sent from it lately, and how much of that came back. */
export async function readSent(ctx: Context, id: string) {
  const row = await existing(ctx, id)
  const { timezone } = await findSettings(ctx)
  return { daily_limit: row.daily_limit, ...(await sentFrom(ctx, row, timezone)) }
}

/** As it would be below an email of the caller's. */
export async function previewSignature(ctx: Context, id: string, signature: string | null) {
  const part = await signatureFor(ctx, await existing(ctx, id), signature)
  return { html: wrap({ body: '', signature: part?.html }), text: part?.text ?? '' }
}

/** To the caller, now, and kept nowhere: with this signature, or with the one that is saved. */
export async function sendTest(
  ctx: Context,
  id: string,
  { signature }: { signature?: string | null },
): Promise<{ to: string }> {
  const row = await existing(ctx, id)
  refuseFor(ctx, row.owner_id)
  const { user_id } = ctx.requirePerson()
  const person = (await membersAmong(ctx, [user_id])).get(user_id)
  if (!person?.email)
    throw new Problem('conflict', 'You have no email address to send a test to.', { code: 'no_address' })
  const part = await signatureFor(ctx, row, signature === undefined ? row.signature : signature)
  const subject = `Test from ${row.address}`
  const sender = senderOf(row, ctx.actor.name)
  const mailer = await mailerOf(ctx, row, sender)
  try {
    await mailer.send({
      to: person.email,
      subject,
      html: wrap({ title: subject, body: `<p>${TEST_TEXT}</p>`, signature: part?.html }),
      text: wrapText({ body: TEST_TEXT, signature: part?.text }),
      message_id: messageIdOf(ctx, ctx.newId()),
      ...(sender.name && { from_name: sender.name }),
    })
  } catch (error) {
    if (!troubles.some(kind => error instanceof kind)) throw error
    throw new Problem('conflict', `The test was not sent: ${(error as Error).message}`, {
      code: 'test_not_sent',
      cause: error,
    })
  }
  return { to: person.email }
}

const troubles = [MailboxRefused, MailboxUnavailable, MailRefused, MailUncertain]

async function signatureFor(ctx: Context, row: MailboxRow, signature: string | null) {
  const sender = await teamSender(ctx)
  const signed = signature ?? sender.signature
  if (!signed) return undefined
  const values = valuesOf(ctx, null, sender)
  return signatureOf(signed, { ...values, senderName: signerOf(ctx, row) ?? values.senderName ?? '' })
}

async function existing(ctx: Context, id: string): Promise<MailboxRow> {
  const row = await findMailbox(ctx, id)
  if (!row) throw new Problem('not_found', 'No such mailbox.')
  return row
}
