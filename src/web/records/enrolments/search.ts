import {
  messageChannels,
  messageOutcomes,
  messageStatuses,
  type MessageOutcome,
  type MessageStatus,
} from '#domains/messages/values.ts'
import type { ListEnrolments } from '#domains/enrolments/contract.ts'
import { holds, type Hold } from '#domains/enrolments/values.ts'
import type { ListMessages } from '#domains/messages/contract.ts'
import {
  filterQuery,
  filtersOf,
  isId,
  isOneOf,
  valuesOf,
  type FilterShape,
  type ListSearch,
} from '../../ui/record-list/search.ts'

export const tabs = ['waiting', 'sent', 'failed', 'unknown', 'returned', 'all'] as const
export type Tab = (typeof tabs)[number]

/** What the URL of the outbox holds. */
export type OutboxSearch = ListSearch & {
  /** Absent: queued messages, or all where a filter needs more than those. */
  show?: Tab
  /** The message whose drawer is open. */
  message?: string
}

/** All active enrolments, held or not. */
export const ALL_ACTIVE = 'any'

const outboxShape: FilterShape = {
  /** By the start of an email address or phone number. */
  searchable: true,
  lists: {
    channel: isOneOf(messageChannels),
    outcome: isOneOf(messageOutcomes),
    /** Why an enrolment is held. */
    held: isOneOf([ALL_ACTIVE, ...holds]),
    /** The sequence, its step, and the recipient. */
    source_id: isId,
    step_index: value => /^\d{1,2}$/.test(value),
    lead_id: isId,
    enrolment_id: isId,
  },
  singles: ['held', 'source_id', 'step_index', 'lead_id', 'enrolment_id'],
}

/** Keeps only what the API understands. */
export function outboxSearch(raw: Record<string, unknown>): OutboxSearch {
  const show = tabs.find(each => each === raw.show) ?? tabOf(raw)
  const { step_index, ...filters } = filtersOf(outboxShape, raw)
  const message = String(raw.message)
  return {
    ...(show && { show }),
    ...filters,
    // A step is of one sequence.
    ...(step_index && filters.source_id && { step_index }),
    ...(isId(message) && { message }),
  }
}

/** The tab that is shown. */
export function shownTab({ show, outcome, source_id, lead_id, enrolment_id, q }: OutboxSearch): Tab {
  return show ?? (outcome || source_id || lead_id || enrolment_id || q ? 'all' : 'waiting')
}

/** The filters as the API takes them. */
export function messagesFilter(search: OutboxSearch): ListMessages {
  const { show: _show, message: _message, held: _held, ...filters } = search
  const { status, outcomes } = ofTab[shownTab(search)]
  return {
    ...(status && { status: [...status] }),
    ...(outcomes && { outcome: [...outcomes] }),
    ...filterQuery<ListMessages>(outboxShape, filters),
  }
}

/** The filters of held enrolments, as the API takes them. */
export function heldFilter(search: OutboxSearch): ListEnrolments {
  const [held] = valuesOf(search, 'held')
  const [source_id] = valuesOf(search, 'source_id')
  const [lead_id] = valuesOf(search, 'lead_id')
  return {
    active: true,
    ...(held !== ALL_ACTIVE && { held: held ? [held as Hold] : [...holds] }),
    ...(source_id && { sequence_id: [source_id] }),
    ...(lead_id && { lead_id: [lead_id] }),
  }
}

type TabFilter = { status?: readonly MessageStatus[]; outcomes?: readonly MessageOutcome[] }

const ofTab: Record<Tab, TabFilter> = {
  waiting: { status: ['DUE', 'SENDING'] },
  sent: { status: ['SENT'] },
  failed: { status: ['FAILED'] },
  unknown: { status: ['UNKNOWN'] },
  returned: { outcomes: ['bounced', 'complained'] },
  all: {},
}

/** A link may name a status as the API does. */
function tabOf(raw: Record<string, unknown>): Tab | undefined {
  const status = messageStatuses.find(each => each === raw.status)
  return status && (tabs.find(tab => ofTab[tab].status?.includes(status)) ?? 'all')
}
