import type { Context } from '#platform/context.ts'
import { checkCustomFields, mergedCustom } from '#platform/custom-fields.ts'
import { record } from '#platform/events.ts'
import { exportList } from '#platform/csv-export.ts'
import { prepared, queried, queryPrepared, type Prepared, type QueryOf } from '#platform/filters/reading.ts'
import { isAnyOf, isAnyOfOrNone, listPage, type Listing } from '#platform/listing.ts'
import { countList, listOutline, type FromRow } from '#platform/outline.ts'
import { Problem, type Fault } from '#platform/problem.ts'
import { quickMatches } from '#platform/quick-search.ts'
import { filledFields } from '#platform/records.ts'
import { nextVersion, unchangedSince } from '#platform/version.ts'
import { memberFaults } from '#domains/identity/members.ts'
import {
  accountEvents,
  accountSettingsChanged,
  type Account,
  type AccountChange,
  type AccountMatch,
  type AccountSettings,
  type ListAccounts,
  type NewAccount,
  type MatchingAccounts,
} from './contract.ts'
import { filterableAccounts } from './filter-fields.ts'
import { check, domainOf, domainOfEmail, newAccount, parentsOf, tidyDomain } from './model.ts'
import * as store from './store.ts'
import { accountColumns, records } from './store.ts'
import type { accountSorts } from './values.ts'

type Sort = (typeof accountSorts)[number]

const listing: Listing<Sort> = {
  table: 'accounts',
  columns: accountColumns,
  sorts: {
    name: { column: 'name_key', type: 'text' },
    created_at: { column: 'created_at', type: 'timestamptz' },
    updated_at: { column: 'updated_at', type: 'timestamptz' },
  },
  defaultSort: '-created_at',
}

export async function listAccounts(ctx: Context, asked: ListAccounts) {
  return listPrepared(ctx, await prepared(ctx, asked, filterable))
}

async function listPrepared(ctx: Context, query: Prepared<ListAccounts>) {
  const { id, domain, owner_id, industry, passing, q, trashed } = query
  const isByFacet = Boolean(owner_id ?? industry ?? passing) && !(id || domain || q || trashed)
  return listPage<Account, Sort>(ctx, listing, query, conditions(query), isByFacet)
}

export async function queryAccounts(ctx: Context, asked: QueryOf<Sort>) {
  return queried(
    await queryPrepared(ctx, asked, filterable),
    query => listPrepared(ctx, query),
    query => countList(ctx, listing, query, conditions(query)),
  )
}

export async function exportAccounts(ctx: Context, asked: MatchingAccounts & Pick<ListAccounts, 'sort'>) {
  const query = await prepared(ctx, asked, filterable)
  return exportList(ctx, listing, query, conditions(query))
}

export async function outlineAccounts(ctx: Context, asked: MatchingAccounts & FromRow) {
  const query = await prepared(ctx, asked, filterable)
  return listOutline(ctx, listing, query, conditions(query))
}

function conditions(query: Prepared<MatchingAccounts>) {
  return [
    ...isAnyOf('id', query.id),
    ...isAnyOfOrNone('owner_id', query.owner_id),
    ...isAnyOf('industry', query.industry),
    ...isAnyOf('domain', query.domain?.map(tidyDomain)),
    ...(query.passing ? [query.passing] : []),
  ]
}

function filterable(ctx: Context) {
  return getSettings(ctx).then(filterableAccounts)
}

export async function quickAccounts(ctx: Context, q: string, limit: number): Promise<Account[]> {
  const searched = {
    table: 'accounts',
    columns: accountColumns,
    keys: ['name_key', 'domain'],
    recent: 'updated_at',
  }
  return quickMatches(ctx, searched, q, limit)
}

export const getAccount = records.get
export const findAccounts = records.findAll

/** Of these accounts, those that another record may name. */
export async function livingAccounts(ctx: Context, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const found = await findAccounts(ctx, [...new Set(ids)])
  return new Set(found.filter(({ deleted_at }) => deleted_at === null).map(({ id }) => id))
}

/** What is wrong with naming this account in another record: it must be one of the team that is alive. */
export async function accountFaults(ctx: Context, account_id: string | null | undefined): Promise<Fault[]> {
  if (!account_id || (await records.exist(ctx, account_id))) return []
  return [{ path: 'account_id', message: 'is not an account in this team' }]
}

export async function createAccount(ctx: Context, input: NewAccount): Promise<Account> {
  return ctx.transaction(async ctx => {
    const { custom_fields } = await getSettings(ctx)
    const made = { id: ctx.newId(), at: ctx.now() }
    const account = newAccount(
      input,
      custom_fields,
      made,
      await memberFaults(ctx, input.owner_id, 'owner_id'),
    )
    // A domain that only comes from the website must not block the change.
    if (!input.domain && account.domain && (await store.findByDomain(ctx, account.domain)))
      account.domain = null
    await refuseTakenDomain(ctx, account)
    records.insert(ctx, account)
    record(ctx, accountEvents.created, records.about(account), { account: filledFields(account) })
    return account
  })
}

export async function changeAccount(ctx: Context, id: string, input: AccountChange, ifMatch?: string) {
  return ctx.transaction(async ctx => {
    const account = await records.getForChange(ctx, id, ifMatch)
    const { custom_fields } = await getSettings(ctx)
    check(input, custom_fields, await memberFaults(ctx, input.owner_id, 'owner_id'))
    const fields: AccountChange = { ...input }
    if (input.domain) fields.domain = tidyDomain(input.domain)
    if (input.custom) fields.custom = mergedCustom(account.custom, input.custom)
    await refuseTakenDomain(ctx, { ...account, ...fields })
    return records.change(ctx, account, fields)
  })
}

export const trashAccount = records.trash
export const purgeAccounts = records.purge

/** A domain that another account took meanwhile stays with that one. */
export async function restoreAccount(ctx: Context, id: string): Promise<Account> {
  return records.restore(ctx, id, async (ctx, { domain }) => {
    await lockDomain(ctx, domain)
    return domain && (await store.findByDomain(ctx, domain)) ? { domain: null } : {}
  })
}

/**
 * Which accounts a lead probably belongs to. The domain of its mail says most; then that of its website, then the
 * company's name. Domains that anybody may have a mailbox with say nothing.
 */
export async function matchAccounts(
  ctx: Context,
  lead: { email?: string | null; website?: string | null; company?: string | null },
): Promise<AccountMatch[]> {
  const byMail = parentsOf(domainOfEmail(lead.email) ?? '')
  const bySite = parentsOf(domainOf(lead.website) ?? '')
  const company = lead.company?.trim().toLowerCase()
  if (byMail.length + bySite.length === 0 && !company) return []
  const accounts = await store.findMatching(ctx, [...byMail, ...bySite], company)
  const reasonFor = ({ domain }: Account): AccountMatch['matched_by'] => {
    if (domain && byMail.includes(domain)) return 'email'
    return domain && bySite.includes(domain) ? 'website' : 'company'
  }
  const order: AccountMatch['matched_by'][] = ['email', 'website', 'company']
  return accounts
    .map(account => ({ account, matched_by: reasonFor(account) }))
    .toSorted((a, b) => order.indexOf(a.matched_by) - order.indexOf(b.matched_by))
}

export async function getSettings(ctx: Context): Promise<AccountSettings> {
  return (await store.findSettings(ctx)) ?? { custom_fields: [], updated_at: new Date(0).toISOString() }
}

export async function changeSettings(
  ctx: Context,
  change: Pick<AccountSettings, 'custom_fields'>,
  ifMatch?: string,
): Promise<AccountSettings> {
  return ctx.transaction(async ctx => {
    await store.lockSettings(ctx)
    const before = unchangedSince(await getSettings(ctx), ifMatch)
    checkCustomFields(change.custom_fields)
    const after = { ...change, updated_at: nextVersion(before.updated_at, ctx.now()) }
    store.saveSettings(ctx, after)
    record(ctx, accountSettingsChanged, { kind: 'account_settings', id: ctx.team_id }, { before, after })
    return after
  })
}

async function refuseTakenDomain(ctx: Context, account: Account): Promise<void> {
  if (!account.domain) return
  await lockDomain(ctx, account.domain)
  const other = await store.findByDomain(ctx, account.domain)
  if (!other || other.id === account.id) return
  throw new Problem('conflict', `${other.name} already has the domain ${account.domain}.`, {
    code: 'domain_taken',
    errors: [{ path: 'domain', message: `belongs to ${other.name}` }],
  })
}

/** Two who give the same domain at once come one after the other. */
async function lockDomain(ctx: Context, domain: string | null): Promise<void> {
  if (domain) await store.lockDomain(ctx, domain)
}
