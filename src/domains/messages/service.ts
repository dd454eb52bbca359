import type { Context } from '#platform/context.ts'
import { record } from '#platform/events.ts'
import { escape } from '#platform/html.ts'
import { Problem } from '#platform/problem.ts'
import { messageEvents, type ListMessages, type Message, type MessageContent } from './contract.ts'
import * as list from './list-store.ts'
import { senderWithoutPages } from './settings.ts'
import * as store from './store.ts'
import { messageColumns, type MessageRow } from './store.ts'
import { aboutMessage, toldOf } from './message-events.ts'
import { readToken } from './tokens.ts'
import { withoutPixel } from './compose.ts'

/** What its reader sees of a message. */
export async function findMessageContent(ctx: Context, id: string): Promise<store.Content | undefined> {
  const [found] = await store.findContents(ctx, [id])
  return found && { text: found.text, html: found.html }
}

export {
  cancelOf,
  countInTrouble,
  countSteps,
  findLatestEmails,
  findMessage,
  type LatestEmail,
  type MessageRow,
} from './store.ts'

export { findLastEmailTo, findOfLead, findWithText, type LeadMessage } from './list-store.ts'

export async function listMessages(ctx: Context, query: ListMessages) {
  return list.listMessages(ctx, query)
}

/**
 * As its recipient sees it: views by team members are not tracked, and links lead directly to their targets.
 */
export async function readMessage(ctx: Context, id: string): Promise<MessageContent> {
  const message = existing(await store.findMessage(ctx, id))
  const [[content], { from_name, reply_to }] = await Promise.all([
    store.findContents(ctx, [id]),
    senderWithoutPages(ctx),
  ])
  const { text, html } = content!
  return {
    ...publicly(message),
    text,
    html: html === null ? null : withOwnLinks(ctx, message, withoutPixel(html)),
    from: fromLine(ctx.runtime.settings.emailFrom, from_name),
    reply_to,
  }
}

/** The author is notified and resends it: only a person may resend what may already have been sent. */
export async function retryMessage(ctx: Context, id: string): Promise<Message> {
  return move(ctx, id, {
    from: ['FAILED', 'UNKNOWN'],
    change: { status: 'DUE', reason: null, tries: 0, due_at: ctx.now(), accepted_at: null },
    event: 'retried',
    refusal: 'Only a message that failed or has an unknown outcome can be resent.',
  })
}

export async function cancelMessage(ctx: Context, id: string): Promise<Message> {
  return move(ctx, id, {
    from: ['DUE'],
    change: { status: 'CANCELLED', reason: `Cancelled by ${ctx.actor.name ?? 'a team member'}.` },
    event: 'cancelled',
    refusal: 'Only a queued message can be cancelled.',
  })
}

type Move = {
  from: readonly MessageRow['status'][]
  change: Partial<MessageRow>
  event: 'retried' | 'cancelled'
  refusal: string
}

async function move(ctx: Context, id: string, { from, change, event, refusal }: Move): Promise<Message> {
  return ctx.transaction(async ctx => {
    const message = existing(await store.lockMessage(ctx, id))
    if (!from.includes(message.status))
      throw new Problem('conflict', refusal, { code: `message_${message.status.toLowerCase()}` })
    store.updateMessage(ctx, id, change)
    record(ctx, messageEvents[event], aboutMessage(message), toldOf(message))
    return publicly({ ...message, ...change })
  })
}

function existing(message: MessageRow | undefined): MessageRow {
  if (!message) throw new Problem('not_found', 'No such message.')
  return message
}

function publicly(message: MessageRow): Message {
  return Object.fromEntries(messageColumns.map(name => [name, message[name]])) as Message
}

/** Links that went by us are shown as their author wrote them. */
function withOwnLinks({ runtime: { settings } }: Context, { links }: MessageRow, html: string): string {
  return html.replace(
    /(\shref=")https?:\/\/[^"/]+\/t\/c\/([\w-]+)(?=")/g,
    (whole, before: string, token: string) => {
      const url = links[readToken(settings, token)?.link ?? -1]?.url
      return url === undefined ? whole : before + escape(url)
    },
  )
}

/** The name beside the address of the installation. */
function fromLine(emailFrom: string, name: string | null): string {
  if (!name) return emailFrom
  const address = /<([^<>]+)>\s*$/.exec(emailFrom)?.[1] ?? emailFrom
  return `${name} <${address}>`
}
