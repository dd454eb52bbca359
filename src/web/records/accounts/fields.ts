import type { Account, AccountChange, AccountSettings } from '#domains/accounts/contract.ts'
import { customField, toChange, type Field, type Value, type Values } from '../leads/fields.ts'

const CUSTOM = 'custom.'
const text = { kind: 'text', editable: true, nullable: true, group: 'company' } as const

const standard: readonly Field[] = [
  { ...text, key: 'name', label: 'Name', width: 240, nullable: false },
  { ...text, key: 'domain', label: 'Domain', width: 180 },
  { ...text, key: 'website', label: 'Website', kind: 'url', width: 200 },
  { ...text, key: 'industry', label: 'Industry', width: 160 },
  { ...text, key: 'phone', label: 'Phone', kind: 'phone', width: 150 },
  { ...text, key: 'owner_id', label: 'Owner', kind: 'person', width: 170 },
]

export function accountFields(settings: AccountSettings | undefined): Field[] {
  return [...standard, ...(settings?.custom_fields ?? []).map(customField)]
}

export function accountValue(account: Account, key: string): Value {
  if (key.startsWith(CUSTOM)) return account.custom[key.slice(CUSTOM.length)] ?? null
  return (account[key as keyof Account] ?? null) as Value
}

/** The body of a change. The server merges `custom`; null removes a value. */
export function accountChange(values: Values): AccountChange {
  return toChange(values) as AccountChange
}

/** The account's fields after the change. */
export function changedAccount(account: Account, values: Values): Partial<Account> {
  const { custom, ...rest } = accountChange(values)
  return { ...rest, ...(custom && { custom: { ...account.custom, ...custom } }) } as Partial<Account>
}
