import { queryOptions } from '@tanstack/react-query'
import type {
  Added,
  Candidate,
  ListCandidates,
  ListedCandidate,
  MatchingCandidates,
} from '#domains/candidates/contract.ts'
import { api, leaveToSignIn } from '../../api.ts'
import { ApiProblem, problemFrom } from '../../problem.ts'
import { cacheKeys } from '../../queries.ts'
import { listSource } from '../../ui/record-list/source.ts'
import { candidatesShape } from './search.ts'
import { candidates } from './store.ts'

export const EXPORT_PATH = '/api/crm/candidates/export'
const UPLOAD_PATH = '/api/crm/candidates/csv'

export const candidateList = listSource<ListedCandidate, MatchingCandidates>(
  cacheKeys.candidates,
  candidatesShape,
  {
    page: (query, signal) => api('GET /api/crm/candidates', { query, signal }),
    outline: (query, signal) => api('GET /api/crm/candidates/outline', { query, signal }),
  },
)

/** Candidates by status, and so the progress of crawls. */
export const countsQuery = queryOptions({
  queryKey: [...cacheKeys.candidates, 'counts'],
  queryFn: ({ signal }) => api('GET /api/crm/candidates/counts', { signal }),
})

/** The candidate of a lead's company: its own, or another of the same domain; null if there is none. */
export function companyQuery(leadId: string, domain: string | undefined) {
  return queryOptions({
    queryKey: [...cacheKeys.candidates, 'of-lead', leadId, domain ?? ''],
    queryFn: async ({ signal }): Promise<Candidate | null> => {
      const first = async (query: ListCandidates) =>
        (await api('GET /api/crm/candidates', { query: { ...query, limit: 1 }, signal })).data[0]
      const found =
        (await first({ lead_id: [leadId] })) ?? (domain ? await first({ domain: [domain] }) : undefined)
      return found ? api('GET /api/crm/candidates/:id', { params: { id: found.id }, signal }) : null
    },
  })
}

export async function addAddresses(addresses: string[]): Promise<Added> {
  try {
    return await api('POST /api/crm/candidates/list', { body: { addresses } })
  } finally {
    void candidates.refresh()
  }
}

/** Uploads the file as it is. */
export async function addFile(file: File): Promise<Added> {
  const response = await fetch(UPLOAD_PATH, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'text/csv' },
    credentials: 'same-origin',
    body: file,
  }).catch(() => {
    throw new ApiProblem({ status: 0, code: 'unreachable', title: "Couldn't reach the server" })
  })
  if (response.status === 401) leaveToSignIn()
  void candidates.refresh()
  if (!response.ok) throw await problemFrom(response)
  return response.json()
}
