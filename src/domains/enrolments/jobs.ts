import { drain } from '#platform/jobs/drain.ts'
import { job, jobForMany, type JobDefinition, type ScheduledJob } from '#platform/registry.ts'
import { MOVE_JOB, moveNext, WAKE_JOB, wakeNext } from './control.ts'
import { SEND_JOB, STEP_JOB } from './effects.ts'
import { personalize, personalizeWithout } from './icebreakers.ts'
import { loseWritten, sendWritten } from './settle-sends.ts'
import { loseStep, PERSONALIZE_JOB, takeSteps } from './steps.ts'

export const jobs: JobDefinition[] = [
  jobForMany(STEP_JOB, { buried: loseStep }, takeSteps),
  job(SEND_JOB, { outgoing: true, buried: loseWritten }, sendWritten),
  job(PERSONALIZE_JOB, { outgoing: true, triesMax: 3, buried: personalizeWithout }, personalize),
  job(WAKE_JOB, {}, wakeNext),
  job(MOVE_JOB, {}, moveNext),
]

/** The worker does these as they fall due; the route does the same, for installations whose cron calls it. */
const OUTREACH_JOBS = [STEP_JOB, SEND_JOB, PERSONALIZE_JOB, WAKE_JOB]

export const scheduled: ScheduledJob[] = [
  { name: 'outreach', cron: '* * * * *', run: ctx => drain(ctx.runtime, OUTREACH_JOBS) },
]
