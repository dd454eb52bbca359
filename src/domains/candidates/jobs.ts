import { job, type Attendant, type JobDefinition, type ScheduledJob, type Sweep } from '#platform/registry.ts'
import { crawl, CRAWL_JOB, CRAWL_TRIES_MAX, loseCrawl } from './crawling.ts'
import { enrichStale } from './enrichment.ts'
import { stopCrawling } from './hands.ts'
import { records } from './store.ts'

export const jobs: JobDefinition[] = [
  job(CRAWL_JOB, { outgoing: true, triesMax: CRAWL_TRIES_MAX, buried: loseCrawl }, crawl),
]

export const scheduled: ScheduledJob[] = [{ name: 'enrichment', cron: '0 * * * *', run: enrichStale }]

export const sweeps: Sweep[] = [{ name: 'trashed_candidates', run: records.purge }]

export const attendants: Attendant[] = [stopCrawling]
