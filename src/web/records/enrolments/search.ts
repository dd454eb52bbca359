import {
  messageChannels,
  messageOutcomes,
  messageStatuses,
  type MessageChannel,
  type MessageOutcome,
  type MessageStatus,
} from '#domains/messages/values.ts'
import { holds, type Hold } from '#domains/enrolments/values.ts'

export const tabs = ['waiting', 'sent', 'failed', 'unknown', 'returned', 'all'] as const
export type Tab = (typeof tabs)[number]

/** What the URL of the outbox holds. */
export type OutboxSearch = {
  /** Absent: queued messages, or all where a filter needs more than those. */
  show?: Tab
  channel?: MessageChannel
  /** The start of an email address or phone number. */
  q?: string
  /** The sequence, its step, and the recipient. */
  source_id?: string
  step_index?: number
  lead_id?: string
  enrolment_id?: string
  outcome?: MessageOutcome
  /** Why an enrolment is held; `any` lists all active ones. */
  held?: Hold | 'any'
  /** The message whose drawer is open. */
  message?: string
}

const ID = /^[0-9a-f]{24}$/
export const ADDRESS_LENGTH_MAX = 254

/** Keeps only what the API understands. */
export function outboxSearch(raw: Record<string, unknown>): OutboxSearch {
  const show = tabs.find(each => each === one(raw.show)) ?? tabOf(raw)
  const channel = messageChannels.find(each => each === one(raw.channel))
  const outcome = messageOutcomes.find(each => each === one(raw.outcome))
  const held = ([...holds, 'any'] as const).find(each => each === one(raw.held))
  const q = one(raw.q).slice(0, ADDRESS_LENGTH_MAX)
  const step = one(raw.step_index)
  return {
    ...(show && { show }),
    ...(channel && { channel }),
    ...(outcome && { outcome }),
    ...(held && { held }),
    ...(q && { q }),
    ...(/^\d{1,2}$/.test(step) && { step_index: Number(step) }),
    ...ids(raw),
  }
}

/** The tab that is shown. */
export function shownTab({ show, outcome, source_id, lead_id, enrolment_id, q }: OutboxSearch): Tab {
  return show ?? (outcome || source_id || lead_id || enrolment_id || q ? 'all' : 'waiting')
}

/** The filters as the API takes them. */
export function messagesFilter(search: OutboxSearch) {
  const { channel, q, source_id, step_index, lead_id, enrolment_id, outcome } = search
  const { status, outcomes } = ofTab[shownTab(search)]
  const heard = outcome ? [outcome] : outcomes
  return {
    ...(status && { status: [...status] }),
    ...(heard && { outcome: [...heard] }),
    ...(channel && { channel: [channel] }),
    ...(q && { q }),
    ...(source_id && { source_id: [source_id] }),
    ...(source_id && step_index !== undefined && { step_index }),
    ...(lead_id && { lead_id: [lead_id] }),
    ...(enrolment_id && { enrolment_id: [enrolment_id] }),
  }
}

/** The filters of held enrolments, as the API takes them. */
export function heldFilter({ held, source_id, lead_id }: OutboxSearch) {
  return {
    active: true,
    ...(held !== 'any' && { held: held ? [held] : [...holds] }),
    ...(source_id && { sequence_id: [source_id] }),
    ...(lead_id && { lead_id: [lead_id] }),
  }
}

export function isFiltered({ message: _message, show: _show, ...filters }: OutboxSearch): boolean {
  return Object.keys(filters).length > 0
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
  const status = messageStatuses.find(each => each === one(raw.status))
  return status && (tabs.find(tab => ofTab[tab].status?.includes(status)) ?? 'all')
}

function ids(raw: Record<string, unknown>): OutboxSearch {
  const names = ['source_id', 'lead_id', 'enrolment_id', 'message'] as const
  const given = names.map(name => [name, one(raw[name])] as const).filter(([, value]) => ID.test(value))
  return Object.fromEntries(given)
}

function one(value: unknown): string {
  const first: unknown = Array.isArray(value) ? value[0] : value
  return first === undefined || first === null ? '' : String(first)
}
