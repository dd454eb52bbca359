import type { Context } from '#platform/context.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { createLead, findLeadIdsByAddress, findLeads } from '#domains/leads/service.ts'
import { lockWords } from './store.ts'

const SOURCE = 'Phone call'

/** Who has this number: of several the newest. */
export async function findCaller(ctx: Context, phone: string): Promise<Lead | undefined> {
  const leads = await findLeads(ctx, await findLeadIdsByAddress(ctx, 'phone', phone))
  return leads.toSorted((a, b) => (a.created_at + a.id < b.created_at + b.id ? 1 : -1))[0]
}

/** The same; somebody unknown becomes a lead. Who calls twice at once becomes one. */
export async function leadOfCaller(ctx: Context, phone: string): Promise<Lead> {
  return ctx.transaction(async ctx => {
    const found = await findCaller(ctx, phone)
    if (found) return found
    await lockWords(ctx, [`caller ${phone}`])
    return (await findCaller(ctx, phone)) ?? createLead(ctx, { phone, source: SOURCE })
  })
}
