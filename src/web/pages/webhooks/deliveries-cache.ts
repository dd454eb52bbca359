import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type {
  Delivery,
  DeliveryWithAttempts,
  FailedWindow,
  WebhookEndpoint,
} from '#domains/deliveries/contract.ts'
import { api } from '../../api.ts'
import { queryClient } from '../../query-client.ts'
import { cacheKeys } from '../../queries.ts'
import { askAgainMs, askListAgainMs, hurry } from './polling.ts'
import { deliveriesQuery, type DeliveriesSearch } from './search.ts'

const PAGE_SIZE = 50
const ENDPOINTS_LIMIT = 200

/** All of them: a team has about as many as it has forms. */
export const endpointsQuery = queryOptions({
  queryKey: cacheKeys.webhookEndpoints,
  queryFn: async ({ signal }): Promise<WebhookEndpoint[]> => {
    const endpoints: WebhookEndpoint[] = []
    let cursor: string | null = null
    do {
      const query = { limit: ENDPOINTS_LIMIT, ...(cursor && { cursor }) }
      const page: { data: WebhookEndpoint[]; next_cursor: string | null } = await api(
        'GET /api/webhooks/endpoints',
        { query, signal },
      )
      endpoints.push(...page.data)
      cursor = page.next_cursor
    } while (cursor)
    return endpoints
  },
  staleTime: 0,
  refetchInterval: () => askAgainMs(false),
})

export function deliveryListQuery(search: DeliveriesSearch) {
  const filters = deliveriesQuery(search)
  return infiniteQueryOptions({
    queryKey: [...cacheKeys.deliveries, 'list', filters],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      api('GET /api/webhooks/deliveries', {
        query: { ...filters, limit: PAGE_SIZE, ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    getNextPageParam: last => last.next_cursor ?? undefined,
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => askListAgainMs(data, isBeingSent),
  })
}

export function deliveryQuery(id: string) {
  return queryOptions({
    queryKey: [...cacheKeys.deliveries, 'one', id],
    queryFn: ({ signal }) => api('GET /api/webhooks/deliveries/:id', { params: { id }, signal }),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => askAgainMs(data !== undefined && isBeingSent(data)),
  })
}

export async function replayDelivery(id: string): Promise<void> {
  const delivery = await api('POST /api/webhooks/deliveries/:id/replay', { params: { id } })
  queryClient.setQueryData<DeliveryWithAttempts>(
    deliveryQuery(id).queryKey,
    known => known && { ...known, ...delivery },
  )
  refresh()
}

/** Returns how many are resent. */
export async function replayFailed(window: FailedWindow): Promise<number> {
  const { count } = await api('POST /api/webhooks/deliveries/replay', { body: window })
  refresh()
  return count
}

export async function enableEndpoint(id: string): Promise<void> {
  const endpoint = await api('POST /api/webhooks/endpoints/:id/enable', { params: { id } })
  queryClient.setQueryData<WebhookEndpoint[]>(endpointsQuery.queryKey, known =>
    known?.map(each => (each.id === id ? endpoint : each)),
  )
  refresh()
}

function refresh(): void {
  hurry()
  void queryClient.invalidateQueries({ queryKey: cacheKeys.deliveries })
  void queryClient.invalidateQueries({ queryKey: cacheKeys.webhookEndpoints })
}

function isBeingSent({ status }: Pick<Delivery, 'status'>): boolean {
  return status === 'PENDING'
}
