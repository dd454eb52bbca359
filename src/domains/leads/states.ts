import { sql, type Compilable } from 'kysely'
import type { Context } from '#platform/context.ts'
import { batchesOf, inserter } from '#platform/database/insert.ts'
import { freshlyPlanned, raw } from '#platform/database/tables.ts'
import type { Lead } from './contract.ts'
import { tally } from './counts.ts'

/**
 * What changes all the time about an active lead, once more in a narrow table. The lists' indexes over it are there, so that a
 * change leaves every index of `leads` alone, and the new version of the row stays on its page (docs/decisions/0031).
 */
type StateRow = Pick<Lead, 'id' | 'pipeline_stage' | 'status' | 'call_status' | 'created_at'> & {
  team_id: string
  changed_at: string
  active_at: string
}

/** What is kept of a lead beside its row, the counts and its state: every change of a lead comes through here. */
export function track(ctx: Context, before: Lead | undefined, after: Lead): void {
  tally(ctx, before, after)
  trackState(ctx, { id: after.id, wasActive: isActive(before), isNew: !before, after })
}

/** Its row has another time of activity, and is otherwise the same. */
export function trackActivity(ctx: Context, id: string): void {
  trackState(ctx, { id, wasActive: true, isNew: false })
}

/**
 * Compares the states with the leads themselves, and corrects them: leads may have been written by SQL. Each statement sees
 * one moment.
 */
export async function correctStates(ctx: Context): Promise<number> {
  const active = sql`leads.team_id = ${ctx.team_id} and leads.deleted_at is null`
  const missing = await insertMissing(ctx)
  const stale = await ctx.run(
    freshlyPlanned(
      raw(sql`update lead_states as state set ${sql.raw(REFRESHED)} from leads
        where state.team_id = ${ctx.team_id} and ${active} and state.id = leads.id
          and (state.pipeline_stage, state.status, state.call_status, state.changed_at, state.active_at)
            is distinct from (leads.pipeline_stage, leads.status, leads.call_status, leads.updated_at, leads.activity_key)`),
    ),
  )
  const left = await ctx.run(
    freshlyPlanned(
      raw(sql`delete from lead_states as state where state.team_id = ${ctx.team_id}
        and not exists (select from leads where ${active} and leads.id = state.id)`),
    ),
  )
  const wrong = missing + stale + left
  if (wrong > 0)
    ctx.log.warn({ team_id: ctx.team_id, wrong }, 'the states of leads were wrong and are corrected')
  return wrong
}

/** Whether this transaction has changed leads whose states it has yet to write. */
export function areStatesBehind(ctx: Context): boolean {
  return (ctx.tx?.gatheredBy<Tracked>(TRACKED).length ?? 0) > 0
}

type Tracked = { id: string; wasActive: boolean; isNew: boolean; after?: Lead }
const TRACKED = {}
const columns = [
  'team_id',
  'id',
  'pipeline_stage',
  'status',
  'call_status',
  'created_at',
  'changed_at',
  'active_at',
] as const satisfies (keyof StateRow)[]
const REFRESHED = `pipeline_stage = leads.pipeline_stage, status = leads.status, call_status = leads.call_status,
  changed_at = leads.updated_at, active_at = leads.activity_key`
const insertStates = inserter<StateRow>('lead_states', columns, 'on conflict do nothing')

/** Written once per lead and transaction, right before the commit: by then its row is locked, and says what holds. */
function trackState(ctx: Context, item: Tracked): void {
  const { items, isNew } = ctx.transactionOrThrow().gather<Tracked>(TRACKED)
  items.push(item)
  if (isNew) afterOtherWrites(ctx, () => statementsFor(ctx, items))
}

/** Others write before the commit as well, such as activity: what is added to the list meanwhile comes after them. */
function afterOtherWrites(ctx: Context, make: () => Compilable<unknown>[]): void {
  ctx.beforeCommit(() => {
    ctx.beforeCommit(make)
    return []
  })
}

function statementsFor(ctx: Context, items: readonly Tracked[]) {
  const created: StateRow[] = []
  const changed: string[] = []
  const trashed: string[] = []
  for (const [id, steps] of Map.groupBy(items, ({ id }) => id)) {
    const changes = steps.filter(({ after }) => after)
    const { wasActive, isNew } = changes[0] ?? steps[0]!
    const lead = changes.at(-1)?.after
    const isNowActive = lead ? isActive(lead) : wasActive
    // Only the row itself knows the time of an activity, and the version after a restore.
    if (isNowActive && (!isNew || changes.length < steps.length)) changed.push(id)
    if (isNowActive && (isNew || !wasActive)) created.push(stateOf(ctx, lead!))
    else if (!isNowActive && wasActive) trashed.push(id)
  }
  return [
    ...batchesOf(created).map(batch => insertStates(batch)),
    ...(changed.length > 0 ? [refresh(ctx, changed)] : []),
    ...(trashed.length > 0 ? [removeStates(ctx, trashed)] : []),
  ]
}

function refresh(ctx: Context, ids: readonly string[]) {
  return raw(sql`update lead_states as state set ${sql.raw(REFRESHED)} from leads
    where state.team_id = ${ctx.team_id} and state.id = any(${ids}::text[]) and leads.team_id = state.team_id and leads.id = state.id`)
}

/** Leads without a state, in blocks: what was written by SQL may be all of them. */
async function insertMissing(ctx: Context): Promise<number> {
  for (let inserted = 0; ;) {
    const missing = await ctx.transaction(async ctx => {
      const leads = await ctx.all(
        freshlyPlanned(
          raw<Lead>(sql`select id, pipeline_stage, status, call_status, created_at, updated_at, last_activity_at, deleted_at
            from leads where team_id = ${ctx.team_id} and deleted_at is null
              and not exists (select from lead_states as state where state.team_id = ${ctx.team_id} and state.id = leads.id)
            order by created_at limit ${CORRECTED_AT_ONCE} for share`),
        ),
      )
      for (const batch of batchesOf(leads)) ctx.later(insertStates(batch.map(lead => stateOf(ctx, lead))))
      return leads.length
    })
    inserted += missing
    if (missing < CORRECTED_AT_ONCE) return inserted
  }
}
const CORRECTED_AT_ONCE = 1_000

function removeStates(ctx: Context, ids: readonly string[]) {
  return raw(sql`delete from lead_states where team_id = ${ctx.team_id} and id = any(${ids}::text[])`)
}

function stateOf(ctx: Context, lead: Lead): StateRow {
  const { id, pipeline_stage, status, call_status, created_at, updated_at, last_activity_at } = lead
  const times = { created_at, changed_at: updated_at, active_at: last_activity_at ?? created_at }
  return { team_id: ctx.team_id, id, pipeline_stage, status, call_status, ...times }
}

function isActive(lead: Lead | undefined): boolean {
  return lead !== undefined && lead.deleted_at === null
}
