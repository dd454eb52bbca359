import type { Context } from '#platform/context.ts'
import { job, type JobDefinition, type Sweep } from '#platform/registry.ts'
import { ANSWER_JOB, answerIncoming, giveUpAnswer } from './answer-call.ts'
import { DUE_JOB, makeDue } from './scheduling.ts'
import { deleteAttendedBefore } from './store.ts'

const ANSWER_TRIES_MAX = 4
const ATTENDED_MS_MAX = 25 * 3_600_000

export const jobs: JobDefinition[] = [
  // Outgoing as what comes of it: after a restore nobody is called before somebody says so.
  job(DUE_JOB, { outgoing: true }, makeDue),
  job(ANSWER_JOB, { outgoing: true, triesMax: ANSWER_TRIES_MAX, buried: giveUpAnswer }, answerIncoming),
]

export const sweeps: Sweep[] = [
  { name: 'lost_calls', run: (ctx: Context) => deleteAttendedBefore(ctx, ctx.in(-ATTENDED_MS_MAX)) },
]
