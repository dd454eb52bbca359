import { infiniteQueryOptions } from '@tanstack/react-query'
import type { NewSuppression, Suppression, SuppressionImport } from '#domains/suppressions/contract.ts'
import { api, leaveToSignIn } from '../../api.ts'
import { ApiProblem, problemFrom } from '../../problem.ts'
import { cacheKeys } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import { stringifySearch } from '../../search-text.ts'
import { suppressionsFilter, type SuppressionsSearch } from './search.ts'

const PAGE_SIZE = 50
const IMPORT_PATH = '/api/outreach/suppressions/import'
const EXPORT_PATH = '/api/outreach/suppressions/export'

export function suppressionsQuery(search: SuppressionsSearch) {
  const filters = { ...suppressionsFilter(search), ...(search.lifted && { lifted: true }) }
  return infiniteQueryOptions({
    queryKey: [...cacheKeys.suppressions, 'list', filters],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      api('GET /api/outreach/suppressions', {
        query: { ...filters, limit: PAGE_SIZE, ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    getNextPageParam: last => last.next_cursor ?? undefined,
  })
}

/** A plain link: the browser streams the file to disk, however long the list is. */
export function exportAddress(search: SuppressionsSearch): string {
  return EXPORT_PATH + stringifySearch(suppressionsFilter(search))
}

export async function addSuppression(body: NewSuppression): Promise<Suppression> {
  const added = await api('POST /api/outreach/suppressions', { body })
  refresh()
  return added
}

export async function liftSuppression(id: string): Promise<void> {
  await api('DELETE /api/outreach/suppressions/:id', { params: { id } })
  refresh()
}

/** Sends the file as it is. */
export async function importSuppressions(file: File): Promise<SuppressionImport> {
  const response = await fetch(IMPORT_PATH, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'text/csv' },
    credentials: 'same-origin',
    body: file,
  }).catch(() => {
    throw new ApiProblem({ status: 0, code: 'unreachable', title: "Couldn't reach the server" })
  })
  if (response.status === 401) leaveToSignIn()
  // Even an import that failed halfway may have added entries.
  refresh()
  if (!response.ok) throw await problemFrom(response)
  return response.json()
}

function refresh(): void {
  void queryClient.invalidateQueries({ queryKey: cacheKeys.suppressions })
}
