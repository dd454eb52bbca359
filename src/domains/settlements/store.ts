import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { tables } from '#platform/database/tables.ts'
import type { Settlement } from './charge.ts'

const columns = [
  'id',
  'network',
  'tx_hash',
  'team_id',
  'purpose',
  'subject_id',
  'challenge_id',
  'payer',
  'recipient',
  'token',
  'asked',
  'amount',
  'block_hash',
  'block_time',
  'state',
  'checked_at',
  'created_at',
  'updated_at',
] as const satisfies (keyof Settlement)[]

/** Who settled with it: a transaction pays once in the whole installation. */
export async function findByTransaction(
  ctx: Context,
  network: string,
  tx_hash: string,
): Promise<Settlement | undefined> {
  return ctx.acrossTeams().first(rows().where('network', '=', network).where('tx_hash', '=', tx_hash))
}

/** For who keeps their ids. */
export async function findAll(ctx: Context, ids: readonly string[]): Promise<Settlement[]> {
  return ids.length === 0 ? [] : ctx.acrossTeams().all(rows().where('id', 'in', ids))
}

/** False where the transaction has paid for something already. Of those who come at once, all but one wait here. */
export async function insert(ctx: Context, settlement: Settlement): Promise<boolean> {
  const inserted = await ctx.run(
    db
      .insertInto('settlements')
      .values(settlement)
      .onConflict(conflict => conflict.columns(['network', 'tx_hash']).doNothing()),
  )
  return inserted > 0
}

/** Those that are not settled for good, the longest unseen first. Who is lost for longer than `since` is given up. */
export async function listUnsettled(
  ctx: Context,
  network: string,
  { since, limit }: { since: string; limit: number },
): Promise<Settlement[]> {
  return ctx.all(
    rows()
      .where('network', '=', network)
      .where('state', '<>', sql.lit('FINAL'))
      .where(({ or, eb }) => or([eb('state', '=', 'WATCHED'), eb('updated_at', '>', since)]))
      .orderBy('checked_at')
      .orderBy('id')
      .limit(limit),
  )
}

type Change = Partial<
  Pick<Settlement, 'state' | 'checked_at' | 'updated_at' | 'block_number' | 'block_hash' | 'block_time'>
>

/** False where somebody else has moved it on meanwhile. */
export async function update(ctx: Context, { id, state }: Settlement, change: Change): Promise<boolean> {
  const updated = await ctx.run(
    db.updateTable('settlements').set(change).where('id', '=', id).where('state', '=', state),
  )
  return updated > 0
}

export async function list(ctx: Context, limit: number, before: string | undefined): Promise<Settlement[]> {
  let query = rows().where('team_id', '=', ctx.team_id)
  if (before) query = query.where('id', '<', before)
  return ctx.all(query.orderBy('id', 'desc').limit(limit))
}

/** A block's number as text: it is a name here, nothing is counted with it. */
function rows() {
  return db
    .selectFrom('settlements')
    .select(columns)
    .select(sql<string>`block_number::text`.as('block_number'))
}

const db = tables<{ settlements: Settlement }>()
