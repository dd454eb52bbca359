import { job, type JobDefinition, type Sweep } from '#platform/registry.ts'
import { pruneInbox, REPLAY_JOB, replayNext } from './inbox.ts'
import { ROUTE_JOB } from './intake.ts'
import { RECORD_JOB, recordEvents, routeEvents } from './routing.ts'

export const jobs: JobDefinition[] = [
  job(ROUTE_JOB, {}, routeEvents),
  job(RECORD_JOB, {}, recordEvents),
  job(REPLAY_JOB, {}, replayNext),
]

export const sweeps: Sweep[] = [{ name: 'old_inbound_events', run: pruneInbox }]
