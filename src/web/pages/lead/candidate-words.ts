import { plural } from '../../ui/words.ts'
import type { RecordWords, Told } from './timeline-entry.ts'

/** All events of a lead's company and its website, for the timeline filter. */
export const candidateTypes = [
  'candidate.created',
  'candidate.changed',
  'candidate.crawled',
  'candidate.facts_changed',
  'candidate.converted',
  'candidate.trashed',
  'candidate.restored',
]

/** A candidate event on the timeline of a lead, as the rest of a sentence. */
export function candidateWords({ type, subject, data }: Told): RecordWords | undefined {
  const made = (data.candidate ?? {}) as Record<string, unknown>
  const name = text(data.name) ?? text(data.domain) ?? text(made.name) ?? text(made.domain) ?? 'its company'
  const record = { kind: 'candidate' as const, id: subject.id, name }
  switch (type) {
    case 'candidate.created':
      return { before: 'requested research on', record }
    case 'candidate.changed':
      return changeWords((data.after ?? {}) as Record<string, unknown>, record)
    case 'candidate.crawled':
      if (data.status !== 'CRAWLED') return { before: 'could not crawl the site of', record }
      return { before: 'crawled the site of', record, after: `and found ${found(data.facts)}` }
    case 'candidate.facts_changed':
      return { before: 'found changes on the site of', record }
    case 'candidate.converted':
      return {
        before: data.made === false ? 'linked this lead to' : 'created this lead from the candidate',
        record,
      }
    case 'candidate.trashed':
      return { before: 'moved', record, after: 'to the trash' }
    case 'candidate.restored':
      return { before: 'restored', record }
    default:
      return undefined
  }
}

function changeWords(
  after: Record<string, unknown>,
  record: NonNullable<RecordWords['record']>,
): RecordWords {
  if (after.status === 'QUEUED') return { before: 'requested a new crawl of', record }
  if (after.lead_id !== undefined) return { before: 'linked this lead to', record }
  return { before: 'renamed the candidate', record }
}

/** Why the crawl failed, or which facts were added and removed. */
export function candidateDetail({ type, data }: Pick<Told, 'type' | 'data'>): string {
  if (type === 'candidate.crawled') return data.status === 'CRAWLED' ? '' : (text(data.reason) ?? '')
  if (type !== 'candidate.facts_changed') return ''
  return [listed('Added', data.added), listed('Removed', data.gone)].filter(Boolean).join('. ')
}

const VALUES_MAX = 4

function listed(title: string, facts: unknown): string {
  const values = Array.isArray(facts)
    ? facts.map(fact => text(fact?.value)).filter(value => value !== undefined)
    : []
  if (values.length === 0) return ''
  const more = values.length - VALUES_MAX
  return `${title}: ${values.slice(0, VALUES_MAX).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function found(facts: unknown): string {
  return Number.isInteger(facts) ? plural(Number(facts), 'fact') : 'some facts'
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() ? value.trim() : undefined
}
