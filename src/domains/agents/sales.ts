import type { Context } from '#platform/context.ts'
import { hashOf } from '#platform/bearer.ts'
import { record } from '#platform/events.ts'
import { Problem } from '#platform/problem.ts'
import { listAdmins } from '#domains/identity/members.ts'
import { notify } from '#domains/notifications/service.ts'
import type { Settlement } from '#domains/settlements/charge.ts'
import { applyPayment, createInvoice, openInvoice } from '#domains/invoices/service.ts'
import { agentEvents, type Agent } from './contract.ts'
import { insertDeployment } from './deployment-store.ts'
import { keyOf } from './keys.ts'
import { snapshotOf } from './model.ts'
import { findAgent } from './service.ts'
import { DEFAULT_LIMITS } from './values.ts'

/** In the transaction of the settlement: the deployment, its invoice, and everybody who is to know of it. */
export async function deliver(seller: Context, agent_id: string, settlement: Settlement): Promise<void> {
  const ctx = seller.as({ kind: 'provider', id: null, name: walletName(settlement.payer) })
  const agent = await findAgent(ctx, agent_id)
  if (!agent) throw new Problem('not_found', 'No such agent is for sale.')
  const deployment_id = ctx.newId()
  // Whatever the price is by now: it was paid in what the chain settles in.
  const { currency } = ctx.runtime.ports.chain!.terms
  const invoice_id = await billed(ctx, agent, settlement, currency)
  insertDeployment(ctx, {
    id: deployment_id,
    settlement_id: settlement.id,
    agent_id: agent.id,
    seller_team_id: ctx.team_id,
    invoice_id,
    payer: settlement.payer,
    key_hash: hashOf(keyOf(ctx.runtime.settings, settlement.id)),
    agent: snapshotOf(agent),
    limits: DEFAULT_LIMITS,
    claimed_team_id: null,
    claimed_agent_id: null,
    claimed_at: null,
    created_at: ctx.now(),
  })
  const { name } = agent
  const { amount, tx_hash } = settlement
  record(ctx, agentEvents.sold, { kind: 'agent', id: agent.id }, { name, deployment_id, amount, tx_hash })
  await notify(ctx, {
    user_ids: (await listAdmins(ctx)).map(({ id }) => id),
    title: `Sold: ${name}`,
    text: `${walletName(settlement.payer)} paid ${amount} ${currency}.`,
    link: `/invoices/${invoice_id}`,
    source: { kind: 'agent', id: agent.id, name },
  })
}

async function billed(
  ctx: Context,
  { name }: Agent,
  { asked, amount, network, tx_hash, payer, block_time }: Settlement,
  currency: string,
): Promise<string> {
  const draft = await createInvoice(ctx, {
    customer: { name: walletName(payer), email: null, address: payer, tax_id: null },
    lines: [{ description: name, quantity: '1', unit_price: asked, tax_percent: '0' }],
    currency,
  })
  await openInvoice(ctx, draft.id)
  await applyPayment(ctx, draft.id, {
    method: 'chain',
    reference: tx_hash,
    amount,
    currency,
    network,
    tx_hash,
    payer,
    received_at: block_time,
  })
  return draft.id
}

function walletName(payer: string): string {
  return `Wallet ${payer.slice(0, 6)}…${payer.slice(-4)}`
}
