import { sql, type RawBuilder } from 'kysely'
import type { Context } from '#platform/context.ts'
import { freshlyPlanned, raw } from '#platform/database/tables.ts'
import { exportList } from '#platform/csv-export.ts'
import {
  changedSince,
  isAnyOf,
  isAnyOfOrNone,
  listPage,
  sourceOf,
  where,
  type Listing,
} from '#platform/listing.ts'
import { prepared, queried, queryPrepared, type Prepared, type QueryOf } from '#platform/filters/reading.ts'
import { countList, listOutline, type FromRow } from '#platform/outline.ts'
import { quickMatches } from '#platform/quick-search.ts'
import { keeper } from '#platform/records.ts'
import {
  opportunityEvents,
  type ListOpportunities,
  type Opportunity,
  type OpportunityFilters,
  type MatchingOpportunities,
} from './contract.ts'
import { filterableOpportunities } from './filter-fields.ts'
import { openStages, stageProbabilities, type opportunitySorts } from './values.ts'

export const opportunityColumns = [
  'id',
  'name',
  'lead_id',
  'account_id',
  'amount',
  'currency',
  'stage',
  'close_date',
  'owner_id',
  'closed_at',
  'created_at',
  'updated_at',
  'deleted_at',
] as const satisfies (keyof Opportunity)[]

export const records = keeper<Opportunity>({
  noun: 'opportunity',
  table: 'opportunities',
  columns: opportunityColumns,
  events: opportunityEvents,
  nameOf: ({ name }) => name,
})

type Sort = (typeof opportunitySorts)[number]

const listing: Listing<Sort> = {
  table: 'opportunities',
  columns: opportunityColumns,
  sorts: {
    created_at: { column: 'created_at', type: 'timestamptz' },
    updated_at: { column: 'updated_at', type: 'timestamptz' },
    name: { column: 'name_key', type: 'text' },
    amount: { column: 'amount_key', type: 'numeric' },
    close_date: { column: 'close_key', type: 'date' },
  },
  defaultSort: '-created_at',
}

export async function list(ctx: Context, asked: ListOpportunities) {
  return listPrepared(ctx, await prepared(ctx, asked, filterable))
}

async function listPrepared(ctx: Context, query: Prepared<ListOpportunities>) {
  return listPage<Opportunity, Sort>(ctx, listing, query, conditions(query), isByFacet(query))
}

export async function query(ctx: Context, asked: QueryOf<Sort>) {
  return queried(
    await queryPrepared(ctx, asked, filterable),
    query => listPrepared(ctx, query),
    query => countList(ctx, listing, query, conditions(query)),
  )
}

/** Those of a lead or an account are few, and found by the index for them. */
function isByFacet(asked: Prepared<ListOpportunities>): boolean {
  const { lead_id, account_id, stage, owner_id, currency, passing, ...query } = asked
  if (lead_id || account_id || query.q || query.trashed) return false
  const { close_after, close_before, closed_after } = query
  return Boolean(stage ?? owner_id ?? currency ?? close_after ?? close_before ?? closed_after ?? passing)
}

export async function exportAll(
  ctx: Context,
  asked: MatchingOpportunities & Pick<ListOpportunities, 'sort'>,
) {
  const query = await prepared(ctx, asked, filterable)
  return exportList(ctx, listing, query, conditions(query))
}

export async function outline(ctx: Context, asked: MatchingOpportunities & FromRow) {
  const query = await prepared(ctx, asked, filterable)
  return listOutline(ctx, listing, query, conditions(query))
}

async function filterable() {
  return filterableOpportunities
}

export async function quick(ctx: Context, q: string, limit: number): Promise<Opportunity[]> {
  const searched = { ...listing, keys: ['name_key'], recent: 'updated_at' }
  return quickMatches(ctx, searched, q, limit)
}

export type SumRow = { stage: string; currency: string; count: number; amount: string; weighted: string }

export async function sumsByStage(ctx: Context, asked: OpportunityFilters): Promise<SumRow[]> {
  const filters = await prepared(ctx, asked, filterable)
  return ctx.all(raw<SumRow>(sql`with days as (${daysOf(ctx, filters)}) ${byStage} order by currency`))
}

/** What the open opportunities of leads add up to; `leads` are the leads that count, with their stages. */
export async function sumsOfLeads(ctx: Context, leads: RawBuilder<unknown>): Promise<SumRow[]> {
  return ctx.all(
    freshlyPlanned(
      raw<SumRow>(sql`select pipeline_stage as stage, currency, count(*) as count, ${amount}, ${weighted}
      from opportunities join (${leads}) as counted on counted.id = lead_id
      where opportunities.team_id = ${ctx.team_id} and opportunities.deleted_at is null and stage = any(${openStages}::text[])
      group by pipeline_stage, currency order by currency`),
    ),
  )
}

export type ForecastRow = {
  month: string | null
  currency: string
  count: number
  amount: string
  weighted: string
  won: string
}

export async function forecast(ctx: Context, asked: OpportunityFilters): Promise<ForecastRow[]> {
  const filters = await prepared(ctx, asked, filterable)
  return ctx.all(
    raw<ForecastRow>(
      sql`with days as (${daysOf(ctx, filters, [sql`stage <> 'closed_lost'`])}) ${byMonth} order by 1 nulls last, 2`,
    ),
  )
}

/** The sums of every stage and month, for a page that shows both: all opportunities are read once. */
export async function sumsByStageAndMonth(
  ctx: Context,
): Promise<{ stages: SumRow[]; months: ForecastRow[] }> {
  const row = await ctx.first(
    raw<{ stages: SumRow[]; months: ForecastRow[] }>(sql`with days as materialized (${daysOf(ctx, {})})
      select ${rowsOf(sql`${byStage} order by currency`)} as stages,
        ${rowsOf(sql`${byMonth} order by 1 nulls last, 2`)} as months`),
  )
  return row!
}

/** Added up by day first: there are a hundred times as many opportunities, and each would be weighed. */
function daysOf(
  ctx: Context,
  filters: Prepared<OpportunityFilters>,
  more: readonly RawBuilder<unknown>[] = [],
) {
  const passing = [...conditions(filters), ...more]
  return sql`select stage, currency, close_date, count(*) as n, sum(amount) as amount
    from ${sourceOf('opportunities', filters)} where ${where(ctx, filters, passing)} group by stage, currency, close_date`
}

function rowsOf(query: RawBuilder<unknown>) {
  return sql`(select coalesce(json_agg(found), '[]') from (${query}) as found)`
}

function conditions(query: Prepared<OpportunityFilters>): RawBuilder<unknown>[] {
  return [
    ...isAnyOf('stage', query.stage),
    ...isAnyOf('lead_id', query.lead_id),
    ...isAnyOf('account_id', query.account_id),
    ...isAnyOf('currency', query.currency),
    ...isAnyOfOrNone('owner_id', query.owner_id),
    // By the key of the sort, which has an index.
    ...(query.close_after ? [sql`close_key >= ${query.close_after}::date and close_date is not null`] : []),
    ...(query.close_before ? [sql`close_key < ${query.close_before}::date`] : []),
    ...(query.closed_after ? [changedSince('closed_at', query.closed_after)] : []),
    ...(query.passing ? [query.passing] : []),
  ]
}

const amount = sql`coalesce(sum(amount), 0)::text as amount`
const chances = Object.entries(stageProbabilities).map(
  ([stage, percent]) => sql`when ${sql.lit(stage)} then ${sql.lit(percent)}`,
)
const chance = sql`case stage ${sql.join(chances, sql` `)} end`
const weighted = sql`round(coalesce(sum(amount * ${chance}), 0) / 100, 2)::text as weighted`

const byStage = sql`select stage, currency, sum(n)::bigint as count, ${amount},
    round(coalesce(sum(amount), 0) * ${chance} / 100, 2)::text as weighted
  from days group by stage, currency`
const byMonth = sql`select to_char(close_date, 'YYYY-MM') as month, currency, sum(n)::bigint as count, ${amount}, ${weighted},
    coalesce(sum(amount) filter (where stage = 'closed_won'), 0)::text as won
  from days where stage <> 'closed_lost' group by 1, 2`
