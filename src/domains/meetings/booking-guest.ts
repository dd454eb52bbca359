import type { Context } from '#platform/context.ts'
import { addLeads, findByKey, sameness } from '#domains/leads/intake.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { newLead } from '#domains/leads/model.ts'
import { findLead, recentSettings } from '#domains/leads/service.ts'
import type { Guest } from './contract.ts'
import { lockAddress } from './guest-store.ts'
import { readGuestToken } from './tokens.ts'

/** The lead a link was created for; undefined if it is not one of our links, or of another team. */
export async function findGuest(ctx: Context, token: unknown): Promise<Lead | undefined> {
  if (typeof token !== 'string') return undefined
  const asked = readGuestToken(ctx.runtime.settings, token)
  return asked?.team_id === ctx.team_id ? findLead(ctx, asked.lead_id) : undefined
}

/** As that lead would fill in the form. */
export function guestOf(lead: Lead): Partial<Guest> {
  const name = [lead.first_name, lead.last_name].filter(Boolean).join(' ')
  return { ...(name && { name }), ...(lead.email && { email: lead.email }) }
}

type Coming = Guest & { timezone: string; host_id: string }

/** In the transaction of the booking: known again by the address, else a new lead of who is met. */
export async function leadOfGuest(ctx: Context, { name, email, timezone, host_id }: Coming): Promise<Lead> {
  const key = sameness('email', email)
  await lockAddress(ctx, key)
  const known = (await findByKey(ctx, 'email', [key], { lock: true })).get(key)
  if (known) return known
  const [first_name, ...rest] = name.split(' ')
  const made = { id: ctx.newId(), at: ctx.now() }
  const lead = newLead(
    {
      first_name: first_name!,
      ...(rest.length > 0 && { last_name: rest.join(' ') }),
      email,
      timezone,
      owner_id: host_id,
      source: SOURCE,
    },
    await recentSettings(ctx),
    made,
  )
  addLeads(ctx, [lead], {})
  return lead
}

const SOURCE = 'Booking page'
