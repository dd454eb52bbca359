import { queryOptions } from '@tanstack/react-query'
import type { RunInFull } from '#domains/workflows/contract.ts'
import { api } from '../api.ts'
import { cacheKeys } from '../queries.ts'

/** Progress of a run is not pushed to clients, so an open page polls. */
const AGAIN_MS = 2_000
const WAITING_AGAIN_MS = 20_000
const SOON_MS = 60_000

export function runQuery(id: string) {
  return queryOptions({
    queryKey: [...cacheKeys.workflowRuns, 'one', id],
    queryFn: ({ signal }) => api('GET /api/crm/workflows/runs/:id', { params: { id }, signal }),
    refetchInterval: ({ state }) => againAfter(state.data),
  })
}

function againAfter(run: RunInFull | undefined): number | false {
  if (run?.status !== 'RUNNING') return false
  const isSoon = run.next_at === null || Date.parse(run.next_at) < Date.now() + SOON_MS
  return isSoon ? AGAIN_MS : WAITING_AGAIN_MS
}
