import type { InboundStatus } from '#domains/webhooks/values.ts'
import type { DeliveryStatus, EndpointStatus } from '#domains/deliveries/values.ts'
import type { WebhookEndpoint } from '#domains/deliveries/contract.ts'
import type { Effect } from '#domains/webhooks/contract.ts'
import { plural } from '../../ui/words.ts'
import { inboundEndpoints, type Endpoint } from './search.ts'

type Words = { tone: string; label: string; about: string }

export const endpointNames: Record<Endpoint, string> = {
  payment: 'Payment',
  voice: 'Voice',
  email: 'Email',
  realtime: 'Realtime',
}
export const endpointChoices = inboundEndpoints.map(value => ({ value, label: endpointNames[value] }))

/** The status of an incoming event, and what to do about it. */
export const inboundWords: Record<InboundStatus, Words> = {
  accepted: {
    tone: 'blue',
    label: 'Processing',
    about: 'Stored and being processed. Nothing to do.',
  },
  waiting: {
    tone: 'slate',
    label: 'Waiting',
    about: 'Nothing in this version handles this event yet. Replay it once something does.',
  },
  processed: {
    tone: 'green',
    label: 'Processed',
    about: 'All effects were applied.',
  },
  unmatched: {
    tone: 'amber',
    label: 'Unmatched',
    about: 'Names no known record. Check the IDs in the payload. Replay it once the record exists.',
  },
  failed: {
    tone: 'red',
    label: 'Failed',
    about: 'Failed too many times. See the note below, fix the cause, then replay it.',
  },
  ignored: {
    tone: 'slate',
    label: 'Ignored',
    about: 'Unsupported event type, stored but not processed. You can turn it off at the provider.',
  },
}

export const outcomeWords: Record<Effect['outcome'], { tone: string; label: string }> = {
  done: { tone: 'green', label: 'Done' },
  unmatched: { tone: 'amber', label: 'No matching record' },
  failed: { tone: 'red', label: 'Failed' },
}

/** `leads.note_call` → "Leads: note call". */
export function reactionInWords(reaction: string): string {
  const [part = '', ...rest] = reaction.split('.')
  const words = [part, rest.join(' ')].map(each => each.replaceAll('_', ' ')).filter(Boolean)
  const text = words.join(': ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export const endpointWords: Record<EndpointStatus, Words> = {
  ACTIVE: { tone: 'green', label: 'Active', about: 'Receives events.' },
  DISABLED: {
    tone: 'red',
    label: 'Disabled',
    about: 'Nothing is sent any more, because no attempt succeeded for five days.',
  },
  REMOVED: {
    tone: 'slate',
    label: 'Removed',
    about: 'The URL was removed from its settings. Past deliveries are kept.',
  },
}

export const deliveryWords: Record<DeliveryStatus, Words> = {
  PENDING: {
    tone: 'blue',
    label: 'Pending',
    about: 'Retried until it succeeds or runs out of attempts.',
  },
  DELIVERED: { tone: 'green', label: 'Delivered', about: 'The receiver confirmed it.' },
  FAILED: {
    tone: 'red',
    label: 'Failed',
    about: 'No more automatic retries. Resend it once the receiver works again.',
  },
}

/** "2 duplicates, 1 replay". */
export function timesInWords(duplicates: number, replays: number): string {
  const parts = [
    duplicates > 0 && plural(duplicates, 'duplicate'),
    replays > 0 && plural(replays, 'replay'),
  ].filter(Boolean)
  return parts.join(', ')
}

/** The response to an attempt. Only 2xx counts as success. */
export function answerWords(status: number | null): { tone: string; label: string } {
  if (status === null) return { tone: 'red', label: 'No response' }
  return { tone: status >= 200 && status < 300 ? 'green' : 'red', label: `HTTP ${status}` }
}

/** Endpoints to choose from. Those with the same name also show their URL. */
export function endpointOptions(endpoints: readonly Pick<WebhookEndpoint, 'id' | 'name' | 'url'>[]) {
  const named = Map.groupBy(endpoints, ({ name }) => name)
  return endpoints.map(({ id, name, url }) => ({
    value: id,
    label: named.get(name)!.length > 1 ? `${name} (${url})` : name,
  }))
}
