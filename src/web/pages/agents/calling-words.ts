import type { Agent } from '#domains/agents/contract.ts'
import { plural } from '../../ui/words.ts'

/** The rules for calling out, as one would tell them to a colleague. */
export function rulesInWords({ consent, quiet_hours, attempts_max, retry_after_min }: Agent['outbound']) {
  const whom = consent === 'required' ? 'Calls only who agreed to be called' : 'Calls whoever it is told to'
  const when =
    quiet_hours && quiet_hours.from && quiet_hours.until
      ? `, between ${quiet_hours.until} and ${quiet_hours.from} where the lead is`
      : ', at any hour'
  const again =
    attempts_max === 1
      ? 'Where nobody answers it does not try again.'
      : `Where nobody answers it tries again after ${waitInWords(retry_after_min)}, ${plural(attempts_max, 'time')} in all.`
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
