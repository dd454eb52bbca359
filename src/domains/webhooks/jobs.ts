import { job, jobForMany, type JobDefinition } from '#platform/registry.ts'
import { REPLAY_JOB, replayNext } from './inbox.ts'
import { ROUTE_JOB } from './intake.ts'
import { RECORD_JOB, recordEvents, routeEvents } from './routing.ts'
import { BATCH_MAX } from './values.ts'

/** Each is of up to a hundred events. */
const BATCHES_AT_ONCE = 10

export const jobs: JobDefinition[] = [
  jobForMany(ROUTE_JOB, { groupMax: BATCHES_AT_ONCE }, routeEvents),
  jobForMany(
    RECORD_JOB,
    {
      groupMax: BATCH_MAX,
      weight: job => (job.data as { ids: string[] }).ids.length,
      inlineReactions: true,
    },
    recordEvents,
  ),
  job(REPLAY_JOB, {}, replayNext),
]
