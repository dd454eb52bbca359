import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { batchesOf, inserter } from '#platform/database/insert.ts'
import { tables } from '#platform/database/tables.ts'
import type { ListEntries } from './contract.ts'
import type { EntryKind, Plan, Purse } from './values.ts'

export type AccountRow = {
  team_id: string
  monthly: number
  purchased: number
  used: number
  monthly_quota: number | null
  reset_day: number
  period: string | null
  resets_at: string
  plan: Plan
  trial_ends_at: string | null
  entries: number
  updated_at: string
}

export type EntryRow = {
  team_id: string
  place: number
  id: string
  kind: EntryKind
  purse: Purse
  amount: number
  balance: number
  reference: string
  note: string | null
  actor_kind: string
  actor_id: string | null
  created_at: string
}

export async function findAccount(ctx: Context): Promise<AccountRow | undefined> {
  return ctx.first(db.selectFrom('credit_accounts').selectAll().where('team_id', '=', ctx.team_id))
}

export async function lockAccount(ctx: Context): Promise<AccountRow | undefined> {
  return ctx.first(
    db.selectFrom('credit_accounts').selectAll().where('team_id', '=', ctx.team_id).forUpdate(),
  )
}

/** False: somebody else has made it meanwhile. */
export async function addAccount(ctx: Context, account: AccountRow): Promise<boolean> {
  const insert = db.insertInto('credit_accounts').values(account)
  return (await ctx.run(insert.onConflict(conflict => conflict.column('team_id').doNothing()))) === 1
}

/** The caller must hold the lock of `lockAccount`. */
export function saveAccount(ctx: Context, changes: Partial<AccountRow>): void {
  ctx.later(db.updateTable('credit_accounts').set(changes).where('team_id', '=', ctx.team_id))
}

export function insertEntries(ctx: Context, entries: readonly EntryRow[]): void {
  for (const batch of batchesOf(entries)) ctx.later(insertRows(batch))
}

export async function findEntries(
  ctx: Context,
  reference: string,
  kinds: readonly EntryKind[],
): Promise<EntryRow[]> {
  return ctx.all(
    db
      .selectFrom('credit_entries')
      .selectAll()
      .where('team_id', '=', ctx.team_id)
      .where('kind', 'in', kinds)
      .where('purse', 'in', ['monthly', 'purchased'])
      .where('reference', '=', reference)
      .orderBy('place'),
  )
}

/** The last period up to this one that was granted. */
export async function findLatestGrant(ctx: Context, period: string): Promise<string | undefined> {
  const row = await ctx.first(
    db
      .selectFrom('credit_entries')
      .select('reference')
      .where('team_id', '=', ctx.team_id)
      .where('kind', '=', 'quota')
      .where('purse', '=', 'monthly')
      .where('reference', '<=', period)
      .orderBy('reference', 'desc')
      .limit(1),
  )
  return row?.reference
}

type Page = Pick<ListEntries, 'kind' | 'after' | 'before'> & { limit: number; after_id?: string }

/** Newest first, in the order of booking. */
export async function listEntries(
  ctx: Context,
  { kind, after, before, limit, after_id }: Page,
): Promise<EntryRow[]> {
  let query = db.selectFrom('credit_entries').selectAll().where('team_id', '=', ctx.team_id)
  if (kind) query = query.where('kind', '=', sql<EntryKind>`any(${kind}::text[])`)
  if (after) query = query.where('created_at', '>=', after)
  if (before) query = query.where('created_at', '<', before)
  if (after_id !== undefined) {
    const last = db.selectFrom('credit_entries').select('place').where('team_id', '=', ctx.team_id)
    query = query.where('place', '<', last.where('id', '=', after_id))
  }
  return ctx.all(query.orderBy('place', 'desc').limit(limit))
}

const db = tables<{ credit_accounts: AccountRow; credit_entries: EntryRow }>()

const insertRows = inserter<EntryRow>('credit_entries', [
  'team_id',
  'place',
  'id',
  'kind',
  'purse',
  'amount',
  'balance',
  'reference',
  'note',
  'actor_kind',
  'actor_id',
  'created_at',
])
