import { job, type JobDefinition, type Sweep } from '#platform/registry.ts'
import { REPLAY_JOB, replayNext } from './deliveries.ts'
import { dropOldSecrets } from './endpoints.ts'
import { ATTEMPT_JOB, probe, PROBE_JOB } from './line.ts'
import { loseJob, sendDue } from './sending.ts'

export const jobs: JobDefinition[] = [
  job(ATTEMPT_JOB, { outgoing: true, buried: loseJob }, sendDue),
  job(PROBE_JOB, {}, probe),
  job(REPLAY_JOB, {}, replayNext),
]

export const sweeps: Sweep[] = [{ name: 'old_webhook_secrets', run: dropOldSecrets }]
