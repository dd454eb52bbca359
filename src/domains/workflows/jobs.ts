import { job, jobForMany, type JobDefinition, type Sweep } from '#platform/registry.ts'
import { WAKE_JOB } from './advance-runs.ts'
import { jobs as sending } from './nodes/sending.ts'
import { purgeWorkflows } from './service.ts'
import { START_JOB, startBlock } from './start-runs.ts'
import { loseRun, wakeRuns } from './wake-runs.ts'

export const jobs: JobDefinition[] = [
  jobForMany(WAKE_JOB, { buried: loseRun }, wakeRuns),
  job(START_JOB, {}, startBlock),
  ...sending,
]

export const sweeps: Sweep[] = [{ name: 'trashed_workflows', run: purgeWorkflows }]
