import { job, type JobDefinition, type Sweep } from '#platform/registry.ts'
import { GATHERED_JOB, mailGathered } from './notice-mail.ts'
import { purgeForms } from './service.ts'

export const jobs: JobDefinition[] = [job(GATHERED_JOB, {}, mailGathered)]

export const sweeps: Sweep[] = [{ name: 'trashed_forms', run: purgeForms }]
