import type { Context } from '#platform/context.ts'
import { announce } from '#platform/events.ts'
import type { Counts } from '#platform/registry.ts'
import { planOf } from '#domains/credits/plan.ts'
import { forEachTeam } from '#domains/identity/service.ts'
import { claimDue, findDueSince } from './crawl-store.ts'
import { queueCrawls } from './crawling.ts'
import { forgetHosts } from './manners.ts'

/** A run takes so many at most, of one team and of all: the rest is for the runs after it, oldest first. */
export const CLAIMED_PER_TEAM_MAX = 100
export const CLAIMED_PER_RUN_MAX = 1_000

/**
 * What sites said so long ago that it is stale is read again. Who waits longest comes first: the team whose oldest is
 * the oldest, and within it the oldest. One team's trouble is not the others'.
 */
export async function enrichStale(ctx: Context): Promise<Counts> {
  const counts = { teams: 0, claimed: 0, forgotten_hosts: await forgetHosts(ctx) }
  const faults: unknown[] = []
  const tryFor = async (ctx: Context, work: () => Promise<void>) => {
    try {
      await work()
    } catch (error) {
      ctx.log.error({ err: error, team_id: ctx.team_id }, 'candidates of a team could not be claimed')
      faults.push(error)
    }
  }
  const waiting = await teamsWaiting(ctx, tryFor)
  for (const [at, team] of waiting.entries()) {
    const share = Math.ceil((CLAIMED_PER_RUN_MAX - counts.claimed) / (waiting.length - at))
    if (share === 0) break
    await tryFor(team, async () => {
      const claimed = await claimFor(team, Math.min(share, CLAIMED_PER_TEAM_MAX))
      counts.claimed += claimed
      if (claimed > 0) counts.teams++
    })
  }
  if (faults.length > 0) throw new AggregateError(faults, `${faults.length} teams could not be processed`)
  return counts
}

/** Takes what is due and queues its crawls: both or neither, so that a run that dies has taken nothing. */
export async function claimFor(ctx: Context, limit: number): Promise<number> {
  return ctx.transaction(async ctx => {
    const claimed = await claimDue(ctx, limit)
    queueCrawls(ctx, claimed)
    if (claimed.length > 0)
      announce(ctx, 'leads:read', 'candidate.queued', { kind: 'team', id: ctx.team_id }, {})
    return claimed.length
  })
}

/** The teams that have something due, those that wait longest first. One whose trial is over is read-only. */
async function teamsWaiting(
  ctx: Context,
  tryFor: (ctx: Context, work: () => Promise<void>) => Promise<void>,
): Promise<Context[]> {
  const waiting: { team: Context; since: string }[] = []
  await forEachTeam(ctx, team =>
    tryFor(team, async () => {
      const since = await findDueSince(team)
      if (since !== undefined && (await planOf(team)) !== 'EXPIRED') waiting.push({ team, since })
    }),
  )
  return waiting.toSorted((a, b) => (a.since < b.since ? -1 : 1)).map(({ team }) => team)
}
