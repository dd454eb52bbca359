import {
  anyOf,
  ById,
  defineEndpoints,
  Id,
  Instant,
  nullable,
  oneOf,
  paging,
  sortBy,
  t,
  Text,
  type Static,
} from '#platform/contract.ts'
import { defineEvent } from '#platform/events.ts'
import { factKinds } from '#platform/ports/crawler.ts'
import { outlineEndpoint, recordEndpoints } from '#platform/record-endpoints.ts'
import { recordEvents } from '#platform/records.ts'
import {
  ADDRESS_LENGTH_MAX,
  ADDRESSES_MAX,
  candidateOrigins,
  candidateSorts,
  candidateStatuses,
  CONVERT_MAX,
} from './values.ts'

export const Fact = t.Object(
  {
    kind: oneOf(factKinds),
    label: nullable(
      t.String({ description: 'Distinguishes facts of the same kind, like the network of a social link' }),
    ),
    value: t.String(),
    url: t.String({ description: 'Source page' }),
    at: Instant,
  },
  { $id: 'CandidateFact' },
)
export type Fact = Static<typeof Fact>

const Points = t.Object({ points: t.Integer(), why: t.String() })

const listed = {
  id: Id,
  url: t.String(),
  domain: t.String(),
  status: oneOf(candidateStatuses),
  name: nullable(t.String()),
  email: nullable(t.String()),
  phone: nullable(t.String()),
  description: nullable(t.String()),
  facts_count: t.Integer(),
  score: t.Integer({
    minimum: 0,
    maximum: 100,
    description: 'How much useful contact data is known',
  }),
  crawled_at: nullable(Instant),
  changed_at: nullable(Instant),
  next_crawl_at: nullable(Instant),
  failures: t.Integer({ description: 'Consecutive failed crawls' }),
  error: nullable(t.String({ description: 'Why the last crawl failed' })),
  origin: oneOf(candidateOrigins),
  lead_id: nullable(Id),
  created_at: Instant,
  updated_at: Instant,
  deleted_at: nullable(Instant),
}

/** As shown in a list: without its facts, of which there may be many. */
export const ListedCandidate = t.Object(listed, { $id: 'ListedCandidate' })
export type ListedCandidate = Static<typeof ListedCandidate>

export const Candidate = t.Object(
  { ...listed, data: t.Object({ facts: t.Array(Fact), score: t.Array(Points) }) },
  { $id: 'Candidate' },
)
export type Candidate = Static<typeof Candidate>

const Address = t.String({
  minLength: 1,
  maxLength: ADDRESS_LENGTH_MAX,
  pattern: '^[^\\u0000]*$',
  description: 'A domain, a website URL, or an email address at the company',
})

/** Either an address, or a lead, whose mail says where its company is. */
export const NewCandidate = t.Object(
  { address: t.Optional(Address), lead_id: t.Optional(Id) },
  { additionalProperties: false },
)
export type NewCandidate = Static<typeof NewCandidate>

export const CandidateChange = t.Object({ name: nullable(Text) }, { additionalProperties: false })
export type CandidateChange = Static<typeof CandidateChange>

export const Added = t.Object(
  {
    added: t.Integer(),
    known: t.Integer({ description: 'Already candidates of the team' }),
    without_credit: t.Integer({ description: 'Skipped because the team ran out of credits' }),
    refused: t.Array(t.Object({ address: t.String(), why: t.String() }), {
      description: 'The first 100',
    }),
    refused_count: t.Integer(),
  },
  { $id: 'CandidatesAdded' },
)
export type Added = Static<typeof Added>

export const Conversion = t.Object(
  {
    id: Id,
    lead_id: Id,
    account_id: nullable(Id),
    made: t.Boolean({ description: 'False if the lead already existed' }),
    account_made: t.Boolean({
      description: 'False if the lead has no account, or the account already existed',
    }),
  },
  { $id: 'CandidateConversion' },
)
export type Conversion = Static<typeof Conversion>

const filters = {
  q: t.Optional(
    t.String({ maxLength: 200, description: 'Search names, domains, descriptions and email addresses' }),
  ),
  id: anyOf(Id),
  status: anyOf(oneOf(candidateStatuses)),
  domain: anyOf(t.String({ maxLength: 300 })),
  lead_id: anyOf(Id),
  converted: t.Optional(t.Boolean({ description: 'Whether they have been converted to leads' })),
  score_min: t.Optional(t.Integer({ minimum: 0, maximum: 100 })),
  trashed: t.Optional(t.Boolean({ description: 'List trashed records instead of active ones' })),
}
export const ListCandidates = t.Object(
  { ...paging, sort: sortBy(candidateSorts), ...filters },
  { additionalProperties: false },
)
export type ListCandidates = Static<typeof ListCandidates>
const Matching = t.Object({ sort: sortBy(candidateSorts), ...filters }, { additionalProperties: false })
export type MatchingCandidates = Static<typeof Matching>

const read = { scope: 'leads:read' } as const
const write = { scope: 'leads:write' } as const

export const endpoints = defineEndpoints({
  ...recordEndpoints({
    one: 'Candidate',
    many: 'Candidates',
    path: '/api/crm/candidates',
    read,
    write,
    query: ListCandidates,
    listed: ListedCandidate,
    whole: Candidate,
    create: NewCandidate,
    change: CandidateChange,
    summaries: {
      create: 'Add a company website and crawl it; costs one credit, refunded if nothing can be read',
      read: 'Read a candidate with all its facts and their source pages',
      change: 'Rename a candidate; null restores the name from its website',
    },
  }),
  ...outlineEndpoint('Candidates', '/api/crm/candidates', read, Matching),
  exportCandidates: {
    method: 'GET',
    path: '/api/crm/candidates/export',
    summary: 'Export matching candidates as CSV, safe from formula injection',
    auth: read,
    query: Matching,
    media: 'text/csv',
  },
  countCandidates: {
    method: 'GET',
    path: '/api/crm/candidates/counts',
    summary: 'Count candidates by status, to follow crawl progress',
    auth: read,
    output: t.Object(
      Object.fromEntries(candidateStatuses.map(status => [status, t.Integer()])) as Record<
        (typeof candidateStatuses)[number],
        ReturnType<typeof t.Integer>
      >,
    ),
  },
  addCandidates: {
    method: 'POST',
    path: '/api/crm/candidates/list',
    summary: 'Add up to 1,000 websites; as many are crawled as credits allow',
    auth: write,
    body: t.Object(
      { addresses: t.Array(Address, { minItems: 1, maxItems: ADDRESSES_MAX }) },
      { additionalProperties: false },
    ),
    output: Added,
    status: 200,
  },
  uploadCandidates: {
    method: 'POST',
    path: '/api/crm/candidates/csv',
    summary:
      'Add websites from a CSV file of at most 5 MiB; the column of domains, URLs or email addresses is detected',
    auth: write,
    upload: 'text/csv',
    output: Added,
    status: 200,
  },
  crawlCandidate: {
    method: 'POST',
    path: '/api/crm/candidates/:id/crawl',
    summary: 'Crawl the website again now; costs a credit only if it was never read before',
    auth: write,
    params: ById,
    output: Candidate,
    status: 200,
    etag: true,
  },
  convertCandidate: {
    method: 'POST',
    path: '/api/crm/candidates/:id/convert',
    summary: 'Convert a candidate to a lead with its account',
    auth: write,
    params: ById,
    output: Conversion,
    status: 200,
  },
  convertCandidates: {
    method: 'POST',
    path: '/api/crm/candidates/convert',
    summary: 'Convert up to 200 candidates to leads',
    auth: write,
    body: t.Object(
      { ids: t.Array(Id, { minItems: 1, maxItems: CONVERT_MAX, uniqueItems: true }) },
      { additionalProperties: false },
    ),
    output: t.Object({
      data: t.Array(Conversion),
      refused: t.Array(t.Object({ id: Id, why: t.String() })),
    }),
    status: 200,
  },
})

export const candidateEvents = recordEvents('candidate', 'leads:read')

const about = { domain: t.String(), name: nullable(t.String()) }

/** What came of a crawl: CRAWLED, BLOCKED, FAILED or GONE. */
export const candidateCrawled = defineEvent(
  'candidate.crawled',
  t.Object({ ...about, status: oneOf(candidateStatuses), facts: t.Integer(), reason: nullable(t.String()) }),
  { live: 'leads:read' },
)
/** A site says something else than when it was read before. */
export const candidateFactsChanged = defineEvent(
  'candidate.facts_changed',
  t.Object({ ...about, added: t.Array(Fact), gone: t.Array(Fact) }),
  { live: 'leads:read' },
)
export const candidateConverted = defineEvent(
  'candidate.converted',
  t.Object({ ...about, lead_id: Id, made: t.Boolean() }),
  { live: 'leads:read' },
)
