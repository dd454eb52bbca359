import { defineEndpoints, Id, Instant, listOf, oneOf, paging, t } from '#platform/contract.ts'
import { defineEvent } from '#platform/events.ts'

export const SettlementRecord = t.Object(
  {
    id: Id,
    purpose: oneOf(['agent', 'invoice']),
    subject_id: t.String({ description: 'The agent or the invoice that was paid' }),
    network: t.String({ description: 'CAIP-2, like eip155:8453' }),
    token: t.String({ description: 'CAIP-19, like eip155:8453/erc20:0x…' }),
    tx_hash: t.String(),
    payer: t.String(),
    recipient: t.String(),
    asked: t.String({ description: 'Amount requested, in the token' }),
    amount: t.String({ description: 'Amount received' }),
    block_number: t.String(),
    block_time: Instant,
    state: oneOf(['WATCHED', 'FINAL', 'REORGED']),
    created_at: Instant,
    updated_at: Instant,
  },
  { $id: 'Settlement' },
)

export const endpoints = defineEndpoints({
  listSettlements: {
    method: 'GET',
    path: '/api/crm/settlements',
    summary: 'List on-chain payments received by the team, newest first',
    auth: { scope: 'billing:read' },
    query: t.Object({ ...paging }, { additionalProperties: false }),
    output: listOf(SettlementRecord),
  },
})

const About = t.Object({
  settlement_id: Id,
  purpose: oneOf(['agent', 'invoice']),
  subject_id: t.String(),
  tx_hash: t.String(),
})

/** The chain no longer has the payment. */
export const settlementReorged = defineEvent('settlement.reorged', About, { live: 'billing:read' })
/** The chain has it again after all. */
export const settlementRestored = defineEvent('settlement.restored', About, { live: 'billing:read' })
