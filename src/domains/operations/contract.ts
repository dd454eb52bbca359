import { ById, defineEndpoints, Id, Instant, listOf, nullable, oneOf, paging, t } from '#platform/contract.ts'
import { defineEvent } from '#platform/events.ts'

export const DeadJob = t.Object({
  id: Id,
  kind: t.String({ description: 'Job kind, like reaction:lead.created:timeline' }),
  attempts: t.Integer(),
  error: t.String(),
  failed_at: Instant,
  created_at: Instant,
  event_id: nullable(Id),
})

const Counts = t.Record(t.String(), t.Integer())

export const JobRun = t.Object({
  id: Id,
  started_at: Instant,
  finished_at: nullable(Instant),
  started_by: oneOf(['scheduler', 'route']),
  outcome: oneOf(['running', 'done', 'failed', 'lost']),
  processed: Counts,
  error: nullable(t.String()),
})

export const ScheduledJob = t.Object({
  job: t.String(),
  cron: t.String(),
  route: t.String(),
  next_at: Instant,
  running: t.Boolean(),
  last_runs: t.Array(JobRun),
})

const CronResult = t.Object({
  job: t.String(),
  status: oneOf(['done', 'already_running']),
  started_at: Instant,
  finished_at: nullable(Instant),
  processed: Counts,
})
const JobName = t.Object({ job: t.String({ pattern: '^[a-z][a-z_]{0,39}$' }) })

export const endpoints = defineEndpoints({
  listDeadJobs: {
    method: 'GET',
    path: '/api/jobs/dead',
    summary: 'List failed jobs',
    auth: { role: 'ADMIN' },
    query: t.Object({ ...paging }, { additionalProperties: false }),
    output: listOf(DeadJob),
  },
  retryDeadJob: {
    method: 'POST',
    path: '/api/jobs/dead/:id/retry',
    summary: 'Retry a failed job now',
    auth: { role: 'ADMIN' },
    params: ById,
    status: 204,
  },
  discardDeadJob: {
    method: 'DELETE',
    path: '/api/jobs/dead/:id',
    summary: 'Discard a failed job',
    auth: { role: 'ADMIN' },
    params: ById,
  },
  listScheduledJobs: {
    method: 'GET',
    path: '/api/cron',
    summary: 'List scheduled jobs and their last runs',
    auth: { role: 'ADMIN' },
    output: t.Object({ data: t.Array(ScheduledJob) }),
  },
  runScheduledJob: {
    method: 'POST',
    path: '/api/cron/:job',
    summary: 'Run a scheduled job now',
    auth: { cron: true },
    params: JobName,
    output: CronResult,
    status: 200,
  },
  runScheduledJobByGet: {
    method: 'GET',
    path: '/api/cron/:job',
    summary: 'Run a scheduled job now; for schedulers that only support GET',
    auth: { cron: true },
    params: JobName,
    output: CronResult,
  },
})

export const jobRetried = defineEvent('job.retried', t.Object({ kind: t.String() }))
export const jobDiscarded = defineEvent('job.discarded', t.Object({ kind: t.String() }))
