import type { ConversationSettings, OpenHours } from '#domains/conversations/contract.ts'
import { ANSWER_MIN_MAX } from '#domains/mailboxes/values.ts'
import type { FieldFault } from '../../problem.ts'
import { weekdays, type Range } from './availability-fields.ts'

/** Minutes as typed; empty: no target. */
export type AnswerFields = {
  first_answer_min: string
  next_answer_min: string
  escalate_after_min: string
  timezone: string
  /** Monday first; a day without hours is closed. */
  week: Range[][]
  agent_id: string | null
  agent_mode: ConversationSettings['agent_mode']
  creates_leads: boolean
  agents_say_ai: boolean
}

type Change = Partial<Omit<ConversationSettings, 'updated_at'>>

const targets = ['first_answer_min', 'next_answer_min', 'escalate_after_min'] as const

export function fieldsOf({
  first_answer_min,
  next_answer_min,
  escalate_after_min,
  timezone,
  hours,
  agent_id,
  agent_mode,
  creates_leads,
  agents_say_ai,
}: ConversationSettings): AnswerFields {
  return {
    first_answer_min: String(first_answer_min ?? ''),
    next_answer_min: String(next_answer_min ?? ''),
    escalate_after_min: String(escalate_after_min ?? ''),
    timezone,
    agent_id,
    agent_mode,
    creates_leads,
    agents_say_ai,
    week: weekOf(hours),
  }
}

/** Monday first; a day without hours is closed. */
export function weekOf(hours: readonly OpenHours[]): Range[][] {
  return weekdays.map((_, index) =>
    hours.filter(({ day }) => day === index + 1).map(({ from, until }) => ({ from, until })),
  )
}

export function hoursOf(week: readonly Range[][]): OpenHours[] {
  return week.flatMap((ranges, index) => ranges.map(({ from, until }) => ({ day: index + 1, from, until })))
}

export function faultsOf(fields: AnswerFields): FieldFault[] {
  const faults: FieldFault[] = targets
    .filter(name => minutesOf(fields[name]) === undefined)
    .map(path => ({ path, message: `must be a whole number from 1 to ${ANSWER_MIN_MAX}, or empty` }))
  fields.week.forEach((ranges, index) => {
    const isOpen = ranges.every(({ from, until }) => from && until && from < until)
    if (!isOpen) faults.push({ path: `week.${index}`, message: 'The end must be after the start' })
  })
  return faults
}

export function changeOf(before: ConversationSettings, fields: AnswerFields): Change | undefined {
  const [was, is] = [asSent(fieldsOf(before)), asSent(fields)]
  const names = (Object.keys(is) as (keyof typeof is)[]).filter(
    name => JSON.stringify(is[name]) !== JSON.stringify(was[name]),
  )
  return names.length > 0 ? Object.fromEntries(names.map(name => [name, is[name]])) : undefined
}

/** Null: no target. Undefined: not a number of minutes. */
export function minutesOf(typed: string): number | null | undefined {
  const text = typed.trim()
  if (text === '') return null
  const minutes = /^\d{1,5}$/.test(text) ? Number(text) : 0
  return minutes >= 1 && minutes <= ANSWER_MIN_MAX ? minutes : undefined
}

function asSent({
  first_answer_min,
  next_answer_min,
  escalate_after_min,
  timezone,
  week,
  ...agents
}: AnswerFields) {
  return {
    ...agents,
    first_answer_min: minutesOf(first_answer_min),
    next_answer_min: minutesOf(next_answer_min),
    escalate_after_min: minutesOf(escalate_after_min),
    timezone,
    hours: hoursOf(week),
  }
}
