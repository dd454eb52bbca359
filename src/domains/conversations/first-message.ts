import type { Context } from '#platform/context.ts'
import { invalid } from '#platform/problem.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { findLeads } from '#domains/leads/service.ts'
import type { CheckFirst, SendingCheck } from './contract.ts'
import { planSending } from './holds.ts'
import { leadOfAddress } from './linking.ts'
import { channelOf, keyOf } from './model.ts'
import * as store from './store.ts'
import { CHAT_ADDRESS } from './values.ts'

/** The same as for a conversation, for whoever has none yet. */
export async function checkFirstMessage(
  ctx: Context,
  { lead_id, to, channel: wanted }: CheckFirst,
): Promise<SendingCheck> {
  if ((lead_id === undefined) === (to === undefined))
    throw invalid([{ path: 'lead_id', message: 'must be given, or to, but not both' }])
  const lead = lead_id === undefined ? await leadOfAddress(ctx, to!) : (await findLeads(ctx, [lead_id]))[0]
  if (lead_id !== undefined && !lead) throw invalid([{ path: 'lead_id', message: 'is not a lead' }])
  const address = to === undefined ? await addressOf(ctx, lead!) : keyOf(to)
  const channel = wanted ?? (to === undefined ? (lead?.email ? 'email' : 'sms') : channelOf(to))
  if (to !== undefined && channelOf(to) !== channel)
    throw invalid([{ path: 'channel', message: 'does not fit the address' }])
  const plan = await planSending(ctx, { lead_id: lead?.id ?? null, address }, channel)
  const { due_at, hold_reason, refusal, detail } = plan
  return { channel, to: plan.to, held_until: hold_reason && due_at, hold_reason, refusal, detail }
}

/** Where they wrote from last, or what the lead has. Without any, one on which nobody can be written to first. */
async function addressOf(ctx: Context, { id, email, phone }: Lead): Promise<string> {
  return (await store.findOfLead(ctx, id))?.address ?? email ?? phone ?? CHAT_ADDRESS
}
