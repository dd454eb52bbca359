import type { CallCheck } from '#domains/softphone/contract.ts'
import { refusals, type Refusal } from '#domains/softphone/values.ts'
import { isProblem } from '../../problem.ts'

/** What a person does about it; why the agent does not call, the server says. */
export const refusalAdvice: Record<Refusal, string> = {
  no_phone: 'Write it on the lead, with its country: +49 30 123456.',
  suppressed: 'Lift the entry on the do-not-contact list if it is wrong.',
  no_consent: 'If they agree, note how. It is kept with the lead.',
  quiet_hours: 'Schedule it for when the agent may call, or change its quiet hours.',
  on_a_call: 'Wait until that call is over, or schedule this one.',
  too_many_calls: 'Wait until some of them are over, or schedule this one.',
  no_line: 'Whoever runs this installation can connect a telephone line.',
}

export function refusalOf(error: unknown): Refusal | undefined {
  return isProblem(error, 409) ? refusals.find(each => each === error.code) : undefined
}

export type Reason = CallCheck['refusals'][number]

/** These hold at any time: a call for later is refused for them as well. */
const lasting: readonly Refusal[] = ['no_phone', 'suppressed', 'no_consent']

export function reasonsAgainst(check: CallCheck | undefined, isLater: boolean): readonly Reason[] {
  // Of a line that cannot dial the dialog tells anyway.
  const found = check?.refusals.filter(({ code }) => code !== 'no_line') ?? []
  return isLater ? found.filter(({ code }) => lasting.includes(code)) : found
}

/** What the server said when it was asked to call: the newest word, where the check has not heard of it yet. */
export function reasonsIn(error: unknown): readonly Reason[] {
  const code = refusalOf(error)
  return code && isProblem(error) ? [{ code, message: error.message, next_at: nextTime(error) ?? null }] : []
}

const INSTANT = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})/

/** When the agent may call, where the server says so. */
export function nextTime(error: unknown): string | undefined {
  if (!isProblem(error)) return undefined
  const told = error.errors.map(({ message }) => INSTANT.exec(message)?.[0]).find(Boolean)
  return told && !Number.isNaN(Date.parse(told)) ? new Date(told).toISOString() : undefined
}
