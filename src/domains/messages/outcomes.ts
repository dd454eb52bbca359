import type { Context } from '#platform/context.ts'
import { record } from '#platform/events.ts'
import { findLeads, touchLead } from '#domains/leads/service.ts'
import { suppress } from '#domains/suppressions/service.ts'
import type { SuppressionReason } from '#domains/suppressions/values.ts'
import { recordAnswer } from './answer-store.ts'
import { messageEvents } from './contract.ts'
import { isTooFast } from './machine.ts'
import * as store from './store.ts'
import type { MessageRow } from './store.ts'
import { aboutMessage, actorOf, cleaned, sentEvents, toldOf } from './message-events.ts'

/** What somebody wrote back is kept as a beginning: the whole of it is where it was sent to. */
const ANSWER_LENGTH_MAX = 5_000
const REASON_LENGTH_MAX = 500

type Which = Pick<MessageRow, 'id'>

/*
 * Delivery and engagement events. Each appears once on the timeline, no matter who reports it, how often or
 * in which order; nothing is ever undone. They return whether it was new.
 */

export async function noteDelivered(ctx: Context, { id }: Which): Promise<boolean> {
  return hear(ctx, id, (ctx, message) => {
    if (message.delivered_at) return undefined
    tell(ctx, message, named(message, 'delivered', 'smsDelivered', 'whatsappDelivered'), {})
    return { delivered_at: ctx.now() }
  })
}

/** A machine's open is kept apart: it says that the mail arrived, and not that anybody read it. */
export async function noteOpened(
  ctx: Context,
  { id }: Which,
  { machine }: { machine: boolean },
): Promise<boolean> {
  return hear(ctx, id, (ctx, message) => openedBy(ctx, message, machine))
}

/**
 * Each link is reported once for people and once for machines. A click means the email was open; but no
 * person follows two links in the same moment.
 */
export async function noteClicked(
  ctx: Context,
  { id }: Which,
  { link: at, machine: judged }: { link: number; machine: boolean },
): Promise<boolean> {
  return hear(ctx, id, (ctx, message) => {
    const link = message.links[at]
    if (!link) return undefined
    const machine = judged || isTooFast(message.clicks, at, ctx.now())
    const isKnown = message.clicks.some(
      click => click.machine === machine && message.links[click.link]?.url === link.url,
    )
    if (isKnown) return undefined
    const clicks = [...message.clicks, { link: at, at: ctx.now(), machine }]
    const opened = machine ? undefined : openedBy(ctx, message, false)
    const { url, meeting } = link
    tell(ctx, message, 'clicked', { url, meeting, machine }, { automations: !machine })
    if (machine) return { clicks }
    touchLead(ctx, message.lead_id, ctx.now())
    return { ...opened, clicks, clicked_at: message.clicked_at ?? ctx.now() }
  })
}

/** Of a lead's answers each is told; `answer_id` tells them apart, and without one only the first counts. */
export async function noteReplied(
  ctx: Context,
  { id }: Which,
  { text, answer_id }: { text: string; answer_id?: string | null | undefined },
): Promise<boolean> {
  return hear(ctx, id, async (ctx, message) => {
    if (!(await isNewAnswer(ctx, message, answer_id, message.replied_at === null))) return undefined
    tell(ctx, message, named(message, 'replied', 'smsReplied', 'whatsappReplied'), answerOf(text, answer_id))
    touchLead(ctx, message.lead_id, ctx.now())
    return { replied_at: message.replied_at ?? ctx.now() }
  })
}

/** An out-of-office reply appears on the timeline and has no other effect. */
export async function noteAutoReplied(
  ctx: Context,
  { id }: Which,
  { text, answer_id }: { text: string; answer_id: string | null | undefined },
): Promise<boolean> {
  return hear(ctx, id, async (ctx, message) => {
    if (!(await isNewAnswer(ctx, message, answer_id, false))) return undefined
    tell(ctx, message, 'autoReplied', answerOf(text, answer_id))
    return {}
  })
}

/** What will never arrive there is not sent there again. What may be learnt later is whether that is so. */
export async function noteBounce(
  ctx: Context,
  { id }: Which,
  { permanent, reason }: { permanent: boolean; reason: string },
): Promise<boolean> {
  return hear(ctx, id, async (ctx, message) => {
    if (message.bounced_at && (message.bounce?.permanent || !permanent)) return undefined
    const bounce = { permanent, reason: cleaned(reason.slice(0, REASON_LENGTH_MAX)) }
    if (permanent) await suppressAddress(ctx, message, 'bounced', sourceOf(ctx))
    if (!message.bounced_at) tell(ctx, message, message.channel === 'sms' ? 'smsBounced' : 'bounced', bounce)
    return { bounced_at: message.bounced_at ?? ctx.now(), bounce }
  })
}

/** Somebody who calls it spam is left alone on every channel. */
export async function noteComplained(ctx: Context, { id }: Which): Promise<boolean> {
  return hear(ctx, id, async (ctx, message) => {
    if (message.complained_at) return undefined
    const source = sourceOf(ctx)
    await suppressAddress(ctx, message, 'complained', source)
    const [lead] = await findLeads(ctx, [message.lead_id])
    const others = [
      ...(lead?.email ? [{ channel: 'email' as const, address: lead.email }] : []),
      ...(lead?.phone ? [{ channel: 'phone' as const, address: lead.phone }] : []),
    ]
    for (const which of others) await suppress(ctx, { ...which, reason: 'complained', source })
    tell(ctx, message, 'complained', {})
    return { complained_at: ctx.now() }
  })
}

/** By a link in a mail, or by STOP: said again, it holds again. */
export async function noteUnsubscribed(
  ctx: Context,
  { id }: Which,
  { source }: { source: string },
): Promise<boolean> {
  return hear(ctx, id, async (ctx, message) => {
    const isText = message.channel !== 'email'
    await suppressAddress(ctx, message, isText ? 'stop' : 'unsubscribed', source)
    if (message.unsubscribed_at) return undefined
    tell(ctx, message, named(message, 'unsubscribed', 'smsUnsubscribed', 'whatsappUnsubscribed'), {})
    return { unsubscribed_at: ctx.now() }
  })
}

/** Taken back by the person itself: should they change their mind once more, it is told once more. */
export async function noteResubscribed(ctx: Context, { id }: Which): Promise<void> {
  await hear(ctx, id, (_, { unsubscribed_at }) => (unsubscribed_at ? { unsubscribed_at: null } : undefined))
}

type Change = Partial<MessageRow> | undefined

/** One at a time per message. Any event about it proves that a message with an unknown outcome was sent. */
async function hear(
  ctx: Context,
  id: string,
  take: (ctx: Context, message: MessageRow) => Promise<Change> | Change,
): Promise<boolean> {
  return ctx.transaction(async ctx => {
    const message = await store.lockMessage(ctx, id)
    if (!message) return false
    const isAccepted = message.status === 'SENDING' && message.accepted_at !== null
    const found = message.status === 'UNKNOWN' || isAccepted ? foundSent(ctx, message) : undefined
    const change = await take(ctx, message)
    const written = { ...found, ...change }
    if (Object.keys(written).length > 0) store.updateMessage(ctx, id, written)
    return change !== undefined
  })
}

/** One that is in a hand just now stays there: who holds it will say that it was sent, and see to what follows. */
export function foundSent(ctx: Context, message: MessageRow): Partial<MessageRow> {
  tell(ctx.as(actorOf(message)), message, sentEvents[message.channel], {})
  // For the message's author; the timeline has the event above.
  record(ctx, messageEvents.found, { kind: 'message', id: message.id }, toldOf(message))
  return { status: 'SENT', reason: null, sent_at: ctx.now() }
}

function openedBy(ctx: Context, message: MessageRow, machine: boolean): Change {
  if (machine ? message.machine_opened_at : message.opened_at) return undefined
  tell(ctx, message, 'opened', { machine }, { automations: !machine })
  if (machine) return { machine_opened_at: ctx.now() }
  touchLead(ctx, message.lead_id, ctx.now())
  return { opened_at: ctx.now() }
}

async function isNewAnswer(
  ctx: Context,
  { id }: MessageRow,
  answer_id: string | null | undefined,
  otherwise: boolean,
): Promise<boolean> {
  return answer_id ? recordAnswer(ctx, id, answer_id) : otherwise
}

type Told = typeof messageEvents

function named<Name extends keyof Told>(
  { channel }: MessageRow,
  email: Name,
  sms: Name,
  whatsapp: Name,
): Name {
  return channel === 'email' ? email : channel === 'sms' ? sms : whatsapp
}

export function tell<Name extends keyof Told>(
  ctx: Context,
  message: MessageRow,
  name: Name,
  more: Record<string, unknown>,
  telling: { automations?: boolean } = {},
): void {
  record(ctx, messageEvents[name], aboutMessage(message), { ...toldOf(message), ...more } as never, telling)
}

async function suppressAddress(
  ctx: Context,
  { channel, address }: MessageRow,
  reason: SuppressionReason,
  source: string,
): Promise<void> {
  await suppress(ctx, { channel: channel === 'email' ? 'email' : 'phone', address, reason, source })
}

/** Where it was learnt: from a provider, or from the server that would not take it. */
function sourceOf({ actor }: Context): string {
  return (actor.kind === 'provider' && actor.name) || 'mail server'
}

/** What was answered, and what tells it apart from other answers. */
function answerOf(text: string, answer_id: string | null | undefined) {
  return { text: beginningOf(text), answer_id: answer_id ? cleaned(answer_id) : null }
}

function beginningOf(text: string): string {
  return cleaned(text.slice(0, ANSWER_LENGTH_MAX))
}
