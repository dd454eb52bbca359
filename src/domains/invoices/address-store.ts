import type { Context } from '#platform/context.ts'
import { tables } from '#platform/database/tables.ts'

/** Where an invoice is found by who knows no team. */
export type Address = {
  invoice_id: string
  team_id: string
  number: string
  token_hash: string
  reference: string
}

export function insertAddress(ctx: Context, address: Address): void {
  ctx.later(db.insertInto('invoice_addresses').values(address))
}

export async function findByTokenHash(ctx: Context, token_hash: string): Promise<Address | undefined> {
  return ctx
    .acrossTeams()
    .first(db.selectFrom('invoice_addresses').selectAll().where('token_hash', '=', token_hash))
}

export async function findById(ctx: Context, invoice_id: string): Promise<Address | undefined> {
  return ctx
    .acrossTeams()
    .first(db.selectFrom('invoice_addresses').selectAll().where('invoice_id', '=', invoice_id))
}

/** Of two teams that count alike, neither can be told by a number: at most two are of interest. */
export async function findByNumber(ctx: Context, number: string): Promise<Address[]> {
  return ctx
    .acrossTeams()
    .all(db.selectFrom('invoice_addresses').selectAll().where('number', '=', number).limit(2))
}

export async function findByReference(ctx: Context, reference: string): Promise<Address | undefined> {
  return ctx
    .acrossTeams()
    .first(db.selectFrom('invoice_addresses').selectAll().where('reference', '=', reference))
}

/** Those of them that have a page: a draft has none. */
export async function findAddresses(
  ctx: Context,
  invoice_ids: readonly string[],
): Promise<Map<string, Address>> {
  if (invoice_ids.length === 0) return new Map()
  const rows = await ctx.all(
    db
      .selectFrom('invoice_addresses')
      .selectAll()
      .where('team_id', '=', ctx.team_id)
      .where('invoice_id', 'in', invoice_ids),
  )
  return new Map(rows.map(address => [address.invoice_id, address]))
}

const db = tables<{ invoice_addresses: Address }>()
