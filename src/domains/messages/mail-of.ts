import type { Context } from '#platform/context.ts'
import type { Mail, Mailer } from '#platform/ports/mail.ts'
import { unsubscribeUrl } from './compose.ts'
import type { Sender } from './settings.ts'
import type { Content, MessageRow } from './store.ts'

/** What an email has beside its row, and who sends it instead of the installation's server. */
export type Letter = Pick<Mail, 'cc' | 'bcc' | 'attachments'> & {
  from_name?: string | undefined
  mailer?: Mailer
}

/** An email as it is handed over. */
export function mailOf(
  ctx: Context,
  sender: Sender,
  message: MessageRow & Content,
  { from_name: own_name, mailer, ...beside }: Letter = {},
): Mail {
  const { id, source_kind, source_name, thread } = message
  const isPersonal = source_kind === 'person' || source_kind === 'agent'
  const from_name = own_name ?? (isPersonal ? (source_name ?? sender.from_name) : sender.from_name)
  return {
    to: message.address,
    subject: message.subject ?? '',
    text: message.text,
    html: message.html ?? '',
    message_id: message.message_id!,
    ...(from_name && { from_name }),
    // Answers to a mailbox of its own come to that mailbox.
    ...(sender.reply_to && !mailer && { reply_to: sender.reply_to }),
    ...(thread.length > 0 && { thread }),
    ...beside,
    // What a person writes to another, or an agent answers, is nothing to subscribe to.
    ...(!isPersonal && { unsubscribe_url: unsubscribeUrl(ctx, id) }),
  }
}
