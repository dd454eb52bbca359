import type { Context } from '#platform/context.ts'
import { LIST_LIMIT_DEFAULT } from '#platform/contract.ts'
import { decodeInstantCursor, pageOf } from '#platform/cursor.ts'
import { isId } from '#platform/ids.ts'
import { Problem } from '#platform/problem.ts'
import { hashOf } from '#platform/bearer.ts'
import { record } from '#platform/events.ts'
import type { Settlement } from '#domains/settlements/charge.ts'
import { findSettlements, paymentReceipt } from '#domains/settlements/service.ts'
import { agentEvents, type Deployment } from './contract.ts'
import * as store from './deployment-store.ts'
import type { DeploymentRow } from './deployment-store.ts'
import { fits, keyGivenOut, keyOf, keyShown } from './keys.ts'
import { claimed, type Snapshot } from './model.ts'
import { takeTurn } from './pace.ts'
import { createAgent } from './service.ts'
import { DEFAULT_OUTBOUND } from './values.ts'

/** What who has paid gets: which deployment it is, and the receipt that opens it. The same each time. */
export async function receiptOf(
  ctx: Context,
  settlement: Settlement,
): Promise<{ id: string; receipt: string }> {
  const deployment = await store.findBySettlement(ctx, settlement.id)
  if (!deployment) throw new Error(`settlement ${settlement.id} has no deployment`)
  return { id: deployment.id, receipt: paymentReceipt(settlement, await keyFor(ctx, deployment)) }
}

type Headers = Record<string, string | undefined>

/** For who holds its key. A wrong key, another's key and an id that does not exist look the same. */
export async function readDeployment(ctx: Context, id: string, headers: Headers): Promise<Deployment> {
  const key = keyShown(headers)
  if (key === undefined) throw keyMissing()
  const deployment = isId(id) ? await store.findDeployment(ctx, id) : undefined
  if (!fits(key, deployment?.key_hash) || !deployment) throw absent()
  await takeTurn(ctx, deployment.id, deployment.limits.requests_per_minute)
  return shown(deployment, await getSettled(ctx, deployment))
}

/** Its agent becomes one of the team. Once: of those who try at the same time, the first one has it. */
export async function claimDeployment(ctx: Context, id: string, key: string): Promise<Deployment> {
  return ctx.transaction(async ctx => {
    const deployment = await store.lockDeployment(ctx, id)
    if (!fits(key, deployment?.key_hash) || !deployment) throw absent()
    if (deployment.claimed_at) throw alreadyClaimed()
    const settlement = await getSettled(ctx, deployment)
    const agent = await createAgent(ctx, claimed(sold(deployment)))
    store.claim(ctx, id, agent.id)
    const { name } = agent
    record(ctx, agentEvents.claimed, { kind: 'agent', id: agent.id }, { name, deployment_id: id })
    return shown({ ...deployment, claimed_agent_id: agent.id, claimed_at: ctx.now() }, settlement)
  })
}

type Page = { limit?: number; cursor?: string }

export const listSales = (ctx: Context, page: Page) => listOf(ctx, 'seller_team_id', page)
export const listDeployments = (ctx: Context, page: Page) => listOf(ctx, 'claimed_team_id', page)

async function listOf(
  ctx: Context,
  part: 'seller_team_id' | 'claimed_team_id',
  { limit = LIST_LIMIT_DEFAULT, cursor }: Page,
) {
  const after = cursor ? decodeInstantCursor(cursor) : undefined
  const { data, next_cursor } = pageOf(await store.listOf(ctx, part, { limit: limit + 1, after }), limit)
  const settlements = await findSettlements(
    ctx,
    data.map(({ settlement_id }) => settlement_id),
  )
  const byId = new Map(settlements.map(settlement => [settlement.id, settlement]))
  return { data: data.map(row => shown(row, byId.get(row.settlement_id)!)), next_cursor }
}

/** What the chain took back opens nothing, for as long as it is so. */
async function getSettled(ctx: Context, { settlement_id }: DeploymentRow): Promise<Settlement> {
  const [settlement] = await findSettlements(ctx, [settlement_id])
  if (settlement && settlement.state !== 'REORGED') return settlement
  throw new Problem(
    'payment_required',
    'The payment for this agent was reverted by a chain reorganization. The agent works again once the transaction is back in a block.',
    { code: 'payment_reorged' },
  )
}

/** Who has proved the payment has a key that works: where the secret of the first one is gone, it is a new one. */
async function keyFor(ctx: Context, { id, settlement_id, key_hash }: DeploymentRow): Promise<string> {
  const { settings } = ctx.runtime
  const known = keyGivenOut(settings, settlement_id, key_hash)
  if (known) return known
  const key = keyOf(settings, settlement_id)
  await store.replaceKey(ctx, id, hashOf(key))
  return key
}

function shown(row: DeploymentRow, { network, tx_hash, amount, state }: Settlement): Deployment {
  const { id, agent_id, limits, payer, invoice_id, claimed_at, claimed_agent_id, created_at } = row
  const payment = { payer, network, tx_hash, amount, state }
  const agent = sold(row)
  const claimed = claimed_at !== null
  return { id, agent_id, agent, limits, ...payment, invoice_id, claimed, claimed_agent_id, created_at }
}

function sold({
  agent: { greeting = null, outbound = DEFAULT_OUTBOUND, ...agent },
}: DeploymentRow): Snapshot {
  return { ...agent, greeting, outbound }
}

function absent(): Problem {
  return new Problem('not_found', 'No such deployment, or the key does not match.')
}

function keyMissing(): Problem {
  return new Problem(
    'unauthenticated',
    'Send the Payment-Receipt of the purchase, or its key as Authorization: Bearer.',
    { headers: { 'www-authenticate': 'Bearer' } },
  )
}

function alreadyClaimed(): Problem {
  return new Problem(
    'conflict',
    'This agent has already been claimed. A purchase can be claimed only once.',
    {
      code: 'already_claimed',
    },
  )
}
