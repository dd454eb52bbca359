import { isoAt, type FakeClock } from '#platform/clock.ts'
import type { Context } from '#platform/context.ts'
import type { Agent } from '#domains/agents/contract.ts'
import { createAgent } from '#domains/agents/service.ts'
import { createInvoice, openInvoice } from '#domains/invoices/service.ts'
import { changeSettings } from '#domains/invoices/settings.ts'
import { listOpportunities } from '#domains/opportunities/service.ts'
import { DAY_MS } from './calendar.ts'
import { TEAM_NAME } from './company.ts'
import type { Member } from './members.ts'

const AGENT_DAYS_AGO = 20

/** One is due soon, one is overdue, and the latest is still being written. */
const billed = [
  { issuedDaysAgo: 30, dueDaysAgo: 9 },
  { issuedDaysAgo: 5, dueDaysAgo: -9 },
  { issuedDaysAgo: 0, dueDaysAgo: null },
]

/**
 * Invoices for deals that were won, and an agent that is for sale. Nobody is reminded and nothing is paid: the demo tells
 * neither a customer nor a bank of anything, whatever is configured.
 */
export async function sell(ctx: Context, clock: FakeClock, by: Member, now: number): Promise<Agent> {
  const own = ctx.as(by)
  const seller = { name: TEAM_NAME, email: null, address: '12 Harbour Street\nBristol', tax_id: null }
  const bank = { account_holder: TEAM_NAME, iban: 'GB33BUKB20201555555555', bic: 'BUKBGB22', bank_name: null }
  await changeSettings(own, { seller, bank, reminder_days: [] })
  const { data: won } = await listOpportunities(own, { stage: ['closed_won'], limit: billed.length })
  for (const [at, { name, id, lead_id, account_id, amount, currency }] of won.entries()) {
    const { issuedDaysAgo, dueDaysAgo } = billed[at]!
    clock.set(isoAt(now - issuedDaysAgo * DAY_MS))
    const invoice = await createInvoice(own, {
      lead_id,
      account_id,
      opportunity_id: id,
      currency,
      lines: [
        { description: name, quantity: '1', unit_price: amount ?? '1200', tax_percent: '20' },
        { description: 'Setup, two days', quantity: '2', unit_price: '640', tax_percent: '20' },
      ],
      due_at: dueDaysAgo === null ? null : isoAt(now - dueDaysAgo * DAY_MS),
    })
    if (dueDaysAgo !== null) await openInvoice(own, invoice.id)
  }
  clock.set(isoAt(now - AGENT_DAYS_AGO * DAY_MS))
  return createAgent(own, {
    name: 'Front desk',
    description:
      'Answers the phone, finds out what the call is about and books a time with the right person.',
    instructions: 'Be friendly, ask what the call is about and offer a time for a callback.',
    tools: ['schedule_meeting', 'transfer', 'end_call'],
    transfer_to: '+441174960100',
    price: { amount: '25.00', currency: 'USD' },
    listed: true,
  })
}
