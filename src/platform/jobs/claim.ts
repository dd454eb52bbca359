import { sql, type RawBuilder } from 'kysely'
import type { Context } from '../context.ts'
import { LEASE_MS, TEAM_SHARE, TEAMS_PER_CLAIM_MAX } from './limits.ts'
import { noteLeases, type Job } from './queue.ts'
import { raw } from '../database/tables.ts'

export type Lane = 'inside' | 'outgoing'

/** Takes due work in the order it fell due, for a lease at a time. Rows another worker is taking are passed over. */
export async function claimDue(
  ctx: Context,
  lane: Lane,
  owner: string,
  count: number,
  kinds?: readonly string[],
): Promise<Job[]> {
  const until = ctx.runtime.clock.now() + LEASE_MS
  const jobs = await ctx.all(
    raw<Job>(sql`${take(ctx, owner)} where id = any(array(
        select id from jobs where ${dueIn(ctx, lane)} ${only(kinds)}
        order by run_at limit ${count} for update skip locked))
      returning ${columns}`),
  )
  noteLeases(jobs, until)
  return jobs
}

/** Where the teams' turns continue at the next claim. */
export type Turn = { jobs: Job[]; next: string }

/**
 * The same in turns, for a backlog: a few from each team, beginning at `from`, and the rest of the batch in the order
 * it fell due. It reads the first entry of each team in the (team, due time) index: a team with a million due rows
 * costs no more than one with ten, and a team that only sleeps costs one look.
 */
export async function claimInTurns(
  ctx: Context,
  lane: Lane,
  owner: string,
  count: number,
  from: string,
  kinds?: readonly string[],
): Promise<Turn> {
  const share = Math.max(1, Math.floor(count * TEAM_SHARE))
  const until = ctx.runtime.clock.now() + LEASE_MS
  const rows = await ctx.all(
    raw<Job & Looked>(sql`with recursive waiting as (
        (select team_id, 1 as n from jobs where ${readyIn(lane)} and team_id >= ${from} order by team_id limit 1)
        union all
        select next.team_id, waiting.n + 1 from waiting cross join lateral (
          select team_id from jobs where ${readyIn(lane)} and team_id > waiting.team_id order by team_id limit 1) as next
        where waiting.n < ${TEAMS_PER_CLAIM_MAX}),
      in_turn as materialized (
        select first.id, waiting.team_id from waiting cross join lateral (
          select id from jobs where ${dueIn(ctx, lane)} ${only(kinds)} and team_id = waiting.team_id
          order by run_at limit ${share} for update skip locked) as first
        limit ${count}),
      oldest as materialized (
        select id from jobs where ${dueIn(ctx, lane)} ${only(kinds)} and id not in (select id from in_turn)
        order by run_at limit (select ${count}::int - count(*) from in_turn) for update skip locked)
      ${take(ctx, owner)} where id = any(array(select id from in_turn union all select id from oldest))
      returning ${columns}, (select count(*) from in_turn) as in_turn, (select max(team_id) from in_turn) as served_last,
        (select count(*) from waiting) as teams, (select max(team_id) from waiting) as seen_last`),
  )
  noteLeases(rows, until)
  return { jobs: rows, next: rows[0] ? nextTurn(rows[0], count) : '' }
}

/** What these claims took is free again, untried. Only for claims whose answer nobody got. */
export async function giveBackClaims(ctx: Context, lane: Lane, owners: readonly string[]): Promise<void> {
  // What is leased falls due within a lease: the few rows there are read by their index.
  await ctx.run(
    raw(sql`update jobs set owner = null, run_at = ${ctx.now()}, attempts = greatest(attempts - 1, 0)
      where ${lane === 'inside' ? inside : isOutgoing} and run_at > ${ctx.now()} and run_at <= ${ctx.in(LEASE_MS)}
        and owner = any(${owners}::text[])`),
  )
}

/** In which lanes work waits for somebody to take it. */
export async function lanesDue(ctx: Context, kinds?: readonly string[]): Promise<Record<Lane, boolean>> {
  // In the order of the index, so that it is read from its due end and not the table from its beginning.
  const dueOf = (lane: Lane) =>
    sql`(select id from jobs where ${dueIn(ctx, lane)} ${only(kinds)} order by run_at limit 1) is not null`
  const row = await ctx.first(
    raw<Record<Lane, boolean>>(sql`select ${dueOf('inside')} as inside, ${dueOf('outgoing')} as outgoing`),
  )
  return row!
}

type Looked = { in_turn: number; served_last: string; teams: number; seen_last: string }

/** No team's id contains a space, so what is answered lies between that team and whichever comes next. */
function nextTurn({ in_turn, served_last, teams, seen_last }: Looked, count: number): string {
  if (in_turn === count) return `${served_last} `
  return teams === TEAMS_PER_CLAIM_MAX ? `${seen_last} ` : ''
}

/** Whose owner never said how it ended was lost with its worker: that was no try of its own. */
function take(ctx: Context, owner: string): RawBuilder<unknown> {
  return sql`update jobs set owner = ${owner}, run_at = ${ctx.in(LEASE_MS)},
    attempts = jobs.attempts + (jobs.owner is null)::int, lost = jobs.lost + (jobs.owner is not null)::int`
}

function dueIn(ctx: Context, lane: Lane): RawBuilder<unknown> {
  return sql`${readyIn(lane)} and run_at <= ${ctx.now()}`
}

/** Of these kinds, where somebody does only some. */
function only(kinds: readonly string[] | undefined): RawBuilder<unknown> {
  return kinds ? sql`and kind = any(${kinds}::text[])` : sql``
}

/** In the words of the partial indexes. */
function readyIn(lane: Lane): RawBuilder<unknown> {
  return lane === 'inside' ? inside : outgoing
}

const inside = sql`state = 'ready' and not outgoing`
// A restored copy must not send what is overdue: while the hold is on, nothing of this lane is due.
const isOutgoing = sql`state = 'ready' and outgoing`
const outgoing = sql`${isOutgoing}
  and not exists (select from installation where key = 'hold_outgoing' and value = 'on')`
const columns = sql`id, kind, team_id, event_id, data, attempts, lost, owner, mark`
