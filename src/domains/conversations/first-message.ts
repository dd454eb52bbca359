import type { Context } from '#platform/context.ts'
import { invalid } from '#platform/problem.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { findLeads } from '#domains/leads/service.ts'
import type { CheckFirst, SendingCheck } from './contract.ts'
import { planSending } from './holds.ts'
import { leadOfAddress } from './linking.ts'
import { mailboxAsked } from './mailbox-asked.ts'
import { planWithin } from './mailbox-limit.ts'
import { channelOf, keyOf } from './model.ts'
import * as store from './store.ts'
import type { ConversationRow } from './store.ts'
import { CHAT_ADDRESS } from './values.ts'

/** The same as for a conversation, for whoever has none yet. A lead that is not there has no address. */
export async function checkFirstMessage(
  ctx: Context,
  { lead_id, to, channel: wanted, mailbox_id }: CheckFirst,
): Promise<SendingCheck> {
  if (lead_id !== undefined && to !== undefined)
    throw invalid([{ path: 'to', message: 'must not be given together with lead_id' }])
  const lead = await leadOf(ctx, lead_id, to)
  const known = lead && (await store.findOfLead(ctx, lead.id))
  const address = to === undefined ? addressOf(known, lead) : keyOf(to)
  const channel =
    wanted ?? (to === undefined ? (lead?.phone && !lead.email ? 'sms' : 'email') : channelOf(to))
  if (to !== undefined && (channelOf(to) === 'email') !== (channel === 'email'))
    throw invalid([{ path: 'channel', message: 'does not fit the address' }])
  const about = { id: known?.id ?? null, lead_id: lead?.id ?? null, address }
  const mailbox =
    channel === 'email' ? await mailboxAsked(ctx, mailbox_id, known?.mailbox_id ?? null) : undefined
  const plan = await planWithin(ctx, mailbox, await planSending(ctx, about, channel))
  const { due_at, hold_reason, window_closes_at, refusal, detail } = plan
  const held_until = hold_reason && due_at
  return { channel, to: plan.to, held_until, hold_reason, window_closes_at, refusal, detail }
}

/** Also one in the trash, which is a reason of its own. */
async function leadOf(
  ctx: Context,
  lead_id: string | undefined,
  to: string | undefined,
): Promise<Lead | undefined> {
  if (to !== undefined) return leadOfAddress(ctx, to)
  return lead_id === undefined ? undefined : (await findLeads(ctx, [lead_id]))[0]
}

/** Where they wrote from last, or what the lead has. Without any, one on which nobody can be written to first. */
function addressOf(known: ConversationRow | undefined, lead: Lead | undefined): string {
  return known?.address ?? lead?.email ?? lead?.phone ?? CHAT_ADDRESS
}
