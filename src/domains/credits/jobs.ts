import type { Context } from '#platform/context.ts'
import { job, type Counts, type JobDefinition, type ScheduledJob } from '#platform/registry.ts'
import { forEachTeam } from '#domains/identity/service.ts'
import { lockCurrent, TRIAL_ENDS_JOB } from './account.ts'
import { expireTrial } from './plan.ts'

export const jobs: JobDefinition[] = [job(TRIAL_ENDS_JOB, {}, async ctx => void (await expireTrial(ctx)))]

export const scheduled: ScheduledJob[] = [{ name: 'credits', cron: '0 0 * * *', run: renewAndExpire }]

/** Resets the quotas that are due and ends the trials that are over. One team's trouble is not the others'. */
export async function renewAndExpire(ctx: Context): Promise<Counts> {
  const counts = { reset: 0, expired: 0 }
  const faults: unknown[] = []
  await forEachTeam(ctx, async ctx => {
    try {
      if (await ctx.transaction(async ctx => (await lockCurrent(ctx)).renewed)) counts.reset++
      if (await expireTrial(ctx)) counts.expired++
    } catch (error) {
      ctx.log.error({ err: error, team_id: ctx.team_id }, 'credits of a team could not be processed')
      faults.push(error)
    }
  })
  if (faults.length > 0) throw new AggregateError(faults, `${faults.length} teams could not be processed`)
  return counts
}
