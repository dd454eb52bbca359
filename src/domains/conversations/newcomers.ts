import type { Context } from '#platform/context.ts'
import { isMember } from '#domains/identity/members.ts'
import { invalid } from '#platform/problem.ts'
import { schemaCheck } from '#platform/schema-check.ts'
import { NewLead, type Lead } from '#domains/leads/contract.ts'
import { createLead, findLead } from '#domains/leads/service.ts'
import { holdIncoming } from './entry-store.ts'
import { leadOfAddress, linkAddress } from './linking.ts'
import { channelOf, keyOf } from './model.ts'
import * as store from './store.ts'
import type { ConversationRow } from './store.ts'

/** The lead of somebody who wrote, and whether it has been made just now. */
export type Newcomer = { lead: Lead; isNew: boolean }

/**
 * Somebody who is no lead becomes one: the one that has their email address or phone number, or one that is made of these fields. Their
 * conversation goes on as its. Who does the same at the same moment, or takes a message of theirs, waits and finds the lead.
 */
export async function makeLead(
  ctx: Context,
  conversation_id: string | null,
  fields: NewLead,
): Promise<Newcomer> {
  const faults = leadFaults(fields)
  if (faults.length > 0) throw invalid(faults)
  return ctx.transaction(async ctx => {
    const addresses = [fields.email, fields.phone].flatMap(address => (address ? [keyOf(address)] : []))
    for (const address of addresses.toSorted()) await holdIncoming(ctx, { source_key: null, address })
    const row = conversation_id === null ? undefined : await lockWhereItGoesOn(ctx, conversation_id)
    const known =
      row && row.lead_id !== null ? await findLead(ctx, row.lead_id) : await leadOfAny(ctx, addresses)
    const lead = known ?? (await createLead(ctx, { ...(await ownerOf(ctx, row)), ...fields }))
    if (row?.lead_id === null) await linkAddress(ctx, row, lead, await store.lockOfLead(ctx, lead.id))
    return { lead, isNew: known === undefined }
  })
}

/** What other people wrote is judged like what comes by a request. */
export const leadFaults = schemaCheck(NewLead)

/** Whether a lead may have it: some senders of text messages have only a name. */
export function isLeadAddress(address: string): boolean {
  const channel = channelOf(address)
  if (channel !== 'email' && channel !== 'sms') return false
  return leadFaults(channel === 'email' ? { email: address } : { phone: address }).length === 0
}

/** It may have been joined with another meanwhile. */
async function lockWhereItGoesOn(ctx: Context, id: string): Promise<ConversationRow | undefined> {
  const row = await store.lockConversation(ctx, id)
  return row?.merged_into ? lockWhereItGoesOn(ctx, row.merged_into) : row
}

async function ownerOf(ctx: Context, row: ConversationRow | undefined): Promise<Pick<NewLead, 'owner_id'>> {
  const owner_id = row?.assignee_id
  return owner_id && (await isMember(ctx, owner_id)) ? { owner_id } : {}
}

/** The email address says it before the phone number does. */
async function leadOfAny(ctx: Context, addresses: readonly string[]): Promise<Lead | undefined> {
  for (const address of addresses) {
    const lead = await leadOfAddress(ctx, address)
    if (lead) return lead
  }
  return undefined
}
