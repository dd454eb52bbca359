import { expect, test } from 'vitest'
import { candidateDetail } from './candidate-words.ts'
import { recordWords } from './record-words.ts'

const told = (type: string, data: Record<string, unknown> = {}) => ({
  type,
  subject: { kind: 'candidate', id: 'c1' },
  data,
})
const record = { kind: 'candidate', id: 'c1', name: 'Acme' }
const about = { name: 'Acme', domain: 'acme.test' }

test('a crawl tells how much was found, or why nothing was', () => {
  expect(recordWords(told('candidate.crawled', { ...about, status: 'CRAWLED', facts: 12 }))).toEqual({
    before: 'crawled the site of',
    record,
    after: 'and found 12 facts',
  })
  const failed = told('candidate.crawled', { ...about, status: 'GONE', reason: 'There is no such host.' })
  expect(recordWords(failed)).toEqual({ before: 'could not crawl the site of', record })
  expect(candidateDetail(failed)).toBe('There is no such host.')
})

test('a change tells what is new and what is gone, not without end', () => {
  const facts = (...values: string[]) => values.map(value => ({ kind: 'phone', value }))
  const changed = told('candidate.facts_changed', {
    ...about,
    added: facts('1', '2', '3', '4', '5', '6'),
    gone: facts('7'),
  })
  expect(recordWords(changed)).toEqual({ before: 'found changes on the site of', record })
  expect(candidateDetail(changed)).toBe('Added: 1, 2, 3, 4 and 2 more. Removed: 7')
})

test('a change tells what somebody did, not which column it stands in', () => {
  const words = (after: object) => recordWords(told('candidate.changed', { ...about, after }))
  expect(words({ status: 'QUEUED', crawls: 2 })).toEqual({
    before: 'requested a new crawl of',
    record,
  })
  expect(words({ lead_id: 'l1' })?.before).toBe('linked this lead to')
  expect(words({ name: 'Acme' })?.before).toBe('renamed the candidate')
})

test('a company without a name is told by its domain, and one without either all the same', () => {
  const words = (data: Record<string, unknown>) => recordWords(told('candidate.converted', data))
  expect(words({ name: null, domain: 'acme.test', made: true })).toEqual({
    before: 'created this lead from the candidate',
    record: { ...record, name: 'acme.test' },
  })
  expect(words({ made: false })).toEqual({
    before: 'linked this lead to',
    record: { ...record, name: 'its company' },
  })
  expect(candidateDetail(told('candidate.facts_changed', { added: null, gone: [null] }))).toBe('')
})
