import { sql } from 'kysely'
import type { Client } from 'pg'
import type { Config } from '#config'
import { systemContext, type Context } from '#platform/context.ts'
import { countUsers } from '#platform/database/usage.ts'
import { countUnassigned } from '#domains/webhooks/unassigned.ts'
import { isHeld } from '#platform/hold.ts'
import { jobsTable } from '#platform/jobs/queue.ts'
import { describeSchedule } from '#platform/schedule.ts'
import { openBase } from '../../process.ts'
import { openPorts } from '../ports.ts'
import { bad, good, note, type Finding } from './finding.ts'

/** A scheduler that runs is never this late. */
const LATE_MS = 10 * 60_000

/** Whether background work is running, read with the application's own role. */
export async function* checkWork(config: Config, url: string, owner: Client): AsyncGenerator<Finding> {
  const base = openBase({ config, databaseUrl: url, ports: openPorts(config) })
  const ctx = systemContext(base.runtime)
  try {
    const users = await countUsers(owner)
    yield users > 0
      ? good('processes', `${users} running`)
      : note('processes', 'none running: run rapport start')
    yield await checkScheduler(ctx, config.scheduler, users > 0)
    yield (await isHeld(ctx))
      ? note('outgoing work', 'on hold since a restore: run rapport release to resume')
      : good('outgoing work', 'not on hold')
    yield await checkDeadJobs(ctx)
    yield await checkUnassigned(ctx)
  } finally {
    await base.close()
  }
}

async function checkScheduler(ctx: Context, on: boolean, running: boolean): Promise<Finding> {
  if (!on)
    return note('scheduler', 'off: an external scheduler must call the job routes listed at GET /api/cron')
  const schedules = await Promise.all(ctx.runtime.registry.scheduled.map(job => describeSchedule(ctx, job)))
  const late = schedules.filter(schedule => !schedule.running && schedule.next_at < ctx.in(-LATE_MS))
  if (!running || late.length === 0) return good('scheduler', `on, ${schedules.length} jobs`)
  return bad(
    'scheduler',
    `${late.map(schedule => schedule.job).join(', ')} did not run in time: start a process with --role worker or all`,
  )
}

async function checkDeadJobs(ctx: Context): Promise<Finding> {
  const dead = jobsTable.selectFrom('jobs').where('state', '=', 'dead')
  const kinds = await ctx.all(
    dead
      .groupBy('kind')
      .select(['kind', sql<number>`count(*)`.as('count')])
      .orderBy('kind'),
  )
  if (kinds.length === 0) return good('failed work', 'none')
  const list = kinds.map(({ kind, count }) => `${count} × ${kind}`).join(', ')
  return bad('failed work', `${list}: an ADMIN can retry or discard it (/api/jobs/dead)`)
}

async function checkUnassigned(ctx: Context): Promise<Finding> {
  const count = await countUnassigned(ctx)
  if (count === 0) return good('inbox', 'every event is assigned to a team')
  const events = count === 1 ? '1 event is' : `${count.toLocaleString('en')} events are`
  return note('inbox', `${events} unassigned: use rapport inbox to list and assign them`)
}
