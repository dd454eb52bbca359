import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Lead } from '#domains/leads/contract.ts'
import type { Board, Opportunity } from '#domains/opportunities/contract.ts'
import { stageProbabilities, type OpportunityStage } from '#domains/opportunities/values.ts'
import { api } from '../../api.ts'
import { cacheKeys } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import type { Deal } from './deals.ts'
import type { Filters } from './search.ts'

const PAGE_SIZE = 100

type Of = Deal['of']
type Page = { data: (Lead | Opportunity)[]; next_cursor: string | null }

/** The cards of one stage, page by page, most recently changed first. */
export function stageQuery(of: Of, stage: string, filters: Filters) {
  return infiniteQueryOptions({
    queryKey: [...stagesKey(of), filters, stage],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }): Promise<Page> => {
      const page = { sort: '-updated_at', limit: PAGE_SIZE, ...(pageParam && { cursor: pageParam }) } as const
      return of === 'leads'
        ? leadsIn(stage, { ...filters, ...page }, signal)
        : dealsIn(stage, { ...filters, ...page }, signal)
    },
    getNextPageParam: last => last.next_cursor ?? undefined,
  })
}

export function sumsQuery(of: Of, filters: Filters) {
  return queryOptions({
    queryKey: [...sumsKey(of), filters],
    queryFn: ({ signal }): Promise<Board> =>
      of === 'leads'
        ? api('GET /api/crm/leads/board', { query: filters, signal })
        : api('GET /api/crm/opportunities/board', { query: filters, signal }),
  })
}

export function forecastQuery(filters: Filters) {
  return queryOptions({
    queryKey: [...cacheKeys.opportunities, 'pipeline', 'forecast', filters],
    queryFn: async ({ signal }) =>
      (await api('GET /api/crm/opportunities/forecast', { query: filters, signal })).months,
  })
}

/** A running request would bring back the totals from before a move. They are requested again afterwards. */
export async function holdSums(of: Of): Promise<void> {
  await queryClient.cancelQueries({ queryKey: sumsKey(of) })
}

export function refreshSums(of: Of): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: sumsKey(of) })
}

/** Updates the column totals after a move, until they are loaded again. */
export function putMove(deal: Deal, from: string): void {
  queryClient.setQueriesData<Board>(
    { queryKey: sumsKey(deal.of) },
    board => board && moveSum(board, deal, from, deal.stage),
  )
}

/** The column totals after a move. The opportunities of a lead are not known here, so its sums follow later. */
export function moveSum(board: Board, deal: Deal, from: string, to: string): Board {
  if (from === to) return board
  const columns = board.columns.map(column => {
    const sign = column.stage === from ? -1 : column.stage === to ? 1 : 0
    return sign === 0 ? column : changed(column, deal, sign)
  })
  return { columns }
}

type Column = Board['columns'][number]

function changed(column: Column, deal: Deal, sign: 1 | -1): Column {
  const count = Math.max(0, column.count + sign)
  if (deal.of === 'leads') return { ...column, count }
  const { amount, currency } = deal.record
  const value = Number(amount ?? 0) * sign
  const chance = stageProbabilities[column.stage as OpportunityStage] / 100
  const known = column.sums.find(sum => sum.currency === currency)
  const sum = {
    currency,
    amount: added(known?.amount, value),
    weighted: added(known?.weighted, value * chance),
  }
  const others = column.sums.filter(each => each !== known)
  return { ...column, count, sums: [...others, sum].toSorted((a, b) => (a.currency < b.currency ? -1 : 1)) }
}

/** Until the server returns the exact sum. */
function added(amount: string | undefined, more: number): string {
  return String(Math.max(0, Math.round((Number(amount ?? 0) + more) * 100) / 100))
}

function leadsIn(stage: string, query: object, signal: AbortSignal): Promise<Page> {
  return api('GET /api/crm/leads', { query: { ...query, pipeline_stage: [stage] }, signal })
}

function dealsIn(stage: string, query: object, signal: AbortSignal): Promise<Page> {
  return api('GET /api/crm/opportunities', {
    query: { ...query, stage: [stage as OpportunityStage] },
    signal,
  })
}

/** Below the keys that the stream invalidates. */
function stagesKey(of: Of) {
  return [...(of === 'leads' ? cacheKeys.leadBoard : cacheKeys.opportunities), 'pipeline', 'stage'] as const
}

function sumsKey(of: Of) {
  return [...(of === 'leads' ? cacheKeys.leadBoard : cacheKeys.opportunities), 'pipeline', 'sums'] as const
}
