import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { batchesOf, inserter } from '#platform/database/insert.ts'
import { raw, tables } from '#platform/database/tables.ts'
import { laterVersion } from '#platform/version.ts'
import type { SitePage } from './facts.ts'
import { records, type CandidateRow } from './store.ts'

type PageRow = SitePage & { team_id: string; candidate_id: string }

const db = tables<{ candidate_pages: PageRow; candidates: CandidateRow & { team_id: string } }>()

/** The pages that were read the last time. */
export async function findPages(ctx: Context, candidate_id: string): Promise<SitePage[]> {
  return ctx.all(
    db
      .selectFrom('candidate_pages')
      .select(['url', 'etag', 'last_modified', 'facts', 'read_at'])
      .where('team_id', '=', ctx.team_id)
      .where('candidate_id', '=', candidate_id)
      .orderBy('url'),
  )
}

/** These and no others: a page that is not there any more is not remembered. */
export function replacePages(ctx: Context, candidate_id: string, pages: readonly SitePage[]): void {
  const { team_id } = ctx
  ctx.later(
    db.deleteFrom('candidate_pages').where('team_id', '=', team_id).where('candidate_id', '=', candidate_id),
  )
  const rows = pages.map(page => ({ ...page, team_id, candidate_id, facts: asJson(page.facts) }))
  for (const batch of batchesOf(rows)) ctx.later(insertPages(batch))
}

/** Since when the team's oldest due candidate waits; undefined where none does. */
export async function findDueSince(ctx: Context): Promise<string | undefined> {
  const row = await ctx.first(
    raw<{ next_crawl_at: string }>(sql`select next_crawl_at from candidates where ${isDue(ctx)}
      order by next_crawl_at, id limit 1`),
  )
  return row?.next_crawl_at
}

/**
 * Takes up to so many that are due, oldest first, each for one crawl more. What somebody else is taking or changing
 * just now is passed over.
 */
export async function claimDue(ctx: Context, limit: number): Promise<Pick<CandidateRow, 'id' | 'crawls'>[]> {
  // Nothing of what is searched changes: the search index is merged by those who come later, not between two of these.
  ctx.later(raw(sql`set local gin_pending_list_limit = '16MB'`))
  return ctx.all(
    raw<Pick<CandidateRow, 'id' | 'crawls'>>(sql`with due as (
        select id, next_crawl_at from candidates where ${isDue(ctx)}
        order by next_crawl_at, id limit ${limit} for no key update skip locked),
      claimed as (
        update candidates set status = 'QUEUED', crawls = crawls + 1, next_crawl_at = null,
          updated_at = ${laterVersion(ctx.now())}
        from due where candidates.team_id = ${ctx.team_id} and candidates.id = due.id
        returning candidates.id, candidates.crawls, due.next_crawl_at as due_at)
      select id, crawls from claimed order by due_at, id`),
  )
}

/** The active candidate of a lead with the newest facts. */
export async function findOfLead(ctx: Context, lead_id: string): Promise<CandidateRow | undefined> {
  const columns = sql.join(records.columns.map(column => sql.ref(column)))
  return ctx.first(
    raw<CandidateRow>(sql`select ${columns} from candidates
      where team_id = ${ctx.team_id} and lead_id = ${lead_id} and deleted_at is null
      order by crawled_at desc nulls last, id limit 1`),
  )
}

const insertPages = inserter<PageRow>('candidate_pages', [
  'team_id',
  'candidate_id',
  'url',
  'etag',
  'last_modified',
  'facts',
  'read_at',
])

/** In the words of the partial index. */
function isDue(ctx: Context) {
  return sql`team_id = ${ctx.team_id} and next_crawl_at is not null and next_crawl_at <= ${ctx.now()}
    and deleted_at is null`
}

function asJson(facts: SitePage['facts']): SitePage['facts'] {
  return JSON.stringify(facts) as unknown as SitePage['facts']
}
