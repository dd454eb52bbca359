import { METHOD } from './challenge.ts'
import type { Settlement } from './charge.ts'

/** The value of the Payment-Receipt header. */
export function paymentReceipt(settlement: Settlement, externalId?: string): string {
  const receipt = {
    method: METHOD,
    reference: settlement.tx_hash,
    status: 'success',
    timestamp: settlement.created_at,
    challengeId: settlement.challenge_id,
    ...(externalId !== undefined && { externalId }),
  }
  return Buffer.from(JSON.stringify(receipt)).toString('base64url')
}
