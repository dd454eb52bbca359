import type { Context } from '#platform/context.ts'
import { mailboxFor, type MailboxRow } from '#domains/mailboxes/sending.ts'

/** The mailbox that a message would be sent from; `none` is that of the installation. One that the caller cannot send from is refused when it is written. */
export async function mailboxAsked(
  ctx: Context,
  wanted: string | undefined,
  current: string | null,
): Promise<MailboxRow | undefined> {
  const mailbox = await mailboxFor(ctx, { wanted: wanted === 'none' ? null : wanted, current })
  return mailbox === 'refused' ? undefined : mailbox
}
