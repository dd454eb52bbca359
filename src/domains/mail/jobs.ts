import { job, type JobDefinition, type Sweep } from '#platform/registry.ts'
import { pruneMails, SEND_JOB, sendDue } from './service.ts'

export const jobs: JobDefinition[] = [job(SEND_JOB, { outgoing: true }, sendDue)]

export const sweeps: Sweep[] = [{ name: 'old_mails', run: pruneMails }]
