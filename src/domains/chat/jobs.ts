import type { Context } from '#platform/context.ts'
import { job, type JobDefinition, type Sweep } from '#platform/registry.ts'
import { deleteSilent } from './session-store.ts'
import { tellAbsent, UNSEEN_JOB } from './unseen.ts'
import { SESSION_DAYS } from './values.ts'

const DAY_MS = 86_400_000
/** Of a team in a run; the next run continues. */
const DELETED_AT_ONCE = 1_000

export const jobs: JobDefinition[] = [job(UNSEEN_JOB, {}, tellAbsent)]

export const sweeps: Sweep[] = [
  {
    name: 'silent_chats',
    run: (ctx: Context) => deleteSilent(ctx, ctx.in(-SESSION_DAYS * DAY_MS), DELETED_AT_ONCE),
  },
]
