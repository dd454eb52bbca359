import { job, type JobDefinition, type Sweep } from '#platform/registry.ts'
import { failImport, importPart } from './part.ts'
import { PART_JOB, pruneImports } from './service.ts'

/** Someone is waiting for it: after some minutes it is better to report that it has stopped. */
const PART_TRIES_MAX = 5

export const jobs: JobDefinition[] = [
  job(PART_JOB, { triesMax: PART_TRIES_MAX, buried: failImport }, importPart),
]

export const sweeps: Sweep[] = [{ name: 'old_imports', run: pruneImports }]
