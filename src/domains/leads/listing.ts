import { sql, type RawBuilder } from 'kysely'
import type { Context } from '#platform/context.ts'
import { exportList, exportPages } from '#platform/csv-export.ts'
import { raw } from '#platform/database/tables.ts'
import {
  besideOf,
  columnsOf,
  isAnyOf,
  isAnyOfOrNone,
  isSearchable,
  listPage,
  sourceOf,
  where,
  type Beside,
  type Listing,
  type Narrow,
} from '#platform/listing.ts'
import { isFilter } from '#platform/filters/filter.ts'
import { prepared, queried, queryPrepared, type Prepared, type QueryOf } from '#platform/filters/reading.ts'
import { listOutline, type FromRow } from '#platform/outline.ts'
import { inside } from '#platform/problem.ts'
import { quickMatches } from '#platform/quick-search.ts'
import type { Lead, LeadFilters, ListLeads, WhichLeads } from './contract.ts'
import { countByStage, countLeads, isCounted } from './counts.ts'
import { filterableLeads } from './filter-fields.ts'
import { getSettings } from './service.ts'
import { areStatesBehind } from './states.ts'
import { leadColumns } from './store.ts'
import type { LeadSort } from './values.ts'

/** When nothing contains the words as typed, this many of the likest are shown. */
const LOOSE_MATCHES_MAX = 50
/** How columns of the team's own fields begin. */
export const CUSTOM = 'custom.'
/** No end: a change of everything that matches leaves nothing out. */
const EVERY_MATCH = 2 ** 31 - 1

type Filters = Omit<ListLeads, 'limit' | 'cursor'>
type Outlined = Filters & FromRow

/** States by which few leads may be found are indexed there, and so are the times that change most. */
const beside = {
  table: 'lead_states',
  columns: {
    pipeline_stage: 'pipeline_stage',
    status: 'status',
    call_status: 'call_status',
    created_at: 'created_at',
    updated_at: 'changed_at',
    activity_key: 'active_at',
  },
  sorts: ['updated_at', 'activity_key'],
  isBehind: areStatesBehind,
} as const satisfies Beside

/** Each sort and the never-null column it runs on; all of them are indexed together with the id. */
const listing: Listing<LeadSort> = {
  table: 'leads',
  columns: leadColumns,
  sorts: {
    created_at: { column: 'created_at', type: 'timestamptz' },
    updated_at: { column: 'updated_at', type: 'timestamptz' },
    last_activity_at: { column: 'activity_key', type: 'timestamptz' },
    last_name: { column: 'last_name_key', type: 'text' },
    company: { column: 'company_key', type: 'text' },
    email: { column: 'email_key', type: 'text' },
  },
  defaultSort: '-created_at',
  beside,
}

export async function listLeads(ctx: Context, asked: ListLeads) {
  return listPrepared(ctx, await prepared(ctx, asked, filterable))
}

async function listPrepared(ctx: Context, query: Prepared<ListLeads>) {
  const page = await listPage<Lead, LeadSort>(
    ctx,
    listing,
    query,
    conditions(query),
    isByFacet(query),
    narrow(query),
  )
  if (page.data.length > 0 || !query.q || query.cursor) return page
  return { data: await looseMatches(ctx, query), next_cursor: null }
}

export async function queryLeads(ctx: Context, asked: QueryOf<LeadSort>) {
  return queried(
    await queryPrepared(ctx, asked, filterable),
    query => listPrepared(ctx, query),
    query => countPrepared(ctx, query),
  )
}

export async function outlineLeads(ctx: Context, { from, ...asked }: Outlined) {
  const query = await prepared(ctx, asked, filterable)
  const counted = isCounted(query) && !areStatesBehind(ctx) ? () => countLeads(ctx, query) : undefined
  const outline = await listOutline(
    ctx,
    listing,
    { ...query, ...(from && { from }) },
    conditions(query),
    counted,
    narrow(query),
  )
  if (outline.count > 0 || !query.q) return outline
  return { ...outline, count: (await looseMatches(ctx, query)).length }
}

/** What matches, as CSV: with the team's own fields as columns of their own. */
export async function leadsAsCsv(ctx: Context, asked: Filters, columns: readonly string[]) {
  const query = await prepared(ctx, asked, filterable)
  // A search finds few enough to be read like a list, also those that are only like it.
  if (query.q) {
    const ofLead = columns.map(name => ({ name, of: (lead: Lead) => valueOf(lead, name) }))
    return exportPages(ofLead, page => listPrepared(ctx, { ...query, ...page }))
  }
  const ofTable = columns.map(name => {
    const key = customKeyOf(name)
    return key === undefined ? name : { name, value: sql`leads.custom -> ${key}::text` }
  })
  // Page after page in the order of the list: to find and sort what passes for each of them would take longer.
  const inOrder = { ...narrow(query), isNeeded: false }
  return exportList(ctx, listing, query, conditions(query), ofTable, inOrder)
}

function valueOf(lead: Lead, name: string): unknown {
  const key = customKeyOf(name)
  return key === undefined ? lead[name as keyof Lead] : lead.custom[key]
}

function customKeyOf(column: string): string | undefined {
  return column.startsWith(CUSTOM) ? column.slice(CUSTOM.length) : undefined
}

/** Typos: the likest names, addresses and companies, best first. */
async function looseMatches(
  ctx: Context,
  query: Prepared<Filters>,
  limit = LOOSE_MATCHES_MAX,
): Promise<Lead[]> {
  const { q: words = '', ...filters } = query
  if (!isSearchable(words)) return []
  const found = await ctx.all(
    raw<{ id: string }>(
      sql`select id from search_leads_loosely(${words.toLowerCase()}, ${query.trashed ?? false}, ${limit})`,
    ),
  )
  if (found.length === 0) return []
  const ids = found.map(({ id }) => id)
  // Not joined: a sharded database would call the function on the node of the leads, which knows only its own part.
  const leads = await ctx.all<Lead>(
    raw(sql`select ${columnsOf(listing)} from leads
      where ${where(ctx, filters, conditions(filters))} and id = any(${ids}::text[])`),
  )
  const place = new Map(ids.map((id, at) => [id, at]))
  return leads.toSorted((a, b) => place.get(a.id)! - place.get(b.id)!)
}

/** The leads somebody most likely means: by the beginning of a name, an address or a company, or by a phone. */
export async function quickLeads(ctx: Context, q: string, limit: number): Promise<Lead[]> {
  const keys = ['last_name_key', 'email_key', 'company_key']
  const searched = { table: 'leads', columns: leadColumns, keys, phone: 'phone', recent: 'activity_key' }
  return quickMatches(ctx, searched, q, limit)
}

/** Those whose names are like it, for when nothing contains the words as typed. */
export async function likeLeads(ctx: Context, q: string, limit: number): Promise<Lead[]> {
  return looseMatches(ctx, { q }, limit)
}

/** Counts by stage. */
export async function countLeadsByStage(ctx: Context, asked: LeadFilters) {
  const query = await prepared(ctx, asked, filterable)
  if (isCounted(query) && !areStatesBehind(ctx)) return countByStage(ctx, query)
  return ctx.all(
    raw<{ stage: string; count: number }>(sql`select leads.pipeline_stage as stage, count(*) as count
      from ${matching(ctx, query)} group by leads.pipeline_stage`),
  )
}

/**
 * A part of another query: the IDs and stages of the leads that match. What a search finds is read before: a function that
 * searches cannot be part of a statement about a sharded table.
 */
export async function leadsWithStages(ctx: Context, asked: LeadFilters): Promise<RawBuilder<unknown>> {
  const query = await prepared(ctx, asked, filterable)
  const byState = narrow(query)
  if (byState.isEnough && !query.q && !query.trashed && !areStatesBehind(ctx)) {
    const { from, where: passing } = besideOf(ctx, 'leads', beside, byState, true)
    return sql`select lead_states.id, lead_states.pipeline_stage from ${from} where ${passing}`
  }
  const leads = sql`select leads.id, leads.pipeline_stage from ${matching(ctx, query)}`
  if (!query.q) return leads
  const found = await ctx.all(raw<{ id: string; pipeline_stage: string }>(leads))
  const [ids, stages] = [found.map(({ id }) => id), found.map(({ pipeline_stage }) => pipeline_stage)]
  return sql`select * from unnest(${ids}::text[], ${stages}::text[]) as found (id, pipeline_stage)`
}

/** Everything that matches, also beyond what a list would look at: how many, counted exactly. */
export async function countMatching(ctx: Context, asked: LeadFilters): Promise<number> {
  return countPrepared(ctx, await prepared(ctx, asked, filterable))
}

/** The same by whichever way the leads were named, with what finds them again. */
export async function countAsked(ctx: Context, asked: WhichLeads) {
  const filter: LeadFilters = isFilter(asked) ? { filter: JSON.stringify(asked) } : asked
  try {
    return { filter, count: await countMatching(ctx, filter) }
  } catch (error) {
    throw isFilter(asked) ? error : inside('filter', error)
  }
}

async function countPrepared(ctx: Context, query: Prepared<LeadFilters>): Promise<number> {
  const row = await ctx.first(
    raw<{ count: number }>(sql`select count(*) as count from ${matching(ctx, query, EVERY_MATCH)}`),
  )
  return row!.count
}

type Block = { after: string; until: string; limit: number }

/** The next of them in the order of their ids, locked; leads that came after `until` are not among them. */
export async function lockMatching(ctx: Context, asked: LeadFilters, { after, until, limit }: Block) {
  const query = await prepared(ctx, asked, filterable)
  // Found first and locked then: a function that searches is not part of a statement about a sharded table.
  const found = await ctx.all(
    raw<{ id: string }>(sql`select leads.id from ${matching(ctx, query, EVERY_MATCH)} and leads.id > ${after}
      and leads.created_at <= ${until}::timestamptz order by leads.id limit ${limit}`),
  )
  const ids = found.map(({ id }) => id)
  return ctx.all(
    raw<Lead>(sql`select ${columnsOf(listing)} from leads
      where ${where(ctx, query, conditions(query))} and id = any(${ids}::text[])
      order by id for no key update`),
  )
}

/** The leads that match, in whichever order: `leads` where they are, and what must hold. */
function matching(ctx: Context, query: Prepared<LeadFilters>, matchesMax?: number): RawBuilder<unknown> {
  const byState = narrow(query)
  const { from, where: passing } =
    byState.isNeeded && !query.q && !query.trashed && !areStatesBehind(ctx)
      ? besideOf(ctx, 'leads', beside, byState)
      : { from: sourceOf('leads', query, matchesMax), where: where(ctx, query, conditions(query)) }
  return sql`${from} where ${passing}`
}

function conditions(
  query: Prepared<LeadFilters>,
  placeOf: (column: string) => string = inLeads,
): RawBuilder<unknown>[] {
  const of = (column: string) => `${placeOf(column)}.${column}`
  const created = sql.ref(of('created_at'))
  return [
    ...equalities.flatMap(column => isAnyOf(of(column), query[column])),
    ...isAnyOf(of('company_key'), query.company?.map(lower)),
    ...isAnyOf(of('email_key'), query.email?.map(lower)),
    ...isAnyOfOrNone(of('owner_id'), query.owner_id),
    ...(query.created_after ? [sql`${created} >= ${query.created_after}::timestamptz`] : []),
    ...(query.created_before ? [sql`${created} < ${query.created_before}::timestamptz`] : []),
    ...(query.passing ? [query.passing] : []),
  ]
}

function filterable(ctx: Context) {
  return getSettings(ctx).then(filterableLeads)
}

/** The same filters for the narrow table, which has columns for some of them. */
function narrow({ status, call_status, pipeline_stage, ...query }: Prepared<LeadFilters>): Narrow {
  const { id, phone, email, company, source, owner_id, account_id, passing } = query
  return {
    conditions: conditions({ ...query, status, call_status, pipeline_stage }, inStates),
    isNeeded: Boolean(status ?? call_status ?? pipeline_stage),
    isEnough: !(id ?? phone ?? email ?? company ?? source ?? owner_id ?? account_id ?? passing),
  }
}

function inLeads(): string {
  return 'leads'
}

function inStates(column: string): string {
  return column in beside.columns ? beside.table : 'leads'
}

/**
 * Whether many leads may pass the filter or few, and no order leads to them: those with an index of their own are found by that,
 * and so is a stage of the board in the board's order.
 */
function isByFacet({ q, id, email, phone, company, passing, ...query }: Prepared<ListLeads>): boolean {
  if (q || id || email || phone || company) return false
  if (passing) return true
  const byAge = query.sort === undefined || query.sort === 'created_at' || query.sort === '-created_at'
  const { status, call_status, source, owner_id, account_id, pipeline_stage } = query
  return Boolean(
    status ??
    call_status ??
    source ??
    owner_id ??
    account_id ??
    (byAge && pipeline_stage?.length === 1 ? undefined : pipeline_stage),
  )
}

const equalities = ['id', 'status', 'call_status', 'pipeline_stage', 'account_id', 'source', 'phone'] as const

function lower(text: string): string {
  return text.toLowerCase()
}
