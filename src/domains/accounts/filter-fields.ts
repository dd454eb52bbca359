import { sql, type RawBuilder } from 'kysely'
import {
  customFilterFields,
  ownFilterFields,
  type Filterable,
  type FilterField,
} from '#platform/filters/fields.ts'
import type { Account, AccountSettings } from './contract.ts'

/** Everything that accounts can be filtered by, with the fields of this team. */
export function filterableAccounts({ custom_fields }: AccountSettings): Filterable<Account> {
  return {
    fields: [
      ...ownFilterFields<Account>('accounts', [
        { name: 'name', label: 'Name', type: 'text', lowered: 'name_key' },
        { name: 'domain', label: 'Domain', type: 'text' },
        { name: 'website', label: 'Website', type: 'text' },
        { name: 'industry', label: 'Industry', type: 'text' },
        { name: 'phone', label: 'Phone', type: 'text' },
        { name: 'owner_id', label: 'Owner', type: 'record', of: 'member' },
        { name: 'created_at', label: 'Created', type: 'time' },
        { name: 'updated_at', label: 'Updated', type: 'time' },
      ]),
      ...customFilterFields<Account>('accounts', custom_fields),
    ],
    activities: [],
  }
}

/** What records of an account are filtered by: fields of the account, looked up by the record's `account_id`. */
export function fieldsOfAccount<Row>(
  table: string,
  accountOf: (row: Row) => Account | undefined,
): FilterField<Row>[] {
  const texts = [
    ['name', 'Account name'],
    ['domain', 'Account domain'],
    ['industry', 'Account industry'],
  ] as const
  return [
    ...texts.map(([name, label]) => ({
      name: `account.${name}`,
      label,
      type: 'text' as const,
      column: columnOfAccount(table, name),
      valueIn: (row: Row) => accountOf(row)?.[name] ?? null,
    })),
    {
      name: 'account.owner_id',
      label: 'Account owner',
      type: 'record',
      of: 'member',
      column: columnOfAccount(table, 'owner_id'),
      valueIn: row => accountOf(row)?.owner_id ?? null,
    },
  ]
}

/** Nothing where there is no account, or it is in the trash. */
function columnOfAccount(table: string, column: keyof Account): RawBuilder<unknown> {
  const own = sql.table(table)
  return sql`(select ${sql.ref(`accounts.${column}`)} from accounts where accounts.team_id = ${own}.team_id
    and accounts.id = ${own}.account_id and accounts.deleted_at is null)`
}
