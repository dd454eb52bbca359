import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { ListedCandidate } from '#domains/candidates/contract.ts'
import { paths, patterns } from '../../paths.ts'
import type { ListColumn, RecordKind } from '../../ui/record-list/list.ts'
import { valuesOf, type ListSearch } from '../../ui/record-list/search.ts'
import { Time } from '../../ui/time.tsx'
import { count } from '../../ui/words.ts'
import { LeadLink, useLeadName } from '../../records/leads/lead-link.tsx'
import { EXPORT_PATH } from '../../records/candidates/candidates-cache.ts'
import { candidatesShape } from '../../records/candidates/search.ts'
import { Status, statusOptions } from '../../records/candidates/status.tsx'
import { candidateName, statusWords } from '../../records/candidates/words.ts'
import progressClasses from '../../ui/progress.module.css'
import classes from './candidates.module.css'
import { candidates } from '../../records/candidates/store.ts'

const defaults = ['name', 'status', 'score', 'email', 'phone', 'facts_count', 'crawled_at', 'lead_id']
const SCORES = ['25', '50', '75']

/** The list of candidates: columns, filters and actions. */
export function useCandidateKind(canWrite: boolean, search: ListSearch): RecordKind<ListedCandidate> {
  const navigate = useNavigate()
  const [leadId = null] = valuesOf(search, 'lead_id')
  const lead = useLeadName(leadId)
  const [score] = valuesOf(search, 'score_min')
  return useMemo(
    (): RecordKind<ListedCandidate> => ({
      kind: 'candidates',
      title: 'Candidates',
      one: 'candidate',
      many: 'candidates',
      shape: candidatesShape,
      columns,
      defaults,
      filters: [
        { kind: 'choice', name: 'status', label: 'Status', options: statusOptions },
        {
          kind: 'choice',
          name: 'converted',
          label: 'Lead',
          options: [
            { value: 'true', label: 'created' },
            { value: 'false', label: 'not created yet' },
          ],
          single: true,
        },
        {
          kind: 'choice',
          name: 'score_min',
          label: 'Score',
          // A link may have a value that is not among the options.
          options: [...new Set([...SCORES, ...(score ? [score] : [])])].map(value => ({
            value,
            label: `${value} or more`,
          })),
          single: true,
        },
        { kind: 'record', name: 'lead_id', label: 'Lead', nameOf: () => lead ?? 'chosen' },
      ],
      nameOf: candidateName,
      href: ({ id }) => paths.candidate(id),
      open: ({ id }) => void navigate({ to: patterns.candidate, params: { id } }),
      card: candidate => ({
        beside: candidate.status === 'CRAWLED' ? `Score ${candidate.score}` : undefined,
        about:
          [candidate.name && candidate.domain, candidate.email ?? candidate.phone]
            .filter(Boolean)
            .join(' · ') || candidate.error,
        mark: <Status status={candidate.status} />,
      }),
      exportPath: EXPORT_PATH,
      restore: canWrite ? ({ id }) => void candidates.restore(id) : undefined,
    }),
    [navigate, canWrite, lead, score],
  )
}

const told = { width: 110, look: 'dim', falling: true } as const

const columns: ListColumn<ListedCandidate>[] = [
  {
    key: 'name',
    label: 'Name',
    width: 230,
    sort: 'name',
    show: ({ name, domain }) => (
      <>
        {name ?? domain}
        {name && <span className={classes.domain}>{domain}</span>}
      </>
    ),
    title: ({ name, domain }) => (name ? `${name}, ${domain}` : domain),
  },
  {
    key: 'status',
    label: 'Status',
    width: 112,
    show: ({ status }) => <Status status={status} />,
    title: ({ status, error }) => error ?? statusWords[status].about,
  },
  {
    key: 'score',
    label: 'Score',
    width: 92,
    sort: 'score',
    falling: true,
    show: ({ score, status }) => (status === 'CRAWLED' || score > 0) && <Score score={score} />,
  },
  {
    key: 'email',
    label: 'Email',
    width: 168,
    show: ({ email }) => email && <span>{email}</span>,
    title: ({ email }) => email ?? undefined,
  },
  {
    key: 'phone',
    label: 'Phone',
    width: 136,
    show: ({ phone }) => phone && <span>{phone}</span>,
    title: ({ phone }) => phone ?? undefined,
  },
  {
    key: 'facts_count',
    label: 'Facts',
    width: 60,
    look: 'number',
    show: ({ facts_count }) => facts_count > 0 && <span>{count(facts_count)}</span>,
  },
  {
    ...told,
    key: 'crawled_at',
    label: 'Crawled',
    width: 92,
    show: ({ crawled_at }) => crawled_at && <Time at={crawled_at} />,
  },
  {
    key: 'lead_id',
    label: 'Lead',
    width: 112,
    show: ({ lead_id }) => lead_id && <LeadLink id={lead_id} tabIndex={-1} />,
  },
  {
    key: 'description',
    label: 'Description',
    width: 280,
    show: ({ description }) => description && <span>{description}</span>,
    title: ({ description }) => description ?? undefined,
  },
  {
    ...told,
    key: 'changed_at',
    label: 'New facts',
    show: ({ changed_at }) => changed_at && <Time at={changed_at} />,
  },
  {
    ...told,
    key: 'next_crawl_at',
    label: 'Next crawl',
    show: ({ next_crawl_at }) => next_crawl_at && <Time at={next_crawl_at} ahead />,
  },
  {
    ...told,
    key: 'created_at',
    label: 'Added',
    sort: 'created_at',
    show: ({ created_at }) => <Time at={created_at} />,
  },
  {
    ...told,
    key: 'updated_at',
    label: 'Updated',
    sort: 'updated_at',
    show: ({ updated_at }) => <Time at={updated_at} />,
  },
]

/** The bar is for scanning, the number for reading. */
function Score({ score }: { score: number }) {
  return (
    <span className={classes.score}>
      <span className={`${progressClasses.track} ${classes.scoreBar}`} aria-hidden>
        <span style={{ width: `${score}%` }} />
      </span>
      {score}
    </span>
  )
}
