import type { ListDeliveries } from '#domains/deliveries/contract.ts'
import { deliveryStatuses } from '#domains/deliveries/values.ts'
import type { ListInbox } from '#domains/webhooks/contract.ts'
import {
  acceptedTypes,
  EVENT_ID_LENGTH_MAX,
  EVENT_TYPE_LENGTH_MAX,
  inboundStatuses,
} from '#domains/webhooks/values.ts'
import {
  filterQuery,
  filtersOf,
  isId,
  isOneOf,
  type FilterShape,
  type ListSearch,
} from '../../ui/record-list/search.ts'

export type Endpoint = keyof typeof acceptedTypes
export const inboundEndpoints = Object.keys(acceptedTypes) as Endpoint[]

/** The URL parameters of the inbox: its filters, and the event whose drawer is open. */
export type InboxSearch = ListSearch & { event?: string }

const inboxShape: FilterShape = {
  lists: {
    endpoint: isOneOf(inboundEndpoints),
    type: value => value.length > 0 && value.length <= EVENT_TYPE_LENGTH_MAX,
    status: isOneOf(inboundStatuses),
    event_id: value => value.length > 0 && value.length <= EVENT_ID_LENGTH_MAX,
  },
  singles: ['event_id'],
  period: true,
}

/** Keeps only the parameters that the API understands. */
export function inboxSearch(raw: Record<string, unknown>): InboxSearch {
  const event = String(raw.event)
  return { ...filtersOf(inboxShape, raw), ...(isId(event) && { event }) }
}

/** The filters as the API takes them. */
export function inboxQuery({ event: _event, ...filters }: InboxSearch): ListInbox {
  return filterQuery(inboxShape, filters)
}

/** The URL parameters of the deliveries: their filters, and the delivery whose drawer is open. */
export type DeliveriesSearch = ListSearch & { delivery?: string }

const deliveriesShape: FilterShape = {
  lists: { endpoint_id: isId, status: isOneOf(deliveryStatuses) },
  period: true,
}

export function deliveriesSearch(raw: Record<string, unknown>): DeliveriesSearch {
  const delivery = String(raw.delivery)
  return { ...filtersOf(deliveriesShape, raw), ...(isId(delivery) && { delivery }) }
}

export function deliveriesQuery({ delivery: _delivery, ...filters }: DeliveriesSearch): ListDeliveries {
  return filterQuery(deliveriesShape, filters)
}
