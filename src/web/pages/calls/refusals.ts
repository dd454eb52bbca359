import { refusals, type Refusal } from '#domains/softphone/values.ts'
import { isProblem } from '../../problem.ts'

/** What a person does about it; why the agent does not call, the server says. */
export const refusalAdvice: Record<Refusal, string> = {
  no_phone: 'Write it on the lead, with its country: +49 30 123456.',
  suppressed: 'Lift the entry on the do-not-contact list if it is wrong.',
  no_consent: 'If they agree, note how: it is kept with the lead, and the call begins.',
  quiet_hours: 'Schedule it for when the agent may call, or change its quiet hours.',
  on_a_call: 'Wait until that call is over, or schedule this one.',
  too_many_calls: 'Wait until some of them are over, or schedule this one.',
  no_line: 'Whoever runs this installation can connect a telephone line.',
}

export function refusalOf(error: unknown): Refusal | undefined {
  return isProblem(error, 409) ? refusals.find(each => each === error.code) : undefined
}

const INSTANT = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})/

/** When the agent may call, where the server says so. */
export function nextTime(error: unknown): string | undefined {
  if (!isProblem(error)) return undefined
  const told = error.errors.map(({ message }) => INSTANT.exec(message)?.[0]).find(Boolean)
  return told && !Number.isNaN(Date.parse(told)) ? new Date(told).toISOString() : undefined
}
