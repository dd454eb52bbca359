import type { Context } from '#platform/context.ts'
import { record } from '#platform/events.ts'
import { touchLead } from '#domains/leads/service.ts'
import { attemptOf } from './compose.ts'
import { messageEvents } from './contract.ts'
import { nameByProvider } from './engagement-store.ts'
import { aboutMessage, cleaned, toldOf } from './message-events.ts'
import { foundSent, tell } from './outcomes.ts'
import * as store from './store.ts'
import type { MessageRow } from './store.ts'

const REASON_LENGTH_MAX = 500

/** What WhatsApp tells of a message, from the least to what nothing else can contradict. */
export const whatsappStatuses = ['sent', 'failed', 'delivered', 'read'] as const
export type WhatsAppStatus = (typeof whatsappStatuses)[number]

export type StatusTold = {
  status: WhatsAppStatus
  /** Which attempt to send it this is about; undefined where that is not said. */
  attempt: string | undefined
  provider_id: string
  /** Why it failed, in plain words. */
  reason: string | null
}

/**
 * Notes what WhatsApp tells of a message of ours. It tells late, repeatedly and in any order, so each word only adds to what is known:
 * whatever their order, the end is the same. What was delivered was sent, although it is said to have failed, since one of several
 * phones may have failed. Whether it was news.
 */
export async function noteStatus(ctx: Context, id: string, told: StatusTold): Promise<boolean> {
  return ctx.transaction(async ctx => {
    const message = await store.lockMessage(ctx, id)
    if (!message || message.channel !== 'whatsapp' || message.status === 'CANCELLED') return false
    const isCurrent = told.attempt === undefined || told.attempt === attemptOf(message)
    if (isCurrent) nameByProvider(ctx, message, told.provider_id)
    const change = changeOf(ctx, message, told, isCurrent)
    if (!change) return false
    store.updateMessage(ctx, id, change)
    return true
  })
}

function changeOf(
  ctx: Context,
  message: MessageRow,
  { status, reason }: StatusTold,
  isCurrent: boolean,
): Partial<MessageRow> | undefined {
  if (status === 'failed') return isCurrent ? failed(ctx, message, reason) : undefined
  if (status === 'sent') return isCurrent && isOpen(message) ? foundSent(ctx, message) : undefined
  // It arrived, by whichever attempt: it must not be sent again.
  const sent = message.status === 'SENT' ? undefined : foundSent(ctx, message)
  const delivered = message.delivered_at === null ? arrived(ctx, message) : undefined
  const read = status === 'read' && message.opened_at === null ? opened(ctx, message) : undefined
  return sent || delivered || read ? { ...sent, ...delivered, ...read } : undefined
}

/** Nothing is known of it yet. */
function isOpen({ status }: MessageRow): boolean {
  return status === 'SENDING' || status === 'UNKNOWN'
}

function failed(ctx: Context, message: MessageRow, reason: string | null): Partial<MessageRow> | undefined {
  const { status, delivered_at, opened_at, replied_at } = message
  const hasArrived = delivered_at !== null || opened_at !== null || replied_at !== null
  if (hasArrived || !(isOpen(message) || status === 'SENT')) return undefined
  const words = cleaned((reason ?? 'WhatsApp did not deliver it.').slice(0, REASON_LENGTH_MAX))
  record(ctx, messageEvents.failed, aboutMessage(message), { ...toldOf(message), reason: words })
  return { status: 'FAILED', reason: words, sent_at: null }
}

function arrived(ctx: Context, message: MessageRow): Partial<MessageRow> {
  tell(ctx, message, 'whatsappDelivered', {})
  return { delivered_at: ctx.now() }
}

function opened(ctx: Context, message: MessageRow): Partial<MessageRow> {
  tell(ctx, message, 'whatsappRead', {})
  touchLead(ctx, message.lead_id, ctx.now())
  return { opened_at: ctx.now() }
}
