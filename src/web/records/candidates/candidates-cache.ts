import { queryOptions } from '@tanstack/react-query'
import type { Added, Candidate, ListCandidates, ListedCandidate } from '#domains/candidates/contract.ts'
import { api, leaveToSignIn } from '../../api.ts'
import { ApiProblem, problemFrom } from '../../problem.ts'
import { cacheKeys } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import { patchListed, putListed } from '../../ui/record-list/list-cache.ts'
import { listQuery } from '../../ui/record-list/list.ts'
import { filterText, toQuery, type ListSearch } from '../../ui/record-list/search.ts'
import { candidatesShape } from './search.ts'

export const EXPORT_PATH = '/api/crm/candidates/export'
const UPLOAD_PATH = '/api/crm/candidates/csv'

export function candidatesQuery(search: ListSearch) {
  return listQuery<ListedCandidate>(cacheKeys.candidates, filterText(search), (page, signal) =>
    api('GET /api/crm/candidates', {
      query: { ...toQuery<ListCandidates>(candidatesShape, search), ...page },
      signal,
    }),
  )
}

export function candidateQuery(id: string) {
  return queryOptions({
    queryKey: [...cacheKeys.candidates, 'one', id],
    queryFn: ({ signal }) => api('GET /api/crm/candidates/:id', { params: { id }, signal }),
  })
}

/** How many stand where, and so how far the crawls are. */
export const countsQuery = queryOptions({
  queryKey: [...cacheKeys.candidates, 'counts'],
  queryFn: ({ signal }) => api('GET /api/crm/candidates/counts', { signal }),
})

/** What is known of a lead's company: its own candidate, or another of the same domain; null where there is none. */
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

/** The answer to a change is the newest there is. */
export function putCandidate(candidate: Candidate): void {
  const { data: _data, ...listed } = candidate
  queryClient.setQueryData<Candidate>(candidateQuery(candidate.id).queryKey, known =>
    known && known.updated_at > candidate.updated_at ? known : candidate,
  )
  putListed<ListedCandidate>(cacheKeys.candidates, listed)
}

export function patchCandidate(id: string, fields: Partial<ListedCandidate>): void {
  queryClient.setQueryData<Candidate>(candidateQuery(id).queryKey, known => known && { ...known, ...fields })
  patchListed<ListedCandidate>(cacheKeys.candidates, id, fields)
}

/** The stream tells us of our own changes too; this is for the time when it is broken. */
export function refreshCandidates(): void {
  void queryClient.invalidateQueries({ queryKey: cacheKeys.candidates })
  void queryClient.invalidateQueries({ queryKey: cacheKeys.credits })
}

export async function addAddresses(addresses: string[]): Promise<Added> {
  try {
    return await api('POST /api/crm/candidates/list', { body: { addresses } })
  } finally {
    refreshCandidates()
  }
}

/** Sends the file as it is. */
export async function addFile(file: File): Promise<Added> {
  const response = await fetch(UPLOAD_PATH, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'text/csv' },
    credentials: 'same-origin',
    body: file,
  }).catch(() => {
    throw new ApiProblem({ status: 0, code: 'unreachable', title: 'The server cannot be reached' })
  })
  if (response.status === 401) leaveToSignIn()
  refreshCandidates()
  if (!response.ok) throw await problemFrom(response)
  return response.json()
}
