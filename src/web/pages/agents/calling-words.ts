import type { Agent } from '#domains/agents/contract.ts'
import { plural } from '../../ui/words.ts'

/** The rules for outbound calls in words. */
export function rulesInWords({ consent, quiet_hours, attempts_max, retry_after_min }: Agent['outbound']) {
  const whom = consent === 'required' ? 'Calls only leads who gave consent' : 'Calls any lead'
  const when =
    quiet_hours && quiet_hours.from && quiet_hours.until
      ? `, between ${quiet_hours.until} and ${quiet_hours.from} in the lead's local time`
      : ', at any time'
  const again =
    attempts_max === 1
      ? 'If no one answers, it does not retry.'
      : `If no one answers, it retries after ${waitInWords(retry_after_min)}, up to ${plural(attempts_max, 'attempt')} in total.`
  return `${whom}${when}. ${again}`
}

/** `90` → "1 hour 30 minutes". */
export function waitInWords(minutes: number): string {
  const parts = [
    [Math.floor(minutes / 1440), 'day'],
    [Math.floor((minutes % 1440) / 60), 'hour'],
    [minutes % 60, 'minute'],
  ] as const
  return parts
    .filter(([amount]) => amount > 0)
    .map(([amount, word]) => plural(amount, word))
    .join(' ')
}
