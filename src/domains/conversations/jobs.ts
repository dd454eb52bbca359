import { job, type JobDefinition } from '#platform/registry.ts'
import { giveUpAgent, runAgent } from './agent-run.ts'
import { AGENT_JOB } from './agent-wake.ts'
import { SEND_JOB } from './answer.ts'
import { DUE_JOB, escalate, ESCALATE_JOB, tellLate, wake, WAKE_JOB } from './clock.ts'
import { FILE_SENT_JOB, fileSentCopy } from './enclosed.ts'
import { askAccepted, CONFIRM_JOB, loseWritten, sendWritten } from './sending.ts'
import { fetchMedia, giveUpMedia, MEDIA_JOB } from './whatsapp-media.ts'

export const jobs: JobDefinition[] = [
  job(SEND_JOB, { outgoing: true, buried: loseWritten }, sendWritten),
  job(FILE_SENT_JOB, { outgoing: true }, fileSentCopy),
  job(CONFIRM_JOB, {}, askAccepted),
  job(MEDIA_JOB, { outgoing: true, buried: giveUpMedia }, fetchMedia),
  job(AGENT_JOB, { outgoing: true, buried: giveUpAgent }, runAgent),
  job(DUE_JOB, {}, tellLate),
  job(ESCALATE_JOB, {}, escalate),
  job(WAKE_JOB, {}, wake),
]
