import type { Context } from '#platform/context.ts'
import { LIST_LIMIT_DEFAULT } from '#platform/contract.ts'
import { decodeInstantCursor, pageOf } from '#platform/cursor.ts'
import { WrongChain, type ChainTerms } from '#platform/ports/chain.ts'
import { decimalOf } from './amount.ts'
import { asking, getChain } from './chain.ts'
import { addressOf, chainIdOf, makeChallenge, openChallenge, type Asked } from './challenge.ts'
import { PaymentFault, type Challenge, type Charge, type Settlement } from './charge.ts'
import { claimText } from './claim.ts'
import { readProof, type Proof } from './proof.ts'
import * as store from './store.ts'
import { checkAge, checkSubject, judge, type Verdict } from './verify.ts'
import { restore } from './watch.ts'

export { claimText } from './claim.ts'
export { paymentReceipt } from './receipt.ts'

export function isChainConfigured(ctx: Context): boolean {
  return ctx.runtime.ports.chain !== undefined
}

/** What is to be paid, and how. No database and no chain is asked: strangers may call this as often as they like. */
export function issueChallenge(ctx: Context, charge: Charge): Challenge {
  const { settings, clock } = ctx.runtime
  return makeChallenge(settings, getChain(ctx).terms, charge, clock.now())
}

export type Settled = { settlement: Settlement; isNew: boolean }
export type Grant = (ctx: Context, settlement: Settlement) => Promise<void>

/**
 * Takes a proof of payment: everything is checked, and then the settlement and what it buys are one transaction. The same
 * proof again answers the same settlement, with isNew false and without a second grant. Throws PaymentFault.
 */
export async function settle(
  ctx: Context,
  credential: string,
  charge: Charge,
  grant: Grant,
): Promise<Settled> {
  const { terms } = getChain(ctx)
  let proof: Proof | undefined
  try {
    proof = readProof(credential)
    const asked = openChallenge(ctx.runtime.settings, proof.challenge)
    if (!asked) throw new PaymentFault('unknown_challenge', 'The challenge was not issued by this server.')
    checkSubject(asked, charge, chainIdOf(terms.network), proof.chainId)
    return await settleProof(ctx, { proof, asked, charge, terms }, grant)
  } catch (error) {
    if (error instanceof PaymentFault) {
      const { purpose, subject_id } = charge
      const { code, message } = error
      ctx.log.info({ code, purpose, subject_id, tx_hash: proof?.hash, message }, 'payment proof rejected')
    }
    throw error
  }
}

export async function listSettlements(ctx: Context, query: { limit?: number; cursor?: string }) {
  const { limit = LIST_LIMIT_DEFAULT, cursor } = query
  const before = cursor ? decodeInstantCursor(cursor)[1] : undefined
  return pageOf(await store.list(ctx, limit + 1, before), limit)
}

/** What a provider says of a transaction. */
export type Vouched = {
  /** Null: ours. */
  network: string | null
  tx_hash: string
  payer: string | null
  amount: string
}

/**
 * A transaction that a provider vouches for has paid this invoice, and buys nothing else any more. False: it has paid for
 * something else already. On other chains than ours nothing is bought by it.
 */
export async function reserve(ctx: Context, invoice_id: string, vouched: Vouched): Promise<boolean> {
  const terms = ctx.runtime.ports.chain?.terms
  const { network, tx_hash, payer, amount } = vouched
  if (!terms || (network ?? terms.network) !== terms.network || !HASH.test(tx_hash)) return true
  const now = ctx.now()
  const isFirst = await store.insert(ctx, {
    id: ctx.newId(),
    network: terms.network,
    tx_hash,
    team_id: ctx.team_id,
    purpose: 'invoice',
    subject_id: invoice_id,
    challenge_id: BY_PROVIDER,
    payer: payer?.toLowerCase() ?? '',
    recipient: terms.recipient,
    token: terms.token,
    asked: amount,
    amount,
    block_number: '0',
    block_hash: '',
    block_time: now,
    // The provider watches it.
    state: 'FINAL',
    checked_at: now,
    created_at: now,
    updated_at: now,
  })
  if (isFirst) return true
  const first = await store.findByTransaction(ctx, terms.network, tx_hash)
  return first!.purpose === 'invoice' && first!.subject_id === invoice_id
}

const HASH = /^0x[0-9a-f]{64}$/
/** In place of a challenge, where nobody was asked for a proof. */
const BY_PROVIDER = 'provider'

export const findSettlements = store.findAll

type Claim = { proof: Proof; asked: Asked; charge: Charge; terms: ChainTerms }

async function settleProof(ctx: Context, claim: Claim, grant: Grant): Promise<Settled> {
  const { proof, asked, terms } = claim
  const known = await store.findByTransaction(ctx, terms.network, proof.hash)
  if (!known) checkAge(asked, ctx.runtime.clock.now())
  await checkSigned(ctx, claim)
  if (known) return knownAnew(ctx, claim, known)
  const verdict = await judged(ctx, claim)
  const settlement = settlementOf(ctx, claim, verdict)
  return ctx.transaction(async ctx => {
    // The row comes first: concurrent requests with this transaction wait for the result.
    if (await store.insert(ctx, settlement)) {
      await grant(ctx, settlement)
      return { settlement, isNew: true }
    }
    const first = await store.findByTransaction(ctx, terms.network, proof.hash)
    return { settlement: sameOrUsed(claim, first!), isNew: false }
  })
}

async function checkSigned(ctx: Context, { proof, asked, charge, terms }: Claim): Promise<void> {
  const body = { network: terms.network, token: tokenOf(terms, asked), recipient: asked.recipient }
  const text = claimText({ ...asked, body: { ...body, amount: asked.amount } }, charge, proof.hash)
  if (!(await asking(ctx, chain => chain.isSigned(text, proof.signature, proof.payer))))
    throw new PaymentFault('bad_signature', 'The claim was not signed by the payer.')
}

/** One that the chain took back counts again once the chain has it again, as deep as it must lie. */
async function knownAnew(ctx: Context, claim: Claim, known: Settlement): Promise<Settled> {
  const settlement = sameOrUsed(claim, known)
  if (settlement.state !== 'REORGED') return { settlement, isNew: false }
  try {
    const { block } = await judged(ctx, claim)
    return { settlement: await restore(ctx, settlement, block), isNew: false }
  } catch (error) {
    if (!(error instanceof PaymentFault) || error.status === 503) throw error
    throw new PaymentFault('reorged', 'The payment was reverted by a chain reorganization. It may reappear.')
  }
}

function sameOrUsed({ proof, charge }: Claim, settlement: Settlement): Settlement {
  const { purpose, subject_id, payer, challenge_id } = settlement
  const isTheirs = payer === proof.payer || challenge_id === BY_PROVIDER
  if (purpose === charge.purpose && subject_id === charge.subject_id && isTheirs) return settlement
  throw new PaymentFault('proof_used', 'The transaction was already used for another payment.')
}

async function judged(ctx: Context, { proof, asked, charge, terms }: Claim): Promise<Verdict> {
  const transaction = await asking(ctx, async chain => {
    const decimals = await chain.decimals()
    // Every amount would be another one than the token knows.
    if (decimals !== terms.decimals) throw new WrongChain(`the token has ${decimals} decimals`)
    return chain.transaction(proof.hash)
  })
  const { confirmations } = terms
  return judge(transaction, {
    asked,
    payer: proof.payer,
    charge,
    confirmations,
    now: ctx.runtime.clock.now(),
  })
}

function settlementOf(
  ctx: Context,
  { proof, asked, charge, terms }: Claim,
  { units, block }: Verdict,
): Settlement {
  const now = ctx.now()
  return {
    id: ctx.newId(),
    network: terms.network,
    tx_hash: proof.hash,
    team_id: ctx.team_id,
    purpose: charge.purpose,
    subject_id: charge.subject_id,
    challenge_id: asked.id,
    payer: proof.payer,
    recipient: asked.recipient,
    token: tokenOf(terms, asked),
    asked: asked.amount,
    amount: decimalOf(units, terms.decimals),
    block_number: block.number.toString(),
    block_hash: block.hash,
    block_time: block.time,
    state: 'WATCHED',
    checked_at: now,
    created_at: now,
    updated_at: now,
  }
}

/** As in the body of its 402; another token than now where the configuration has changed since. */
function tokenOf({ network, token }: ChainTerms, asked: Asked): string {
  return addressOf(token) === asked.token ? token : `${network}/erc20:${asked.token}`
}
