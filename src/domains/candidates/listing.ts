import { sql, type RawBuilder } from 'kysely'
import type { Context } from '#platform/context.ts'
import { raw } from '#platform/database/tables.ts'
import { exportList } from '#platform/csv-export.ts'
import { isAnyOf, listPage, type Listing } from '#platform/listing.ts'
import { listOutline, type FromRow } from '#platform/outline.ts'
import { quickMatches } from '#platform/quick-search.ts'
import { readAddress } from './address.ts'
import type { ListCandidates, ListedCandidate, MatchingCandidates } from './contract.ts'
import { listedColumns } from './store.ts'
import { candidateStatuses, type candidateSorts, type CandidateStatus } from './values.ts'

type Sort = (typeof candidateSorts)[number]

const listing: Listing<Sort> = {
  table: 'candidates',
  columns: listedColumns,
  sorts: {
    created_at: { column: 'created_at', type: 'timestamptz' },
    updated_at: { column: 'updated_at', type: 'timestamptz' },
    name: { column: 'name_key', type: 'text' },
    score: { column: 'score', type: 'integer' },
  },
  defaultSort: '-created_at',
}

export async function listCandidates(ctx: Context, query: ListCandidates) {
  const { id, domain, lead_id, status, converted, score_min, q, trashed } = query
  const isByFacet =
    (status ?? converted ?? score_min) !== undefined && !(id || domain || lead_id || q || trashed)
  return listPage<ListedCandidate, Sort>(ctx, listing, query, conditions(ctx, query), isByFacet)
}

export function exportCandidates(ctx: Context, query: MatchingCandidates & Pick<ListCandidates, 'sort'>) {
  return exportList(ctx, listing, query, conditions(ctx, query))
}

export async function outlineCandidates(ctx: Context, query: MatchingCandidates & FromRow) {
  return listOutline(ctx, listing, query, conditions(ctx, query))
}

/** Counts of active candidates by status. */
export async function countCandidates(ctx: Context): Promise<Record<CandidateStatus, number>> {
  const rows = await ctx.all(
    raw<{ status: CandidateStatus; count: number }>(sql`select status, count(*) as count from candidates
      where team_id = ${ctx.team_id} and deleted_at is null group by status`),
  )
  const counts = new Map(rows.map(({ status, count }) => [status, count]))
  return Object.fromEntries(candidateStatuses.map(status => [status, counts.get(status) ?? 0])) as Record<
    CandidateStatus,
    number
  >
}

export async function quickCandidates(ctx: Context, q: string, limit: number): Promise<ListedCandidate[]> {
  const keys = ['name_key', 'domain']
  return quickMatches(
    ctx,
    { table: 'candidates', columns: listedColumns, keys, recent: 'updated_at' },
    q,
    limit,
  )
}

function conditions(ctx: Context, query: ListCandidates): RawBuilder<unknown>[] {
  const { converted, score_min } = query
  return [
    ...isAnyOf('id', query.id),
    ...isAnyOf('status', query.status),
    ...isAnyOf(
      'domain',
      query.domain?.map(text => domainOf(ctx, text)),
    ),
    ...isAnyOf('lead_id', query.lead_id),
    ...(converted === undefined ? [] : [converted ? sql`lead_id is not null` : sql`lead_id is null`]),
    ...(score_min === undefined ? [] : [sql`score >= ${score_min}`]),
  ]
}

/** As it is kept, however it is written. */
function domainOf(ctx: Context, text: string): string {
  const site = readAddress(text, ctx.runtime.settings.outboundAllowHosts)
  return 'wrong' in site ? text.toLowerCase() : site.domain
}
