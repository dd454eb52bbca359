import type { Context } from '#platform/context.ts'
import { knownZone, nextOutside } from '#platform/zone.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { findLeads } from '#domains/leads/service.ts'
import { senderWithoutPages } from '#domains/messages/settings.ts'
import { findSuppression } from '#domains/suppressions/service.ts'
import { WHATSAPP_WINDOW_MS } from '#domains/messages/values.ts'
import { findLastWhatsApp } from './entry-store.ts'
import { channelOf, keyOf } from './model.ts'
import type { ConversationRow } from './store.ts'
import { UNDO_MS, type ConversationChannel, type ConversationHold, type SendingRefusal } from './values.ts'

const FALLBACK_ZONE = 'UTC'

export type Sending = {
  to: string | null
  lead: Lead | undefined
  /** When it goes. */
  due_at: string
  hold_reason: ConversationHold | null
  refusal: SendingRefusal | null
  /** The refusal or hold in plain words. */
  detail: string | null
  /** By WhatsApp: until when free text may be sent, or might have been. */
  window_closes_at: string | null
}

/** Without an ID where there is no conversation yet. */
type To = Pick<ConversationRow, 'lead_id' | 'address'> & { id: string | null }
type Wish = { send_at?: string | undefined; send_anyway?: boolean | undefined; template?: unknown }

/** What holds a message back, and until when; or why it cannot be sent. The composer asks it, and so does sending. */
export async function planSending(
  ctx: Context,
  { id, lead_id, address }: To,
  channel: ConversationChannel,
  { send_at, send_anyway, template }: Wish = {},
): Promise<Sending> {
  const [lead] = lead_id === null ? [] : await findLeads(ctx, [lead_id])
  const heard = channel === 'whatsapp' && id !== null ? await findLastWhatsApp(ctx, id) : undefined
  const to = heard?.address ?? addressFor(channel, address, lead)
  const due_at = send_at ?? ctx.in(UNDO_MS)
  const plan = {
    to,
    lead,
    due_at,
    hold_reason: send_at ? ('send_later' as const) : null,
    refusal: null,
    detail: null,
    window_closes_at: heard ? windowEnd(heard.at) : null,
  }
  if (lead?.deleted_at)
    return { ...plan, refusal: 'in_trash', detail: 'The lead is in the trash. Restore it to write to it.' }
  if (to === null) {
    const what = channel === 'email' ? 'email address' : 'phone number'
    return { ...plan, refusal: 'no_address', detail: `There is no ${what} to write to.` }
  }
  const suppressed = await findSuppression(ctx, channel === 'email' ? 'email' : 'phone', to)
  if (suppressed)
    return {
      ...plan,
      refusal: 'suppressed',
      detail: `${to} is on the suppression list (${suppressed.reason}).`,
    }
  const zone = knownZone(lead?.timezone) ?? FALLBACK_ZONE
  if (channel === 'whatsapp') {
    const detail = template ? null : windowFault(ctx, plan.window_closes_at, due_at, zone)
    return detail === null ? plan : { ...plan, refusal: 'window_closed', detail }
  }
  const open = send_anyway || channel !== 'sms' ? due_at : await outsideQuietHours(ctx, due_at, zone)
  if (open === due_at) return plan
  return {
    ...plan,
    due_at: open,
    hold_reason: 'quiet_hours',
    detail: `It is sent after the quiet hours in ${zone}.`,
  }
}

async function outsideQuietHours(ctx: Context, due_at: string, zone: string): Promise<string> {
  const { sms_quiet_from: from, sms_quiet_until: until } = await senderWithoutPages(ctx)
  if (!from || !until) return due_at
  return new Date(nextOutside(Date.parse(due_at), from, until, zone)).toISOString()
}

export function windowEnd(last_in_at: string): string {
  return new Date(Date.parse(last_in_at) + WHATSAPP_WINDOW_MS).toISOString()
}

/** Why free text may not be sent by WhatsApp at this time; null where it may. */
function windowFault(ctx: Context, closes_at: string | null, at: string, zone: string): string | null {
  const next = 'Choose a template, or write on another channel.'
  if (closes_at === null) return `They have not written to you by WhatsApp. ${next}`
  if (at < closes_at) return null
  const when = `${timeIn(zone, closes_at)} (${zone})`
  return closes_at <= ctx.now()
    ? `WhatsApp allows free text for 24 hours after their last message: it closed on ${when}. ${next}`
    : `WhatsApp allows free text for 24 hours after their last message: it closes on ${when}, before this is sent. ${next}`
}

function timeIn(zone: string, at: string): string {
  return new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  }).format(Date.parse(at))
}

/** A chat reaches its visitor at once, as long as there is one. */
export function planSaying(to: string | null, now: string): Omit<Sending, 'lead'> {
  const plan = { to, due_at: now, hold_reason: null, window_closes_at: null }
  if (to === null) return { ...plan, refusal: 'no_address', detail: 'They have not used the web chat.' }
  return { ...plan, refusal: null, detail: null }
}

/** Where they wrote from last; on another channel, what the lead has. */
function addressFor(channel: ConversationChannel, address: string, lead: Lead | undefined): string | null {
  const own = (channel === 'email' ? lead?.email : lead?.phone) ?? null
  if (channelOf(address) !== channel) return own
  // Kept in lower case here, while the lead has it as its owner writes it.
  return own && keyOf(own) === address ? own : address
}
