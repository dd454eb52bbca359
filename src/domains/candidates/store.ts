import { keeper } from '#platform/records.ts'
import { candidateEvents, type Candidate, type ListedCandidate } from './contract.ts'

/** `crawls` counts those that were asked for: the job of an earlier one finds nothing to do. */
export type CandidateRow = Candidate & { crawls: number }

export const listedColumns = [
  'id',
  'url',
  'domain',
  'status',
  'name',
  'email',
  'phone',
  'description',
  'facts_count',
  'score',
  'crawled_at',
  'changed_at',
  'next_crawl_at',
  'failures',
  'error',
  'origin',
  'lead_id',
  'created_at',
  'updated_at',
  'deleted_at',
] as const satisfies (keyof ListedCandidate)[]

export const records = keeper<CandidateRow>({
  noun: 'candidate',
  table: 'candidates',
  columns: [...listedColumns, 'data', 'crawls'],
  json: ['data'],
  events: candidateEvents,
  nameOf: ({ name, domain }) => name ?? domain,
})

/** As others may see it. */
export function shown({ crawls: _, ...candidate }: CandidateRow): Candidate {
  return candidate
}
