import { fieldsIn, is as told, quoted, whole, type Data, type Known } from './sentence.ts'

const is = (label: string, say: Known['say']) => told('Candidates', label, say)

/** Candidates and crawls of their sites in the audit log. */
export const candidateTypes: Record<string, Known> = {
  'candidate.created': is(
    'Candidate added',
    ({ candidate }) => `added the candidate ${nameOf((candidate ?? {}) as Data)}`,
  ),
  'candidate.changed': is(
    'Candidate changed',
    ({ name, after }) => `changed ${fieldsIn(after)} of the candidate ${quoted(name)}`,
  ),
  'candidate.crawled': is('Site crawled', data =>
    data.status === 'CRAWLED'
      ? `crawled the site of ${nameOf(data)} and found ${whole(data.facts)} facts`
      : `could not crawl the site of ${nameOf(data)}`,
  ),
  'candidate.facts_changed': is('Site changed', data => `found changes on the site of ${nameOf(data)}`),
  'candidate.converted': is('Candidate converted', data =>
    data.made === false
      ? `linked the candidate ${nameOf(data)} to an existing lead`
      : `converted the candidate ${nameOf(data)} to a lead`,
  ),
  'candidate.trashed': is(
    'Candidate moved to the trash',
    ({ name }) => `moved the candidate ${quoted(name)} to the trash`,
  ),
  'candidate.restored': is('Candidate restored', ({ name }) => `restored the candidate ${quoted(name)}`),
}

/** A company without a name is shown by its domain. */
function nameOf({ name, domain }: Data): string {
  return quoted(name ?? domain)
}
