import { sql, type RawBuilder } from 'kysely'
import { systemContext, type Context, type Runtime } from '#platform/context.ts'
import { batchesOf, inserter } from '#platform/database/insert.ts'
import { isConnectionLoss } from '#platform/database/pool.ts'
import { freshlyPlanned, raw } from '#platform/database/tables.ts'
import { isAnyOf, isAnyOfOrNone } from '#platform/listing.ts'
import type { Lead, LeadFilters } from './contract.ts'

/**
 * How many living leads a team has, by stage, status, call status and owner: a board and the length of a list are sums over
 * a few hundred rows, however many leads there are. A change of a lead adds a row to `lead_count_changes` in its own
 * transaction, so that nobody waits for anybody else's count; now and then they are folded into `lead_counts`. What holds
 * is the sum of both (docs/decisions/0028).
 */
const FACETS = ['pipeline_stage', 'status', 'call_status', 'owner_id'] as const
type Facets = Record<(typeof FACETS)[number], string>
type CountRow = Facets & { team_id: string; n: number }

/** So many changes of a team are folded together, or more where they come faster than this pause. */
export const FOLD_EVERY = 200
const FOLD_PAUSE_MS = 2_000

/** What the change of a lead does to the counts. */
export function tally(ctx: Context, before: Lead | undefined, after: Lead | undefined): void {
  const [was, is] = [facetsOf(before), facetsOf(after)]
  if (was?.key === is?.key) return
  const { items, isNew } = ctx.transactionOrThrow().gather<Tallied>(TALLIED)
  if (is) items.push({ ...is, n: 1 })
  if (was) items.push({ ...was, n: -1 })
  if (!isNew) return
  ctx.beforeCommit(() => {
    const rows = summed(ctx.team_id, items)
    if (rows.length > 0) ctx.afterCommit(() => foldSometimes(ctx, rows.length))
    return batchesOf(rows).map(batch => insertChanges(batch))
  })
}

/** The filters of a list that the counts answer; with any other, the leads themselves are counted. */
export function isCounted(filters: Record<string, unknown>): boolean {
  return Object.entries(filters).every(
    ([name, value]) => value === undefined || ANSWERED.has(name) || (name === 'trashed' && value === false),
  )
}

export async function countLeads(ctx: Context, filters: LeadFilters): Promise<number> {
  const row = await ctx.first(
    freshlyPlanned(
      raw<{ count: number }>(sql`select coalesce(sum(n), 0)::bigint as count from ${counts(ctx, filters)}`),
    ),
  )
  return row!.count
}

export async function countByStage(ctx: Context, filters: LeadFilters) {
  return ctx.all(
    freshlyPlanned(
      raw<{ stage: string; count: number }>(sql`select pipeline_stage as stage, sum(n)::bigint as count
        from ${counts(ctx, filters)} group by pipeline_stage having sum(n) <> 0`),
    ),
  )
}

/** Takes the changes up into the counts. Who comes while somebody else does it, leaves it to them. */
export async function foldCounts(ctx: Context): Promise<void> {
  await ctx.transaction(async ctx => {
    const free = await ctx.first(
      raw<{ free: boolean }>(
        sql`select pg_try_advisory_xact_lock(hashtextextended('lead_counts ' || ${ctx.team_id}, 0)) as free`,
      ),
    )
    if (!free!.free) return
    const taken = await ctx.all(
      raw<Facets & { n: number }>(
        sql`delete from lead_count_changes where team_id = ${ctx.team_id} returning ${columns}, n`,
      ),
    )
    const rows = summed(
      ctx.team_id,
      taken.map(row => ({ ...row, key: keyOf(row) })),
    )
    for (const batch of batchesOf(rows)) ctx.later(addToCounts(batch))
    ctx.later(raw(sql`delete from lead_counts where team_id = ${ctx.team_id} and n = 0`))
  })
}

/**
 * Counts the leads themselves, and writes down by how much the counts were off. One statement finds that out, and sees one
 * moment: what others do meanwhile is in both or in neither.
 */
export async function recount(ctx: Context): Promise<number> {
  const wrong = await ctx.transaction(async ctx => {
    const rows = await ctx.all(
      raw<Facets & { n: number }>(sql`select ${columns}, sum(n)::bigint as n from (
          select pipeline_stage, status, call_status, coalesce(owner_id, '') as owner_id, 1 as n
          from leads where team_id = ${ctx.team_id} and deleted_at is null
          union all select ${columns}, -n from lead_counts where team_id = ${ctx.team_id}
          union all select ${columns}, -n from lead_count_changes where team_id = ${ctx.team_id}) as every
        group by ${columns} having sum(n) <> 0`),
    )
    for (const batch of batchesOf(rows))
      ctx.later(insertChanges(batch.map(row => ({ team_id: ctx.team_id, ...row }))))
    return rows.length
  })
  if (wrong > 0)
    ctx.log.warn({ team_id: ctx.team_id, wrong }, 'the counts of leads were off, and are right again')
  if (await hasChanges(ctx)) await foldCounts(ctx)
  return wrong
}

async function hasChanges(ctx: Context): Promise<boolean> {
  const found = await ctx.first(
    raw(sql`select 1 from lead_count_changes where team_id = ${ctx.team_id} limit 1`),
  )
  return found !== undefined
}

type Tallied = Facets & { key: string; n: number }
const TALLIED = {}
const ANSWERED = new Set<string>([...FACETS, 'sort'])
const columns = sql.join(FACETS.map(name => sql.ref(name)))
const insertChanges = inserter<CountRow>('lead_count_changes', ['team_id', ...FACETS, 'n'])
const addToCounts = inserter<CountRow>(
  'lead_counts',
  ['team_id', ...FACETS, 'n'],
  `on conflict (team_id, ${FACETS.join(', ')}) do update set n = lead_counts.n + excluded.n`,
)

function facetsOf(lead: Lead | undefined): (Facets & { key: string }) | undefined {
  if (!lead || lead.deleted_at !== null) return undefined
  const { pipeline_stage, status, call_status, owner_id } = lead
  const facets = { pipeline_stage, status, call_status, owner_id: owner_id ?? '' }
  return { ...facets, key: keyOf(facets) }
}

function keyOf(facets: Facets): string {
  return JSON.stringify(FACETS.map(name => facets[name]))
}

function summed(team_id: string, items: readonly Tallied[]): CountRow[] {
  return [...Map.groupBy(items, ({ key }) => key).values()].flatMap(group => {
    const { key: _, n: __, ...facets } = group[0]!
    const n = group.reduce((sum, item) => sum + item.n, 0)
    return n === 0 ? [] : [{ ...facets, team_id, n }]
  })
}

function counts(ctx: Context, filters: LeadFilters): RawBuilder<unknown> {
  const { pipeline_stage, status, call_status, owner_id } = filters
  const conditions = sql.join(
    [
      sql`team_id = ${ctx.team_id}`,
      ...isAnyOf('pipeline_stage', pipeline_stage),
      ...isAnyOf('status', status),
      ...isAnyOf('call_status', call_status),
      ...isAnyOfOrNone('owner_id', owner_id, sql`owner_id = ''`),
    ],
    sql` and `,
  )
  return sql`(select ${columns}, n from lead_counts where ${conditions}
    union all select ${columns}, n from lead_count_changes where ${conditions}) as counts`
}

type Folding = { changes: number; at: number; timer?: NodeJS.Timeout | undefined }
const folding = new WeakMap<Runtime, Map<string, Folding>>()

/** Each process folds after so many changes of its own, in a transaction that nobody waits for. */
function foldSometimes(ctx: Context, changes: number): void {
  const { runtime, team_id } = ctx
  let byTeam = folding.get(runtime)
  if (!byTeam) folding.set(runtime, (byTeam = new Map()))
  const own = byTeam.get(team_id) ?? { changes: 0, at: -Infinity }
  byTeam.set(team_id, own)
  own.changes += changes
  if (own.changes < FOLD_EVERY || own.timer) return
  const pauseMs = Math.max(0, own.at + FOLD_PAUSE_MS - performance.now())
  own.timer = setTimeout(() => {
    Object.assign(own, { changes: 0, at: performance.now(), timer: undefined })
    foldCounts(systemContext(runtime).forTeam(team_id)).catch(error => {
      // They are folded another time.
      if (!isConnectionLoss(error)) ctx.log.warn({ err: error }, 'folding the counts of leads failed')
    })
  }, pauseMs)
  own.timer.unref()
}
