import { deliveryStatuses, type DeliveryStatus } from '#domains/deliveries/values.ts'
import {
  acceptedTypes,
  EVENT_ID_LENGTH_MAX,
  EVENT_TYPE_LENGTH_MAX,
  inboundStatuses,
  type InboundStatus,
} from '#domains/webhooks/values.ts'
import { instantsOf, isDay } from '../../ui/day.ts'

export type Endpoint = keyof typeof acceptedTypes
export const inboundEndpoints = Object.keys(acceptedTypes) as Endpoint[]

/** Days in the person's time zone, inclusive. */
type Days = { from?: string; until?: string }

/** The URL parameters of the inbox. */
export type InboxSearch = Days & {
  endpoint?: Endpoint
  type?: string
  status?: InboundStatus
  event_id?: string
  /** The event whose drawer is open. */
  event?: string
}

const ID = /^[0-9a-f]{24}$/

/** Keeps only the parameters that the API understands. */
export function inboxSearch(raw: Record<string, unknown>): InboxSearch {
  const endpoint = inboundEndpoints.find(each => each === one(raw.endpoint))
  const type = one(raw.type).slice(0, EVENT_TYPE_LENGTH_MAX)
  const status = inboundStatuses.find(each => each === one(raw.status))
  const eventId = one(raw.event_id).slice(0, EVENT_ID_LENGTH_MAX)
  const event = one(raw.event)
  return {
    ...(endpoint && { endpoint }),
    ...(type && { type }),
    ...(status && { status }),
    ...(eventId && { event_id: eventId }),
    ...days(raw),
    ...(ID.test(event) && { event }),
  }
}

/** The filters as the API takes them. */
export function inboxQuery({ endpoint, type, status, event_id, from, until }: InboxSearch) {
  return {
    ...(endpoint && { endpoint: [endpoint] }),
    ...(type && { type: [type] }),
    ...(status && { status: [status] }),
    ...(event_id && { event_id }),
    ...instantsOf(from, until),
  }
}

/** The URL parameters of the deliveries. */
export type DeliveriesSearch = Days & {
  endpoint_id?: string
  status?: DeliveryStatus
  /** The delivery whose drawer is open. */
  delivery?: string
}

export function deliveriesSearch(raw: Record<string, unknown>): DeliveriesSearch {
  const endpointId = one(raw.endpoint_id)
  const status = deliveryStatuses.find(each => each === one(raw.status))
  const delivery = one(raw.delivery)
  return {
    ...(ID.test(endpointId) && { endpoint_id: endpointId }),
    ...(status && { status }),
    ...days(raw),
    ...(ID.test(delivery) && { delivery }),
  }
}

export function deliveriesQuery({ endpoint_id, status, from, until }: DeliveriesSearch) {
  return {
    ...(endpoint_id && { endpoint_id: [endpoint_id] }),
    ...(status && { status: [status] }),
    ...instantsOf(from, until),
  }
}

function days(raw: Record<string, unknown>): Days {
  const [from, until] = [one(raw.from), one(raw.until)]
  return { ...(isDay(from) && { from }), ...(isDay(until) && { until }) }
}

function one(value: unknown): string {
  const first: unknown = Array.isArray(value) ? value[0] : value
  return first === undefined || first === null ? '' : String(first)
}
