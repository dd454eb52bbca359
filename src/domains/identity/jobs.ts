import { job, type JobDefinition } from '#platform/registry.ts'
import { mailInvitation } from './invitation-mail.ts'
import { MAIL_JOB } from './invitations.ts'
import { LINK_JOB, mailLink } from './link-mail.ts'
import { FOUNDED_JOB, noteFounded } from './teams.ts'

/** By then the person has asked for another link. */
const LINK_TRIES_MAX = 5

export const jobs: JobDefinition[] = [
  job(MAIL_JOB, { outgoing: true }, mailInvitation),
  job(FOUNDED_JOB, {}, noteFounded),
  job(LINK_JOB, { outgoing: true, triesMax: LINK_TRIES_MAX }, mailLink),
]
