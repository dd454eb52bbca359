import { job, type JobDefinition, type Sweep } from '#platform/registry.ts'
import { push, PUSH_JOB, PUSH_TRIES_MAX } from './push.ts'
import { pruneNotifications } from './service.ts'

export const jobs: JobDefinition[] = [job(PUSH_JOB, { outgoing: true, triesMax: PUSH_TRIES_MAX }, push)]

export const sweeps: Sweep[] = [{ name: 'surplus_notifications', run: pruneNotifications }]
