import { job, type JobDefinition } from '#platform/registry.ts'
import { mailInvitation } from './invitation-mail.ts'
import { MAIL_JOB } from './invitations.ts'

export const jobs: JobDefinition[] = [job(MAIL_JOB, { outgoing: true }, mailInvitation)]
