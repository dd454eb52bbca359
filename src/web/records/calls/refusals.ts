import type { CallCheck } from '#domains/softphone/contract.ts'
import { refusals, type Refusal } from '#domains/softphone/values.ts'
import { isProblem } from '../../problem.ts'

/** What to do about each refusal; the reason itself comes from the server. */
export const refusalAdvice: Record<Refusal, string> = {
  no_phone: 'Add one to the lead with its country code, like +49 30 123456.',
  suppressed: 'Remove the entry from the suppression list if it is wrong.',
  no_consent: 'If they agree, record how. It is saved with the lead.',
  quiet_hours: "Schedule the call for later, or change the agent's quiet hours.",
  on_a_call: 'Wait until that call ends, or schedule this one.',
  too_many_calls: 'Wait until one of them ends, or schedule this one.',
  no_line: 'The administrator of this installation can connect a phone line.',
}

export function refusalOf(error: unknown): Refusal | undefined {
  return isProblem(error, 409) ? refusals.find(each => each === error.code) : undefined
}

export type Reason = CallCheck['refusals'][number]

/** These also apply to scheduled calls. */
const lasting: readonly Refusal[] = ['no_phone', 'suppressed', 'no_consent']

export function reasonsAgainst(check: CallCheck | undefined, isLater: boolean): readonly Reason[] {
  // The dialog already says when the line cannot dial.
  const found = check?.refusals.filter(({ code }) => code !== 'no_line') ?? []
  return isLater ? found.filter(({ code }) => lasting.includes(code)) : found
}

/** The refusal of the call itself, which may be newer than the check. */
export function reasonsIn(error: unknown): readonly Reason[] {
  const code = refusalOf(error)
  return code && isProblem(error) ? [{ code, message: error.message, next_at: nextTime(error) ?? null }] : []
}

const INSTANT = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})/

/** When the agent may call, if the server says so. */
export function nextTime(error: unknown): string | undefined {
  if (!isProblem(error)) return undefined
  const told = error.errors.map(({ message }) => INSTANT.exec(message)?.[0]).find(Boolean)
  return told && !Number.isNaN(Date.parse(told)) ? new Date(told).toISOString() : undefined
}
