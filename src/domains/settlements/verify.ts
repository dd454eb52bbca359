import type { ChainTransaction, Transfer } from '#platform/ports/chain.ts'
import type { Asked } from './challenge.ts'
import { PaymentFault, type Charge } from './charge.ts'

/** A block's time is the word of who made it. */
export const SKEW_MS = 30_000
/** A payer who paid in time may be late in claiming it, because of an unreachable node or otherwise. */
export const CLAIM_MS = 86_400_000
/** A transaction that no node has heard of so long after the challenge was over can only come too late. */
export const UNSEEN_MS = 10 * 60_000

export type Verdict = {
  /** What came, in the token's smallest unit. */
  units: bigint
  block: ChainTransaction['block']
}

/** Whether the challenge was for this, on this chain. */
export function checkSubject(asked: Asked, charge: Charge, chainId: string, claimedChainId: string): void {
  if (asked.purpose !== charge.purpose || asked.subject_id !== charge.subject_id)
    throw new PaymentFault('wrong_agent', 'The proof is for something else.')
  if (asked.chainId !== chainId || claimedChainId !== chainId)
    throw new PaymentFault('wrong_network', `The payment must be on eip155:${chainId}.`)
}

/** Whether it is still time to come with it. */
export function checkAge(asked: Asked, now: number): void {
  if (now > asked.expiresAt + CLAIM_MS)
    throw new PaymentFault('challenge_expired', 'The challenge has expired.')
}

/** What the transaction says, against what was asked for: the order is that of the table of codes. */
export function judge(
  transaction: ChainTransaction | undefined,
  { asked, payer, charge, confirmations, now }: Claim,
): Verdict {
  if (!transaction) {
    if (!charge.since && now > asked.expiresAt + UNSEEN_MS)
      throw new PaymentFault(
        'challenge_expired',
        'The challenge has expired, and no node has seen the transaction.',
      )
    throw new PaymentFault('tx_not_found', 'No node has seen the transaction yet.')
  }
  if (!transaction.succeeded) throw new PaymentFault('tx_reverted', 'The transaction failed.')
  const units = received(transaction.transfers, asked, payer, charge)
  checkTime(Date.parse(transaction.block.time), asked, charge)
  if (transaction.depth === 0)
    throw new PaymentFault('reorged', 'The block with the payment is no longer on the chain.')
  if (transaction.depth < confirmations)
    throw new PaymentFault(
      'awaiting_confirmations',
      `${transaction.depth} of ${confirmations} confirmations.`,
    )
  return { units, block: transaction.block }
}

type Claim = { asked: Asked; payer: string; charge: Charge; confirmations: number; now: number }

/** By the token's own log, so that a token which keeps a part of what is sent counts by what arrived. */
function received(transfers: readonly Transfer[], asked: Asked, payer: string, { purpose }: Charge): bigint {
  const [token, recipient] = [asked.token.toLowerCase(), asked.recipient.toLowerCase()]
  const arrived = transfers.filter(({ to }) => to === recipient)
  if (!arrived.some(transfer => transfer.token === token)) {
    if (arrived.length > 0) throw new PaymentFault('wrong_token', 'A different token was sent.')
    if (transfers.some(transfer => transfer.token === token))
      throw new PaymentFault('wrong_recipient', 'The token was sent to a different recipient.')
    throw new PaymentFault('no_transfer', 'The transaction does not transfer a token.')
  }
  const flow = flowOf(transfers, { token, recipient, payer })
  if (flow.own.length === 0)
    throw new PaymentFault('wrong_payer', 'The payment came from a different wallet.')
  // An agent has a price, and one transfer pays it. An invoice takes what comes, and says what is left.
  const isEnough = purpose === 'invoice' ? flow.net > 0n : largest(flow.own) - flow.out >= asked.units
  if (!isEnough) throw new PaymentFault('underpaid', 'The amount paid is too low.')
  return flow.net
}

type Ends = { token: string; recipient: string; payer: string }

/** What the payer sent in one transaction, less what the receiver sent on in the same one. */
export function flowOf(transfers: readonly Transfer[], { token, recipient, payer }: Ends) {
  const ofToken = transfers.filter(transfer => transfer.token === token.toLowerCase())
  const receiver = recipient.toLowerCase()
  const own = ofToken.filter(({ from, to }) => to === receiver && from === payer)
  const out = sum(ofToken.filter(({ from }) => from === receiver))
  return { own, out, net: sum(own) - out }
}

function checkTime(time: number, asked: Asked, { since }: Charge): void {
  const from = since === undefined ? asked.issuedAt : Date.parse(since)
  const until = since === undefined ? asked.expiresAt : Infinity
  if (time < from - SKEW_MS)
    throw new PaymentFault('paid_too_late', 'The payment is older than the challenge.')
  if (time > until + SKEW_MS)
    throw new PaymentFault('paid_too_late', 'The payment was made after the challenge expired.')
}

function sum(transfers: readonly Transfer[]): bigint {
  return transfers.reduce((total, { amount }) => total + amount, 0n)
}

function largest(transfers: readonly Transfer[]): bigint {
  return transfers.reduce((most, { amount }) => (amount > most ? amount : most), 0n)
}
