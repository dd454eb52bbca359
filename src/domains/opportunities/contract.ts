import {
  anyOf,
  Currency,
  defineEndpoints,
  Day,
  Id,
  Instant,
  Money,
  nullable,
  oneOf,
  paging,
  sortBy,
  t,
  Text,
  type Static,
} from '#platform/contract.ts'
import { FilterParameter } from '#platform/filters/filter.ts'
import { outlineEndpoint, queryEndpoint, recordEndpoints } from '#platform/record-endpoints.ts'
import { recordEvents } from '#platform/records.ts'
import { leadFilters } from '#domains/leads/contract.ts'
import { opportunitySorts, opportunityStages } from './values.ts'

const Stage = oneOf(opportunityStages)

const writable = {
  name: Text,
  lead_id: nullable(Id),
  account_id: nullable(Id),
  amount: nullable(Money),
  currency: Currency,
  stage: Stage,
  close_date: nullable(Day),
  owner_id: nullable(Id),
}

export const Opportunity = t.Object(
  {
    id: Id,
    ...writable,
    /** When it entered its closed stage. */
    closed_at: nullable(Instant),
    created_at: Instant,
    updated_at: Instant,
    deleted_at: nullable(Instant),
  },
  { $id: 'Opportunity' },
)
export type Opportunity = Static<typeof Opportunity>

export const OpportunityChange = t.Partial(t.Object(writable), {
  additionalProperties: false,
  minProperties: 1,
})
export type OpportunityChange = Static<typeof OpportunityChange>

/** Without an account, that of the lead is taken. */
export const NewOpportunity = t.Object(
  { ...t.Partial(t.Object(writable)).properties, name: Text },
  { additionalProperties: false },
)
export type NewOpportunity = Static<typeof NewOpportunity>

const filters = {
  q: t.Optional(t.String({ maxLength: 200, description: 'Search names' })),
  stage: anyOf(Stage),
  owner_id: anyOf(t.Union([Id, t.Literal('none')])),
  lead_id: anyOf(Id),
  account_id: anyOf(Id),
  currency: anyOf(Currency),
  close_after: t.Optional(Day),
  close_before: t.Optional(Day),
  closed_after: t.Optional(Instant),
  trashed: t.Optional(t.Boolean({ description: 'List trashed records instead of active ones' })),
  filter: FilterParameter,
}
export const ListOpportunities = t.Object(
  { ...paging, sort: sortBy(opportunitySorts), ...filters },
  { additionalProperties: false },
)
export type ListOpportunities = Static<typeof ListOpportunities>
const Matching = t.Object({ sort: sortBy(opportunitySorts), ...filters }, { additionalProperties: false })
export type MatchingOpportunities = Static<typeof Matching>

const Filters = t.Object(filters, { additionalProperties: false })
export type OpportunityFilters = Static<typeof Filters>

/** What a column of a board adds up to, in each currency that occurs in it. */
export const Sum = t.Object({ currency: Currency, amount: Money, weighted: Money })
export type Sum = Static<typeof Sum>

export const Board = t.Object({
  columns: t.Array(t.Object({ stage: t.String(), count: t.Integer(), sums: t.Array(Sum) })),
})
export type Board = Static<typeof Board>

export const Forecast = t.Object({
  months: t.Array(
    t.Object({
      month: nullable(t.String({ description: 'Month, like 2026-03; null if there is no close date' })),
      currency: Currency,
      count: t.Integer(),
      amount: Money,
      weighted: Money,
      won: Money,
    }),
  ),
})

export const endpoints = defineEndpoints({
  ...recordEndpoints({
    one: 'Opportunity',
    many: 'Opportunities',
    path: '/api/crm/opportunities',
    read: { scope: 'leads:read' },
    write: { scope: 'leads:write' },
    query: ListOpportunities,
    listed: Opportunity,
    whole: Opportunity,
    create: NewOpportunity,
    change: OpportunityChange,
    summaries: {
      change: 'Update an opportunity; only an ADMIN can reopen a closed one',
    },
  }),
  ...outlineEndpoint('Opportunities', '/api/crm/opportunities', { scope: 'leads:read' }, Matching),
  ...queryEndpoint(
    'Opportunities',
    '/api/crm/opportunities',
    { scope: 'leads:read' },
    sortBy(opportunitySorts),
    Opportunity,
  ),
  exportOpportunities: {
    method: 'GET',
    path: '/api/crm/opportunities/export',
    summary: 'Export matching opportunities as CSV, safe from formula injection',
    auth: { scope: 'leads:read' },
    query: Matching,
    media: 'text/csv',
  },
  readOpportunityBoard: {
    method: 'GET',
    path: '/api/crm/opportunities/board',
    summary: 'Count and sum opportunities by stage',
    auth: { scope: 'leads:read' },
    query: Filters,
    output: Board,
  },
  readLeadBoard: {
    method: 'GET',
    path: '/api/crm/leads/board',
    summary: 'Count leads and sum their open opportunities by pipeline stage',
    auth: { scope: 'leads:read' },
    query: t.Object(leadFilters, { additionalProperties: false }),
    output: Board,
  },
  readForecast: {
    method: 'GET',
    path: '/api/crm/opportunities/forecast',
    summary: 'Forecast revenue by close month, weighted by stage',
    auth: { scope: 'leads:read' },
    query: Filters,
    output: Forecast,
  },
})

export const opportunityEvents = recordEvents('opportunity', 'leads:read')
