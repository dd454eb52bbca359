import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { raw, tables } from '#platform/database/tables.ts'
import { columnsOf } from '#platform/listing.ts'
import { keeper } from '#platform/records.ts'
import { accountEvents, type Account, type AccountSettings } from './contract.ts'

export const accountColumns = [
  'id',
  'name',
  'domain',
  'website',
  'industry',
  'phone',
  'owner_id',
  'custom',
  'created_at',
  'updated_at',
  'deleted_at',
] as const satisfies (keyof Account)[]

export const records = keeper<Account>({
  noun: 'account',
  table: 'accounts',
  columns: accountColumns,
  json: ['custom'],
  events: accountEvents,
  nameOf: ({ name }) => name,
})

/** Living accounts with one of these domains or this name, in lower case. */
export async function findMatching(ctx: Context, domains: string[], name: string | undefined) {
  const columns = columnsOf({ table: 'accounts', columns: accountColumns })
  return ctx.all(
    raw<Account>(sql`select ${columns} from accounts where team_id = ${ctx.team_id} and deleted_at is null
      and (domain = any(${domains}::text[]) or name_key = ${name ?? null}) order by created_at, id limit 20`),
  )
}

export async function findByDomain(ctx: Context, domain: string): Promise<Account | undefined> {
  return (await findMatching(ctx, [domain], undefined))[0]
}

export async function findSettings(ctx: Context): Promise<AccountSettings | undefined> {
  return ctx.first(
    db
      .selectFrom('account_settings')
      .select(['custom_fields', 'updated_at'])
      .where('team_id', '=', ctx.team_id),
  )
}

export async function lockSettings(ctx: Context): Promise<void> {
  await ctx.all(
    db.selectFrom('account_settings').select('updated_at').where('team_id', '=', ctx.team_id).forUpdate(),
  )
}

export function saveSettings(ctx: Context, { custom_fields, updated_at }: AccountSettings): void {
  const row = { custom_fields: JSON.stringify(custom_fields) as never, updated_at }
  ctx.later(
    db
      .insertInto('account_settings')
      .values({ team_id: ctx.team_id, ...row })
      .onConflict(conflict => conflict.column('team_id').doUpdateSet(row)),
  )
}

const db = tables<{ account_settings: AccountSettings & { team_id: string } }>()

/** Until the transaction ends nobody else may decide on this domain. */
export async function lockDomain(ctx: Context, domain: string): Promise<void> {
  await ctx.run(raw(sql`select pg_advisory_xact_lock(hashtextextended(${`${ctx.team_id} ${domain}`}, 1))`))
}
