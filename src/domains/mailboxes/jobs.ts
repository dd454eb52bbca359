import { job, type Attendant, type JobDefinition } from '#platform/registry.ts'
import { READ_JOB, readDue, readLater } from './reading.ts'
import { watchMailboxes } from './watching.ts'

export const jobs: JobDefinition[] = [job(READ_JOB, { outgoing: true, buried: readLater }, readDue)]

export const attendants: Attendant[] = [watchMailboxes]
