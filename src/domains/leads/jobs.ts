import { job, type JobDefinition, type Sweep } from '#platform/registry.ts'
import { BULK_JOB, changeBlock, failBulkChange, pruneBulkChanges } from './bulk.ts'
import { recount } from './counts.ts'
import { purgeTrash } from './service.ts'
import { correctStates } from './states.ts'

/** Someone is waiting for it: after some minutes it is better to report that it has stopped. */
const BULK_TRIES_MAX = 5

export const jobs: JobDefinition[] = [
  job(BULK_JOB, { triesMax: BULK_TRIES_MAX, buried: failBulkChange }, changeBlock),
]

export const sweeps: Sweep[] = [
  { name: 'trashed_leads', run: purgeTrash },
  { name: 'ended_bulk_changes', run: pruneBulkChanges },
  { name: 'corrected_lead_counts', run: recount },
  { name: 'corrected_lead_states', run: correctStates },
]
