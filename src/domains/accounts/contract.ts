import {
  anyOf,
  defineEndpoints,
  Email,
  Id,
  Instant,
  nullable,
  oneOf,
  paging,
  Phone,
  sortBy,
  t,
  Text,
  WebAddress,
  type Static,
} from '#platform/contract.ts'
import { Custom, CustomFields } from '#platform/custom-fields.ts'
import { defineEvent } from '#platform/events.ts'
import { FilterParameter } from '#platform/filters/filter.ts'
import { outlineEndpoint, queryEndpoint, recordEndpoints } from '#platform/record-endpoints.ts'
import { recordEvents } from '#platform/records.ts'
import { accountSorts } from './values.ts'

const Domain = t.String({
  maxLength: 253,
  pattern:
    '^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)+$',
  description: 'Email and website domain, like acme.com; stored in lower case, one account per domain',
})

const writable = {
  name: Text,
  domain: nullable(Domain),
  website: nullable(WebAddress),
  industry: nullable(Text),
  phone: nullable(Phone),
  owner_id: nullable(Id),
  custom: Custom,
}

export const Account = t.Object(
  { id: Id, ...writable, created_at: Instant, updated_at: Instant, deleted_at: nullable(Instant) },
  { $id: 'Account' },
)
export type Account = Static<typeof Account>

export const AccountChange = t.Partial(t.Object(writable), { additionalProperties: false, minProperties: 1 })
export type AccountChange = Static<typeof AccountChange>

export const NewAccount = t.Object(
  { ...t.Partial(t.Object(writable)).properties, name: Text },
  { additionalProperties: false },
)
export type NewAccount = Static<typeof NewAccount>

const filters = {
  q: t.Optional(
    t.String({ maxLength: 200, description: 'Search names, domains, industries and phone numbers' }),
  ),
  id: anyOf(Id),
  owner_id: anyOf(t.Union([Id, t.Literal('none')])),
  industry: anyOf(Text),
  domain: anyOf(Domain),
  trashed: t.Optional(t.Boolean({ description: 'List trashed records instead of active ones' })),
  filter: FilterParameter,
}
export const ListAccounts = t.Object(
  { ...paging, sort: sortBy(accountSorts), ...filters },
  { additionalProperties: false },
)
export type ListAccounts = Static<typeof ListAccounts>
const Matching = t.Object({ sort: sortBy(accountSorts), ...filters }, { additionalProperties: false })
export type MatchingAccounts = Static<typeof Matching>

export const AccountMatch = t.Object({
  account: Account,
  matched_by: oneOf(['email', 'website', 'company'], 'What the account has in common with the lead'),
})
export type AccountMatch = Static<typeof AccountMatch>

export const AccountSettings = t.Object({ custom_fields: CustomFields, updated_at: Instant })
export type AccountSettings = Static<typeof AccountSettings>

export const endpoints = defineEndpoints({
  ...recordEndpoints({
    one: 'Account',
    many: 'Accounts',
    path: '/api/crm/accounts',
    read: { scope: 'accounts:read' },
    write: { scope: 'accounts:write' },
    query: ListAccounts,
    listed: Account,
    whole: Account,
    create: NewAccount,
    change: AccountChange,
  }),
  ...outlineEndpoint('Accounts', '/api/crm/accounts', { scope: 'accounts:read' }, Matching),
  ...queryEndpoint(
    'Accounts',
    '/api/crm/accounts',
    { scope: 'accounts:read' },
    sortBy(accountSorts),
    Account,
  ),
  exportAccounts: {
    method: 'GET',
    path: '/api/crm/accounts/export',
    summary: 'Export matching accounts as CSV, safe from formula injection',
    auth: { scope: 'accounts:read' },
    query: Matching,
    media: 'text/csv',
  },
  matchAccounts: {
    method: 'GET',
    path: '/api/crm/accounts/match',
    summary: 'Suggest accounts for a lead by email, website or company, best match first',
    auth: { scope: 'accounts:read' },
    query: t.Object(
      { email: t.Optional(Email), website: t.Optional(WebAddress), company: t.Optional(Text) },
      { additionalProperties: false },
    ),
    output: t.Object({ data: t.Array(AccountMatch) }),
  },
  readAccountSettings: {
    method: 'GET',
    path: '/api/crm/accounts/settings',
    summary: "List the team's custom account fields",
    auth: { scope: 'accounts:read' },
    output: AccountSettings,
    etag: true,
  },
  changeAccountSettings: {
    method: 'PATCH',
    path: '/api/crm/accounts/settings',
    summary: "Update the team's custom account fields",
    auth: { role: 'ADMIN' },
    body: t.Object({ custom_fields: CustomFields }, { additionalProperties: false }),
    output: AccountSettings,
    etag: true,
  },
})

export const accountEvents = recordEvents('account', 'accounts:read')
const Fields = t.Record(t.String(), t.Unknown())
export const accountSettingsChanged = defineEvent(
  'account_settings.changed',
  t.Object({ before: Fields, after: Fields }),
  { live: 'accounts:read' },
)
