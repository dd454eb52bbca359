import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { raw } from '#platform/database/tables.ts'
import { records, type CandidateRow } from './store.ts'

const columns = sql.join(records.columns.map(column => sql.ref(column)))

/** The active candidates with one of these domains. */
export async function findByDomains(ctx: Context, domains: readonly string[]): Promise<CandidateRow[]> {
  return ctx.all(
    raw<CandidateRow>(sql`select ${columns} from candidates
      where team_id = ${ctx.team_id} and deleted_at is null and domain = any(${domains}::text[])`),
  )
}

/** Which of these domains the team has a living candidate of. */
export async function knownDomains(ctx: Context, domains: readonly string[]): Promise<Set<string>> {
  const rows = await ctx.all(
    raw<{ domain: string }>(sql`select domain from candidates
      where team_id = ${ctx.team_id} and deleted_at is null and domain = any(${domains}::text[])`),
  )
  return new Set(rows.map(({ domain }) => domain))
}

/**
 * Serializes decisions about new candidates within the team. One lock for all domains is enough: each
 * addition also locks the team's credits.
 */
export async function lockDomains(ctx: Context): Promise<void> {
  await ctx.run(raw(sql`select pg_advisory_xact_lock(hashtextextended(${`${ctx.team_id} candidates`}, 23))`))
}
