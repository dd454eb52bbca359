import type { Lead } from '#domains/leads/contract.ts'
import { nameOf } from '#domains/leads/model.ts'
import type { CallStatus } from '#domains/leads/values.ts'
import type { FollowUp } from './contract.ts'
import type { CallRow } from './store.ts'
import { callStates, type CallState } from './values.ts'

export type EndState = Exclude<CallState, 'SCHEDULED' | 'DIALING' | 'CONNECTED'>

const rank = (state: CallState) => Math.min(callStates.indexOf(state), callStates.indexOf('ENDED'))

/** Whether a call moves on by this. The five ends are one: what ended first stays. */
export function movesOn(from: CallState, to: CallState): boolean {
  return rank(to) > rank(from)
}

export function hasEnded(state: CallState): state is EndState {
  return rank(state) === rank('ENDED')
}

/** A call in which somebody spoke: an end that is told before its beginning says so as well. */
export function wasAnswered({ status, connected_at }: Pick<CallRow, 'status' | 'connected_at'>): boolean {
  return connected_at !== null || status === 'CONNECTED' || status === 'ENDED'
}

/** What a lead's newest call says of the lead; undefined: nothing, nobody has dialled yet. */
export function callStatusOf({ status, connected_at }: CallRow): CallStatus | undefined {
  if (status === 'SCHEDULED') return undefined
  // A cancelled call counts as ended if it was connected, and otherwise says nothing about the lead.
  return status === 'CANCELLED' ? (connected_at === null ? undefined : 'ENDED') : status
}

/** A meeting that was agreed on. */
export type Booked = { id: string; starts_at: string }

/** What only the surroundings of a call know. */
export type Surroundings = {
  at: string
  /** Of the agent that spoke. */
  rules: { attempts_max: number; retry_after_min: number } | undefined
  meeting: Booked | undefined
  /** Whether one of the team's own workflows takes it from here. */
  listens: boolean
  /** Whether it is known who it was. */
  known: boolean
}

const unreached: readonly CallState[] = ['NO_ANSWER', 'VOICEMAIL', 'FAILED']
const MINUTE_MS = 60_000

/** Decides the follow-up of a call. For a task, only the intent: the caller creates it. */
export function followUpOf(call: CallRow, around: Surroundings): FollowUp {
  const { at, rules, meeting, listens, known } = around
  const { kind, direction, status, attempt } = call
  if (status === 'CANCELLED') return { intent: 'none', reason: 'The call was cancelled.' }
  const isTried = kind === 'agent' && direction === 'outbound' && unreached.includes(status)
  if (isTried && rules && attempt < rules.attempts_max) {
    const next = new Date(Date.parse(at) + rules.retry_after_min * MINUTE_MS).toISOString()
    return { intent: 'retry', reason: `${notReached(status)} This was attempt ${attempt}.`, at: next }
  }
  if (meeting) return forMeeting(meeting)
  if (listens) return { intent: 'workflow', reason: 'A workflow handles the follow-up.' }
  if (kind === 'agent' && status === 'ENDED' && known) {
    return { intent: 'task', reason: 'They talked without agreeing on a next step.' }
  }
  return {
    intent: 'none',
    reason: isTried ? `${notReached(status)} No attempts left.` : 'Nothing to follow up.',
  }
}

/** A meeting that is booked in a call is all that follows from it, unless it is called again anyway. */
export function followUpWith({ follow_up }: CallRow, meeting: Booked): FollowUp {
  return follow_up?.intent === 'retry' ? follow_up : forMeeting(meeting)
}

function forMeeting({ id, starts_at }: Booked): FollowUp {
  return { intent: 'meeting', reason: 'A meeting was booked.', meeting_id: id, at: starts_at }
}

/** From what is known and nothing else, for a call of which its provider tells no more. */
export function summaryOf(
  { status, direction, duration_sec }: Pick<CallRow, 'status' | 'direction' | 'duration_sec'>,
  meeting: Pick<Booked, 'starts_at'> | undefined,
): string {
  const booked = meeting && `a meeting was booked for ${inWords(meeting.starts_at)}`
  const began = beginnings[status as EndState]({ inbound: direction === 'inbound', duration_sec })
  return booked ? `${began}; ${booked}.` : `${began}.`
}

type Known = { inbound: boolean; duration_sec: number | null }

const beginnings: Record<EndState, (known: Known) => string> = {
  ENDED: ({ duration_sec }) => (duration_sec ? `Talked for ${lasting(duration_sec)}` : 'The call ended'),
  NO_ANSWER: ({ inbound }) => (inbound ? 'The call was not answered' : 'No answer'),
  VOICEMAIL: () => 'Voicemail answered',
  FAILED: () => 'The call failed',
  CANCELLED: () => 'The call was cancelled',
}

function lasting(seconds: number): string {
  return seconds < 60 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
}

/** To the minute, in UTC: a summary is read in more than one time zone. */
export function inWords(instant: string): string {
  return `${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC`
}

function notReached(status: CallState): string {
  return `${beginnings[status as EndState]({ inbound: false, duration_sec: null })}.`
}

/** Who a task is about. */
export function calledName(lead: Lead | undefined, { direction, from, to }: CallRow): string {
  return lead ? nameOf(lead) : ((direction === 'inbound' ? from : to) ?? 'the caller')
}
