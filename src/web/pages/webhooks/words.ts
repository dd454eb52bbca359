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
  email: 'E-mail',
  realtime: 'Realtime',
}
export const endpointChoices = inboundEndpoints.map(value => ({ value, label: endpointNames[value] }))

/** Where an event of a provider stands, and what a person does about it. */
export const inboundWords: Record<InboundStatus, Words> = {
  accepted: {
    tone: 'blue',
    label: 'On its way',
    about: 'It is stored, and what follows from it is being done. There is nothing to do.',
  },
  waiting: {
    tone: 'slate',
    label: 'Waiting',
    about:
      'Nothing in this version takes it up yet. It is kept; replay it when a part of the product that listens to it is there.',
  },
  processed: {
    tone: 'green',
    label: 'Processed',
    about: 'Everything that follows from it is done.',
  },
  unmatched: {
    tone: 'amber',
    label: 'Unmatched',
    about:
      'It names no record that is known here. Check the ids in its body; once the record exists, replay the event.',
  },
  failed: {
    tone: 'red',
    label: 'Failed',
    about:
      'A part of the product tried it too often without success. Its note below says which; mend the cause, then replay the event.',
  },
  ignored: {
    tone: 'slate',
    label: 'Ignored',
    about:
      'Events with this name mean nothing here, so it was stored and left alone. Leave it out in the settings of the provider.',
  },
}

export const outcomeWords: Record<Effect['outcome'], { tone: string; label: string }> = {
  done: { tone: 'green', label: 'Done' },
  unmatched: { tone: 'amber', label: 'No such record' },
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
  ACTIVE: { tone: 'green', label: 'Active', about: 'It is told of what happens.' },
  DISABLED: {
    tone: 'red',
    label: 'Given up',
    about: 'Nothing is sent there any more, because not one attempt succeeded for five days.',
  },
  REMOVED: {
    tone: 'slate',
    label: 'Removed',
    about: 'The address was taken out of its settings. What was sent there is kept.',
  },
}

export const deliveryWords: Record<DeliveryStatus, Words> = {
  PENDING: {
    tone: 'blue',
    label: 'Being sent',
    about: 'It is tried again until it succeeds or its tries are used up.',
  },
  DELIVERED: { tone: 'green', label: 'Delivered', about: 'The receiver answered that it has it.' },
  FAILED: {
    tone: 'red',
    label: 'Failed',
    about: 'It is not tried any more by itself. Once the receiver works again, send it again.',
  },
}

/** How often it came again and was replayed: "2 duplicates, 1 replay". */
export function timesInWords(duplicates: number, replays: number): string {
  const parts = [
    duplicates > 0 && plural(duplicates, 'duplicate'),
    replays > 0 && plural(replays, 'replay'),
  ].filter(Boolean)
  return parts.join(', ')
}

/** An answer of the receiver; 2xx is the only good one. */
export function answerWords(status: number | null): { tone: string; label: string } {
  if (status === null) return { tone: 'red', label: 'No answer' }
  return { tone: status >= 200 && status < 300 ? 'green' : 'red', label: `Answer ${status}` }
}

/** Addresses to choose from. Two forms may have one name: then their addresses tell them apart. */
export function endpointOptions(endpoints: readonly Pick<WebhookEndpoint, 'id' | 'name' | 'url'>[]) {
  const named = Map.groupBy(endpoints, ({ name }) => name)
  return endpoints.map(({ id, name, url }) => ({
    value: id,
    label: named.get(name)!.length > 1 ? `${name} (${url})` : name,
  }))
}
