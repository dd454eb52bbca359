import type { SignedEndpoint } from '#platform/signature.ts'

/** The events each endpoint takes; any other name is stored and ignored. */
export const acceptedTypes = {
  payment: ['payment.confirmed', 'payment.succeeded'],
  voice: ['tool_call', 'call_connected', 'call_ended'],
  // The last one is more than a mail provider must tell: it brings replies, where it receives mail as well (Resend).
  email: ['email.bounced', 'email.delivered', 'email.opened', 'email.complained', 'email.received'],
  realtime: ['response.completed', 'response.failed', 'realtime.call.incoming'],
} as const satisfies Record<SignedEndpoint, readonly string[]>

export type InboundType = (typeof acceptedTypes)[SignedEndpoint][number]

/**
 * accepted: stored, its effects will follow. waiting: no part of the product handles it yet. processed:
 * handled. unmatched: names no known record. failed: an effect failed too many times. ignored: an unknown
 * type.
 */
export const inboundStatuses = ['accepted', 'waiting', 'processed', 'unmatched', 'failed', 'ignored'] as const
export type InboundStatus = (typeof inboundStatuses)[number]

/** The events of one commit, and of one job that works them off. What comes meanwhile goes with the next. */
export const BATCH_MAX = 100

/** How long a provider may let its answer wait for a tool: it gives up after five seconds. */
export const WAIT_MAX_S = 4
export const EVENT_ID_LENGTH_MAX = 255
export const EVENT_TYPE_LENGTH_MAX = 100
