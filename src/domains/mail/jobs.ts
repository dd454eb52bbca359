import { job, type JobDefinition } from '#platform/registry.ts'
import { SEND_JOB, sendDue } from './service.ts'

export const jobs: JobDefinition[] = [job(SEND_JOB, { outgoing: true }, sendDue)]
