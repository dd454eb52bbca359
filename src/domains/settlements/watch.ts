import type { Context } from '#platform/context.ts'
import { record } from '#platform/events.ts'
import { ChainUnavailable, type Chain, type ChainTransaction } from '#platform/ports/chain.ts'
import type { Counts } from '#platform/registry.ts'
import { listAdmins } from '#domains/identity/members.ts'
import { notify } from '#domains/notifications/service.ts'
import { unitsOf } from './amount.ts'
import { addressOf } from './challenge.ts'
import type { Settlement } from './charge.ts'
import { settlementReorged, settlementRestored } from './contract.ts'
import * as store from './store.ts'
import { flowOf } from './verify.ts'

/** From here on no chain that is in use has ever gone back. */
const FINAL_DEPTH_MIN = 64
const FINAL_DEPTH_FACTOR = 4
/** What falls out of a block is as a rule in the next one: so long it may be missing before anybody is told. */
export const MISSING_MS = 60_000
/** And so long it may still come back. */
export const LOST_MS = 86_400_000
const WATCHED_AT_ONCE = 500
const UNKNOWN_MAX = 3

/** Follows payments until they lie so deep that they stay. */
export async function watchSettlements(ctx: Context): Promise<Counts> {
  const counts = { checked: 0, final: 0, reorged: 0, restored: 0, unknown: 0 }
  const { chain } = ctx.runtime.ports
  if (!chain) return counts
  const which = { since: ctx.in(-LOST_MS), limit: WATCHED_AT_ONCE }
  for (const settlement of await store.listUnsettled(ctx, chain.terms.network, which)) {
    try {
      const outcome = await watchOne(ctx.forTeam(settlement.team_id), chain, settlement)
      counts.checked++
      if (outcome !== undefined) counts[outcome]++
    } catch (error) {
      if (!(error instanceof ChainUnavailable)) throw error
      counts.unknown++
      // A node may be behind and still know the older ones. An unreachable node is not asked again.
      if (counts.unknown === UNKNOWN_MAX && counts.checked === 0) throw error
      ctx.log.warn({ err: error, settlement_id: settlement.id }, 'a payment cannot be looked up')
    }
  }
  return counts
}

/** It counts again, in its current block. */
export async function restore(
  ctx: Context,
  settlement: Settlement,
  block: ChainTransaction['block'],
): Promise<Settlement> {
  const now = ctx.now()
  const change = { state: 'WATCHED' as const, checked_at: now, updated_at: now, ...placeOf(block) }
  return ctx.transaction(async ctx => {
    if (await store.update(ctx, settlement, change))
      record(ctx, settlementRestored, { kind: 'settlement', id: settlement.id }, aboutOf(settlement))
    return { ...settlement, ...change }
  })
}

async function watchOne(ctx: Context, chain: Chain, settlement: Settlement) {
  const { terms } = chain
  const stands = await findPlace(chain, settlement)
  if (settlement.state === 'REORGED') {
    if (!stands || stands.depth < terms.confirmations) return undefined
    await restore(ctx, settlement, stands.block)
    return 'restored'
  }
  if (!stands) {
    if (settlement.checked_at > ctx.in(-MISSING_MS)) return undefined
    await takeBack(ctx, settlement)
    return 'reorged'
  }
  const isFinal = stands.depth >= Math.max(FINAL_DEPTH_MIN, FINAL_DEPTH_FACTOR * terms.confirmations)
  const now = ctx.now()
  await store.update(ctx, settlement, {
    checked_at: now,
    ...(stands.block.hash !== settlement.block_hash && placeOf(stands.block)),
    ...(isFinal && { state: 'FINAL', updated_at: now }),
  })
  return isFinal ? 'final' : undefined
}

/** Its current block: the same one, if the chain still has it, or else another. */
async function findPlace(
  chain: Chain,
  settlement: Settlement,
): Promise<Pick<ChainTransaction, 'block' | 'depth'> | undefined> {
  const { block_number, block_hash, block_time, tx_hash } = settlement
  const block = { number: BigInt(block_number), hash: block_hash, time: block_time }
  const depth = await chain.depth(block)
  if (depth > 0) return { block, depth }
  const transaction = await chain.transaction(tx_hash)
  return transaction && stillPays(transaction, settlement, chain.terms.decimals) ? transaction : undefined
}

/** In another block the same transaction may do something else. */
function stillPays(
  { succeeded, depth, transfers }: ChainTransaction,
  { token, recipient, payer, amount }: Settlement,
  decimals: number,
): boolean {
  const { net } = flowOf(transfers, { token: addressOf(token), recipient, payer })
  return succeeded && depth > 0 && net >= (unitsOf(amount, decimals) ?? 0n)
}

/** Money that was here is gone: the records that it paid are put right by reactions, and people are told. */
async function takeBack(ctx: Context, settlement: Settlement): Promise<void> {
  await ctx.transaction(async ctx => {
    const change = { state: 'REORGED' as const, updated_at: ctx.now() }
    if (!(await store.update(ctx, settlement, change))) return
    record(ctx, settlementReorged, { kind: 'settlement', id: settlement.id }, aboutOf(settlement))
    await notify(ctx, {
      user_ids: (await listAdmins(ctx)).map(({ id }) => id),
      title: `A payment of ${settlement.amount} was reverted`,
      text: `The transaction ${settlement.tx_hash} is no longer on ${settlement.network}. What it paid for no longer counts as paid.`,
      link: settlement.purpose === 'invoice' ? `/invoices/${settlement.subject_id}` : null,
      source: { kind: 'settlement', id: settlement.id, name: null },
    })
  })
  ctx.log.error({ settlement_id: settlement.id, tx_hash: settlement.tx_hash }, 'a payment was reverted')
}

function aboutOf({ id, purpose, subject_id, tx_hash }: Settlement) {
  return { settlement_id: id, purpose, subject_id, tx_hash }
}

function placeOf({ number, hash, time }: ChainTransaction['block']) {
  return { block_number: number.toString(), block_hash: hash, block_time: time }
}
