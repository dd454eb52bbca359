import type { Context } from '#platform/context.ts'
import { Problem } from '#platform/problem.ts'
import { unitsOf as tokenUnitsOf } from '#domains/settlements/amount.ts'
import { addressOf, chainIdOf } from '#domains/settlements/challenge.ts'
import { PaymentFault, type Charge, type PaymentCode, type Settlement } from '#domains/settlements/charge.ts'
import { claimText, issueChallenge, settle } from '#domains/settlements/service.ts'
import { unitsOf } from './amounts.ts'
import type { Invoice } from './contract.ts'
import type { PayState } from './public-contract.ts'
import { applyPayment, findInvoiceByToken } from './service.ts'
import { getSettings } from './settings.ts'
import { unpaidStatuses } from './values.ts'
import { takesOnChain } from './ways-to-pay.ts'

/** Placeholder for the transaction hash in the text to sign. */
export const HASH_PLACE = '<hash>'

export type Shown = { ctx: Context; invoice: Invoice; state: PayState }

/** An invoice as somebody who knows only its link sees it. */
export async function findShown(ctx: Context, token: string): Promise<Shown | undefined> {
  const found = await findInvoiceByToken(ctx, token)
  if (!found || found.invoice.number === null) return undefined
  const own = ctx.forTeam(found.team_id)
  return { ctx: own, invoice: found.invoice, state: await stateOf(own, found.invoice) }
}

export async function getShown(ctx: Context, token: string): Promise<Shown> {
  const shown = await findShown(ctx, token)
  if (shown) return shown
  throw new Problem('not_found', 'Invoice not found.')
}

/** Takes a proof that money came on the chain. It is booked whatever the invoice says by then: money is never turned away. */
export async function payByProof(ctx: Context, token: string, credential: string): Promise<PayState> {
  const { ctx: own, invoice } = await getShown(ctx, token)
  try {
    await settle(own, credential, chargeOf(own, invoice), (ctx, settlement) =>
      book(ctx, invoice.id, settlement),
    )
  } catch (error) {
    if (error instanceof PaymentFault) throw told(own, invoice, error)
    throw error
  }
  return (await getShown(ctx, token)).state
}

async function stateOf(ctx: Context, invoice: Invoice): Promise<PayState> {
  const { number, payment_reference, status, amount, paid, due, currency, due_at, paid_at } = invoice
  return {
    number: number!,
    payment_reference: payment_reference!,
    status,
    amount,
    paid,
    due,
    currency,
    due_at,
    paid_at,
    bank: isOwed(invoice) ? (await getSettings(ctx)).bank : null,
    chain: chainOf(ctx, invoice),
  }
}

/** How it is paid on the chain: null where none is configured, where its token is for another currency, and where nothing is due. */
function chainOf(ctx: Context, invoice: Invoice): PayState['chain'] {
  const { chain } = ctx.runtime.ports
  if (!chain || !takesOnChain(ctx, invoice.currency) || !isOwed(invoice)) return null
  // Finer than the token can be paid with.
  const units = tokenUnitsOf(invoice.due, chain.terms.decimals)
  if (!units) return null
  const charge = chargeOf(ctx, invoice)
  const challenge = issueChallenge(ctx, charge)
  return {
    ...challenge.body,
    link: payLink(challenge.body, units),
    challenge: challenge.header,
    text: claimText(challenge, charge, HASH_PLACE),
  }
}

function isOwed({ status, due }: Invoice): boolean {
  return (unpaidStatuses as readonly string[]).includes(status) && unitsOf(due) > 0n
}

/** EIP-681: what wallets understand, as a link and as a picture. */
function payLink(
  { token, network, recipient }: { token: string; network: string; recipient: string },
  units: bigint,
) {
  return `ethereum:${addressOf(token)}@${chainIdOf(network)}/transfer?address=${recipient}&uint256=${units}`
}

function chargeOf(ctx: Context, { id, due, issued_at }: Invoice): Charge {
  return {
    purpose: 'invoice',
    subject_id: id,
    team_id: ctx.team_id,
    amount: due,
    ...(issued_at && { since: issued_at }),
  }
}

async function book(ctx: Context, invoice_id: string, settlement: Settlement): Promise<void> {
  const { tx_hash, network, payer, amount, block_time } = settlement
  const wallet = `Wallet ${payer.slice(0, 6)}…${payer.slice(-4)}`
  await applyPayment(ctx.as({ kind: 'provider', id: null, name: wallet }), invoice_id, {
    method: 'chain',
    reference: tx_hash,
    amount,
    currency: ctx.runtime.ports.chain!.terms.currency,
    network,
    tx_hash,
    payer,
    received_at: block_time,
  })
}

/** In words of who pays, who knows nothing of challenges. */
const words: Record<PaymentCode, string> = {
  payment_required: 'This proof does not contain a payment yet.',
  malformed_proof: 'Something is missing or mistyped. Check the transaction, the wallet and the signature.',
  unknown_challenge: 'This text is no longer valid. Reload the page and sign the new one.',
  wrong_agent: 'This proof is for another invoice.',
  wrong_network: 'This payment is on a different network than the one shown here.',
  challenge_expired: 'The signed text has expired. Reload the page and sign the new one.',
  paid_too_late: 'This payment is older than the invoice, so it cannot be applied to it.',
  tx_reverted: 'The transaction failed on the network: no money was transferred.',
  no_transfer: 'This transaction does not transfer the token shown here.',
  wrong_token: 'A different token was sent than the one shown here. Please contact the seller.',
  wrong_recipient: 'The token was sent to a different address than the one shown here.',
  wrong_payer: 'The wallet that signed is not the one that paid. Sign with the wallet that paid.',
  underpaid: 'The amount paid is too low.',
  bad_signature: 'The signature does not match. Sign exactly the text shown here, with the wallet that paid.',
  proof_used: 'This transaction was already used for another payment.',
  tx_not_found: 'The network has not seen this transaction yet. It may take a moment.',
  awaiting_confirmations: 'Payment found. Waiting for the network to confirm it.',
  reorged: 'The network reverted the payment for now. It may reappear.',
  chain_unavailable: 'The network is not reachable right now. Your payment is safe: try again in a moment.',
  wrong_rpc_chain: 'The network is not reachable right now. Your payment is safe: try again in a moment.',
  chain_not_configured: 'Wallet payments are not available here.',
}

/**
 * A payer who should pay gets a fresh challenge; one who should wait gets none, so that no one pays twice.
 */
function told(ctx: Context, invoice: Invoice, { code, status, retryAfterS }: PaymentFault): Problem {
  if (status === 402) {
    const challenge = chainOf(ctx, invoice)?.challenge
    const headers = { ...EXPOSED, 'payment-error': code, ...(challenge && { 'www-authenticate': challenge }) }
    return new Problem('payment_required', words[code], { code, headers })
  }
  const headers = { ...EXPOSED, 'payment-error': code, 'retry-after': String(retryAfterS) }
  return new Problem(status === 409 ? 'conflict' : 'unavailable', words[code], { code, headers })
}

/** For pages of other sites: these are not among the headers that a script may read unasked. */
const EXPOSED = { 'access-control-expose-headers': 'WWW-Authenticate, Payment-Error, Retry-After' }
