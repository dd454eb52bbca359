import type { Lead } from '#domains/leads/contract.ts'
import { holds as conditionHolds, parseCondition, type Condition } from '#domains/sequences/condition.ts'
import type { Sequence, Step } from '#domains/sequences/contract.ts'
import { nextOutside, nextWithin } from '#platform/zone.ts'
import type { Enrolment } from './contract.ts'
import { outreachStatuses, type Hold, type OutreachStatus, type StopReason } from './values.ts'

/** What is known of the mail before the present step. */
export type Previous = {
  sent: boolean
  opened: boolean
  clicked: boolean
  replied: boolean
  bounced: boolean
}

export type Facts = {
  nowMs: number
  zone: string
  enrolment: Pick<Enrolment, 'paused_at' | 'step_index'>
  sequence: Sequence
  steps: readonly Step[]
  /** Undefined: gone, or in the trash. */
  lead: Lead | undefined
  /** Whether the template of the step exists. */
  hasTemplate: boolean
  /** Null: there was none. */
  previous: Previous | null
  suppressed: boolean
  teamPaused: boolean
  icebreaker: { reviewed_at: string | null } | undefined
  quiet: { from: string; until: string } | null
}

/** A new template wakes the enrolment; this covers one that arrives at the very moment it was missed. */
const TEMPLATE_LOOK_MS = 15 * 60_000

export type Verdict =
  | { kind: 'hold'; hold: Hold; until: number | null; reason: string }
  | { kind: 'skip'; reason: string }
  | { kind: 'pass' }
  | { kind: 'finish' }
  | { kind: 'stop'; stop: StopReason; reason: string }
  | { kind: 'personalize' }
  | { kind: 'email' | 'sms' | 'task'; step: Step }

/**
 * What is to be done with the step whose time has come. Pure: the same facts, the same verdict. The daily cap is not
 * among them, because a place within it is taken, not looked up.
 */
export function decide(facts: Facts): Verdict {
  const { enrolment, sequence, steps, lead, teamPaused } = facts
  if (!lead) return { kind: 'stop', stop: 'lead_trashed', reason: 'The lead is in the trash.' }
  if (enrolment.paused_at) return wait('paused', 'The enrolment is paused.')
  if (sequence.status !== 'ACTIVE' || sequence.deleted_at)
    return wait('sequence_paused', 'The sequence is not active.')
  if (teamPaused) return wait('team_paused', 'Outreach is paused for the whole team.')
  const step = steps[enrolment.step_index]
  if (!step) return { kind: 'finish' }
  switch (step.type) {
    case 'delay':
      return { kind: 'pass' }
    case 'task':
      return { kind: 'task', step }
    case 'email':
      return decideEmail(facts, step, lead)
    case 'sms':
      return decideSms(facts, step, lead)
  }
}

function decideEmail(facts: Facts, step: Step, lead: Lead): Verdict {
  if (step.condition !== undefined) {
    const { holds, because } = conditionHolds(parsed(step.condition), { previous: facts.previous, lead })
    if (!holds) return { kind: 'skip', reason: `Only if ${step.condition}: ${because}.` }
  }
  if (!lead.email) return { kind: 'skip', reason: 'The lead has no email address.' }
  if (facts.suppressed) return suppressed(lead.email)
  if (!facts.hasTemplate) {
    const until = facts.nowMs + TEMPLATE_LOOK_MS
    return {
      kind: 'hold',
      hold: 'no_template',
      until,
      reason: `There is no template called ${step.template}.`,
    }
  }
  if (step.ai_personalization) {
    if (!facts.icebreaker) return { kind: 'personalize' }
    if (facts.sequence.settings.review_icebreakers && !facts.icebreaker.reviewed_at)
      return wait('review', 'The icebreaker is waiting for approval.')
  }
  return outsideWindow(facts) ?? { kind: 'email', step }
}

const conditions = new Map<string, Condition>()
const CONDITIONS_REMEMBERED_MAX = 1_000

function parsed(text: string): Condition {
  let condition = conditions.get(text)
  if (!condition) {
    if (conditions.size >= CONDITIONS_REMEMBERED_MAX) conditions.clear()
    conditions.set(text, (condition = parseCondition(text)))
  }
  return condition
}

function decideSms(facts: Facts, step: Step, lead: Lead): Verdict {
  if (!lead.phone) return { kind: 'skip', reason: 'The lead has no phone number.' }
  if (facts.suppressed) return { kind: 'skip', reason: `${lead.phone} has opted out of text messages.` }
  const { nowMs, quiet, zone } = facts
  const closed = outsideWindow(facts)
  if (closed) return closed
  const until = quiet ? nextOutside(nowMs, quiet.from, quiet.until, zone) : nowMs
  if (until > nowMs) return { kind: 'hold', hold: 'quiet_hours', until, reason: `Quiet hours in ${zone}.` }
  return { kind: 'sms', step }
}

function outsideWindow({ nowMs, zone, sequence: { settings } }: Facts): Verdict | undefined {
  if (!settings.window) return undefined
  const until = nextWithin(nowMs, settings.window, zone)
  if (until === nowMs) return undefined
  return { kind: 'hold', hold: 'window', until, reason: `Outside the sending window in ${zone}.` }
}

function wait(hold: Hold, reason: string): Verdict {
  return { kind: 'hold', hold, until: null, reason }
}

function suppressed(address: string): Verdict {
  return {
    kind: 'stop',
    stop: 'suppressed',
    reason: `${address} is on the suppression list.`,
  }
}

/** A status moves only forward, in the order of the pipeline: what comes late or twice changes nothing. */
export function forward(from: OutreachStatus, to: OutreachStatus): OutreachStatus {
  return outreachStatuses.indexOf(to) > outreachStatuses.indexOf(from) ? to : from
}

/** What a stop makes of the status: a booked meeting is a good end, and a payment the best. */
export const statusOfStop: Record<StopReason, OutreachStatus | undefined> = {
  finished: undefined,
  replied: 'CLOSED',
  bounced: 'CLOSED',
  complained: 'CLOSED',
  unsubscribed: 'CLOSED',
  suppressed: 'CLOSED',
  stopped: 'CLOSED',
  lead_trashed: 'CLOSED',
  meeting_booked: 'MEETING_BOOKED',
  converted: 'CONVERTED',
}

/** What an enrolment becomes when it ends. One that has ended keeps its first reason, unless a weightier one follows. */
export function ended<Row extends Enrolment>(row: Row, stop: StopReason, at: string): Row {
  const to = statusOfStop[stop]
  const status = to ? forward(row.status, to) : row.status
  const isNews = row.stop_reason === null || row.stop_reason === 'finished' || status !== row.status
  return {
    ...row,
    status,
    stop_reason: isNews ? stop : row.stop_reason,
    ended_at: row.ended_at ?? at,
    next_step_at: null,
    held: null,
  }
}
