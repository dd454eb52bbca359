/** What is to be paid for: an agent at its price, or what is still due of an invoice. */
export type Charge = {
  purpose: 'agent' | 'invoice'
  /** The agent or the invoice. */
  subject_id: string
  /** Who sells: settlements are listed by it. */
  team_id: string
  /** In the currency of the token, as decimal text. */
  amount: string
  /**
   * From when on a payment counts, whatever the challenge's life: an invoice may be paid on any day after it was issued.
   * Absent: only a payment within the life of its challenge does.
   */
  since?: string
}

/** The four fields of a 402, and the header beside them. */
export type Challenge = {
  body: { recipient: string; amount: string; network: string; token: string }
  /** The value of WWW-Authenticate. */
  header: string
  id: string
  realm: string
  expires: string
}

export type Settlement = {
  id: string
  network: string
  tx_hash: string
  team_id: string
  purpose: Charge['purpose']
  subject_id: string
  challenge_id: string
  payer: string
  recipient: string
  token: string
  /** What was asked for and what came: decimal text in the token, like 12.50. */
  asked: string
  amount: string
  block_number: string
  block_hash: string
  block_time: string
  state: 'WATCHED' | 'FINAL' | 'REORGED'
  checked_at: string
  created_at: string
  updated_at: string
}

/** The client's fault: a fresh challenge goes with it. */
export const refusals = [
  'payment_required',
  'malformed_proof',
  'unknown_challenge',
  'wrong_agent',
  'wrong_network',
  'challenge_expired',
  'paid_too_late',
  'tx_reverted',
  'no_transfer',
  'wrong_token',
  'wrong_recipient',
  'wrong_payer',
  'underpaid',
  'bad_signature',
  'proof_used',
] as const
/** Wait and come again: who sees a 402 pays again, so these are never one. */
export const waits = ['tx_not_found', 'awaiting_confirmations', 'reorged'] as const
/** Nobody can tell just now. */
export const outages = ['chain_unavailable', 'wrong_rpc_chain', 'chain_not_configured'] as const

export type PaymentCode = (typeof refusals)[number] | (typeof waits)[number] | (typeof outages)[number]

/** Why a proof is not taken: 402, 409 or 503 by its code. */
export class PaymentFault extends Error {
  readonly code: PaymentCode
  readonly status: 402 | 409 | 503
  readonly retryAfterS: number | undefined

  constructor(code: PaymentCode, message: string, retryAfterS?: number) {
    super(message)
    this.code = code
    this.status = isIn(refusals, code) ? 402 : isIn(waits, code) ? 409 : 503
    this.retryAfterS = retryAfterS ?? (this.status === 402 ? undefined : RETRY_AFTER_S)
  }
}

const RETRY_AFTER_S = 5

function isIn(list: readonly string[], code: string): boolean {
  return list.includes(code)
}
