import { fieldsIn, is as told, quoted, whole, type Data, type Known } from './telling.ts'

const is = (label: string, say: Known['say']) => told('Candidates', label, say)

/** What candidates and the crawls of their sites tell in the audit log. */
export const candidateTypes: Record<string, Known> = {
  'candidate.created': is(
    'Candidate added',
    ({ candidate }) => `added the candidate ${nameOf((candidate ?? {}) as Data)}`,
  ),
  'candidate.changed': is(
    'Candidate changed',
    ({ name, after }) => `changed ${fieldsIn(after)} of the candidate ${quoted(name)}`,
  ),
  'candidate.crawled': is('Site read', data =>
    data.status === 'CRAWLED'
      ? `read the site of ${nameOf(data)} and found ${whole(data.facts)} facts`
      : `could not read the site of ${nameOf(data)}`,
  ),
  'candidate.facts_changed': is(
    'Site changed',
    data => `saw that the site of ${nameOf(data)} says something else than before`,
  ),
  'candidate.converted': is('Candidate converted', data =>
    data.made === false
      ? `linked the candidate ${nameOf(data)} to a lead that was there`
      : `made a lead of the candidate ${nameOf(data)}`,
  ),
  'candidate.trashed': is(
    'Candidate moved to the trash',
    ({ name }) => `moved the candidate ${quoted(name)} to the trash`,
  ),
  'candidate.restored': is('Candidate restored', ({ name }) => `restored the candidate ${quoted(name)}`),
}

/** A company whose name nobody knows is told by its domain. */
function nameOf({ name, domain }: Data): string {
  return quoted(name ?? domain)
}
