import {
  anyOf,
  ById,
  Currency,
  defineEndpoints,
  Day,
  Id,
  Instant,
  listOf,
  Money,
  nullable,
  oneOf,
  paging,
  sortBy,
  t,
  Text,
  type Static,
} from '#platform/contract.ts'
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
}
export const ListOpportunities = t.Object(
  { ...paging, sort: sortBy(opportunitySorts), ...filters },
  { additionalProperties: false },
)
export type ListOpportunities = Static<typeof ListOpportunities>

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
  listOpportunities: {
    method: 'GET',
    path: '/api/crm/opportunities',
    summary: 'List, filter, sort and search opportunities',
    auth: { scope: 'leads:read' },
    query: ListOpportunities,
    output: listOf(Opportunity),
  },
  exportOpportunities: {
    method: 'GET',
    path: '/api/crm/opportunities/export',
    summary: 'Export matching opportunities as CSV, safe from formula injection',
    auth: { scope: 'leads:read' },
    query: t.Object({ sort: sortBy(opportunitySorts), ...filters }, { additionalProperties: false }),
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
  createOpportunity: {
    method: 'POST',
    path: '/api/crm/opportunities',
    summary: 'Create an opportunity',
    auth: { scope: 'leads:write' },
    body: NewOpportunity,
    output: Opportunity,
    status: 201,
    etag: true,
  },
  readOpportunity: {
    method: 'GET',
    path: '/api/crm/opportunities/:id',
    summary: 'Read an opportunity',
    auth: { scope: 'leads:read' },
    params: ById,
    output: Opportunity,
    etag: true,
  },
  changeOpportunity: {
    method: 'PATCH',
    path: '/api/crm/opportunities/:id',
    summary: 'Update an opportunity; only an ADMIN can reopen a closed one',
    auth: { scope: 'leads:write' },
    params: ById,
    body: OpportunityChange,
    output: Opportunity,
    etag: true,
  },
  trashOpportunity: {
    method: 'DELETE',
    path: '/api/crm/opportunities/:id',
    summary: 'Move an opportunity to the trash for 30 days',
    auth: { scope: 'leads:write' },
    params: ById,
    etag: true,
  },
  restoreOpportunity: {
    method: 'POST',
    path: '/api/crm/opportunities/:id/restore',
    summary: 'Restore an opportunity from the trash',
    auth: { scope: 'leads:write' },
    params: ById,
    output: Opportunity,
    status: 200,
    etag: true,
  },
})

export const opportunityEvents = recordEvents('opportunity', 'leads:read')
