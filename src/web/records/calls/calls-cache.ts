import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Call, CallInList, Consent, ListCalls } from '#domains/calls/contract.ts'
import type { CallCheck } from '#domains/softphone/contract.ts'
import { api } from '../../api.ts'
import { cacheKeys } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import { filterQuery, type ListSearch } from '../../ui/record-list/search.ts'
import { mergeLines } from './lines.ts'
import { callsShape, type Period } from './search.ts'
import { calls } from './store.ts'

const PAGE_SIZE = 50
const OF_LEAD_MAX = 5
const AGENTS_MAX = 200
const HOUR_MS = 3_600_000
/** How many live calls are shown as cards; the list below has them all. */
export const LIVE_SHOWN_MAX = 12

type Page = { data: CallInList[]; next_cursor: string | null }

export function callListQuery(search: ListSearch) {
  const filters = filterQuery<ListCalls>(callsShape, search)
  return infiniteQueryOptions({
    queryKey: [...cacheKeys.calls, 'list', filters],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }): Promise<Page> =>
      api('GET /api/voice/calls', {
        query: { ...filters, limit: PAGE_SIZE, ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    getNextPageParam: last => last.next_cursor ?? undefined,
  })
}

/** Connected or ringing calls. */
export const liveCallsQuery = queryOptions({
  queryKey: [...cacheKeys.calls, 'live'],
  queryFn: ({ signal }): Promise<Page> =>
    api('GET /api/voice/calls', {
      query: { status: ['DIALING', 'CONNECTED'], limit: LIVE_SHOWN_MAX },
      signal,
    }),
})

export function callsOfLeadQuery(lead_id: string) {
  return queryOptions({
    queryKey: [...cacheKeys.calls, 'of-lead', lead_id],
    queryFn: ({ signal }): Promise<Page> =>
      api('GET /api/voice/calls', { query: { lead_id, limit: OF_LEAD_MAX }, signal }),
  })
}

export function callQuery(id: string) {
  const { queryKey } = calls.query(id)
  return queryOptions({
    queryKey,
    queryFn: async ({ signal }): Promise<Call> => {
      const call = await api('GET /api/voice/calls/:id', { params: { id }, signal })
      // Lines that arrived during the request are newer than its response.
      const known = queryClient.getQueryData<Call>(queryKey)
      return known ? { ...call, transcript: mergeLines(call.transcript, known.transcript) } : call
    },
  })
}

export function consentQuery(lead_id: string) {
  return queryOptions({
    queryKey: [...cacheKeys.callConsents, lead_id],
    queryFn: ({ signal }): Promise<Consent> =>
      api('GET /api/voice/consents/:lead_id', { params: { lead_id }, signal }),
  })
}

const CHECK_MS = 30_000

/** Why a call would be refused now. Quiet hours start and end, so it is polled while shown. */
export function checkQuery(lead_id: string | undefined, agent_id: string | undefined) {
  return queryOptions({
    queryKey: [...cacheKeys.calls, 'check', lead_id, agent_id],
    queryFn: ({ signal }): Promise<CallCheck> =>
      api('POST /api/softphone/check', { body: { lead_id: lead_id!, agent_id: agent_id! }, signal }),
    enabled: lead_id !== undefined && agent_id !== undefined,
    refetchInterval: CHECK_MS,
    staleTime: 0,
  })
}

/** The voice provider; changes only with the configuration. */
export const lineQuery = queryOptions({
  queryKey: ['voice-line'],
  queryFn: ({ signal }) => api('GET /api/voice/line', { signal }),
  staleTime: 5 * 60_000,
})

/** The agents that can place a call. */
export const agentChoicesQuery = queryOptions({
  queryKey: [...cacheKeys.agents, 'choices'],
  queryFn: async ({ signal }) =>
    (await api('GET /api/voice/agents', { query: { sort: 'name', limit: AGENTS_MAX }, signal })).data,
})

const daysOf: Record<Period, number> = { '1d': 1, '7d': 7, '30d': 30, '90d': 90 }

export function numbersQuery(period: Period, agent_id: string | undefined) {
  return queryOptions({
    queryKey: [...cacheKeys.calls, 'numbers', period, agent_id ?? ''],
    queryFn: ({ signal }) => {
      // Including the current hour.
      const until = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS
      const from = until - daysOf[period] * 24 * HOUR_MS
      const query = { from: instant(from), until: instant(until), ...(agent_id && { agent_id }) }
      return api('GET /api/voice/analytics', { query, signal })
    },
  })
}

function instant(at: number): string {
  return new Date(at).toISOString()
}
