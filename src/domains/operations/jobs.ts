import type { Context } from '#platform/context.ts'
import { pruneChanges } from '#platform/changes.ts'
import { dropEmptyPartitions, makePartitions } from '#platform/database/partitions.ts'
import { pruneAnswers } from '#platform/idempotency.ts'
import { pruneMarks } from '#platform/jobs/marks.ts'
import type { Counts, ScheduledJob } from '#platform/registry.ts'
import { pruneRateWindows } from '#platform/rate-windows.ts'
import { pruneRuns } from '#platform/schedule.ts'
import { deleteExpiredSignIns, forTeamsTogether } from '#domains/identity/service.ts'
import { tidyOauth } from '#domains/oauth/service.ts'
import { removeOld } from '#domains/retention/removal.ts'
import { pruneUnassigned } from '#domains/webhooks/unassigned.ts'

const RUNS_KEPT_MS = 30 * 86_400_000

export const scheduled: ScheduledJob[] = [{ name: 'housekeeping', cron: '17 * * * *', run: tidyUp }]

/** What has outlived its use: old trash, saved answers, ended sessions, the tail of the live log. */
async function tidyUp(ctx: Context): Promise<Counts> {
  const counts: Counts = {
    expired_sign_ins: await deleteExpiredSignIns(ctx),
    expired_tokens: await tidyOauth(ctx),
    old_runs: await pruneRuns(ctx, ctx.in(-RUNS_KEPT_MS)),
    old_changes: await pruneChanges(ctx),
    old_rate_windows: await pruneRateWindows(ctx),
    months_ahead: await makePartitions(ctx),
    old_unassigned_events: await pruneUnassigned(ctx),
    ...(await removeOld(ctx)),
    empty_months: await dropEmptyPartitions(ctx),
  }
  const sweeps = [
    { name: 'saved_answers', run: pruneAnswers },
    ...(ctx.runtime.sharded ? [{ name: 'old_marks', run: pruneMarks }] : []),
    ...ctx.runtime.registry.sweeps,
  ]
  for (const { name, run } of sweeps) {
    counts[name] = 0
    await forTeamsTogether(ctx, async ctx => {
      const swept = await run(ctx)
      counts[name]! += swept
    })
  }
  return counts
}
