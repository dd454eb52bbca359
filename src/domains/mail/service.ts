import type { Context } from '#platform/context.ts'
import { enqueue, type Job } from '#platform/jobs/queue.ts'
import { MailUncertain, type Attachment } from '#platform/ports/mail.ts'
import type { NewMail } from './contract.ts'
import * as store from './store.ts'

export const SEND_JOB = 'mail.send'
const ERROR_LENGTH_MAX = 500
/** Servers refuse mails that are much larger. */
export const ATTACHMENTS_BYTES_MAX = 5 * 1024 * 1024

/** Writes a mail in the transaction of what causes it; a job sends it afterwards. */
export function sendMail(
  ctx: Context,
  { to, about, attachments = [], from_name, reply_to, calendar, ...mail }: NewMail,
): string {
  const bytes = attachments.reduce((sum, { bytes }) => sum + bytes.length, 0)
  if (bytes > ATTACHMENTS_BYTES_MAX) throw new Error(`The email attachments are too large (${bytes} bytes).`)
  const id = ctx.newId()
  const { hostname } = new URL(ctx.runtime.settings.baseUrl)
  store.insertMail(ctx, {
    id,
    ...mail,
    recipient: to,
    about_kind: about.kind,
    about_id: about.id,
    from_name: from_name ?? null,
    reply_to: reply_to ?? null,
    attachments: attachments.length > 0 ? attachments.map(packed) : null,
    calendar: calendar ?? null,
    message_id: `<${mail.kind}-${id}@${hostname}>`,
    status: 'DUE',
    error: null,
    created_at: ctx.now(),
    sent_at: null,
  })
  enqueue(ctx, { kind: SEND_JOB, data: { mail_id: id } })
  return id
}

/**
 * Sends a mail that is due. Its row says SENDING before the server is called, and only who wrote that calls it: a worker
 * that was frozen and woke again finds it elsewhere and sends nothing. One that still says SENDING at a later try was
 * left so by a worker that died, and nobody knows whether it went out: it becomes UNKNOWN and is not sent again.
 */
export async function sendDue(ctx: Context, job: Job): Promise<void> {
  const { mail_id: id } = job.data as { mail_id: string }
  const mail = await store.takeMail(ctx, id)
  if (!mail) return void (await store.moveMail(ctx, id, ['SENDING'], { status: 'UNKNOWN' }))
  const { recipient: to, subject, text, html, message_id, from_name, reply_to, attachments, calendar } = mail
  try {
    await ctx.runtime.ports.mail.send({
      to,
      subject,
      text,
      html,
      message_id,
      ...(from_name !== null && { from_name }),
      ...(reply_to !== null && { reply_to }),
      ...(attachments !== null && { attachments: attachments.map(unpacked) }),
      ...(calendar !== null && { calendar }),
    })
  } catch (error) {
    const uncertain = error instanceof MailUncertain
    const message = String(error instanceof Error ? error.message : error).slice(0, ERROR_LENGTH_MAX)
    await store.moveMail(ctx, id, ['SENDING'], { status: uncertain ? 'UNKNOWN' : 'FAILED', error: message })
    if (uncertain) return
    throw error
  }
  await store.moveMail(ctx, id, ['SENDING', 'UNKNOWN'], { status: 'SENT', sent_at: ctx.now(), error: null })
}

/** How many emails of a kind an address got lately, to limit how much we can be made to send to it. */
export async function mailsTo(ctx: Context, kind: string, to: string, sinceMs: number): Promise<number> {
  return store.countSince(ctx, kind, to, ctx.in(-sinceMs))
}

function packed({ name, type, bytes }: Attachment) {
  return { name, type, base64: bytes.toString('base64') }
}

function unpacked({ name, type, base64 }: ReturnType<typeof packed>): Attachment {
  return { name, type, bytes: Buffer.from(base64, 'base64') }
}
