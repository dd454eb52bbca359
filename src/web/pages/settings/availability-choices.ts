import { minutesInWords } from '../../records/meetings/words.ts'

export type Numbered =
  | 'duration_min'
  | 'buffer_before_min'
  | 'buffer_after_min'
  | 'notice_min'
  | 'horizon_days'
  | 'per_day_max'

const HOUR_MIN = 60
const DAY_MIN = 24 * HOUR_MIN

const buffers = {
  values: [0, 5, 10, 15, 30, 45, 60],
  say: (min: number) => (min ? minutesInWords(min) : 'None'),
}

const choices: Record<Numbered, { values: number[]; say: (value: number) => string }> = {
  duration_min: { values: [15, 20, 30, 45, 60, 90, 120], say: minutesInWords },
  buffer_before_min: buffers,
  buffer_after_min: buffers,
  notice_min: {
    values: [0, 30, 60, 120, 240, 12 * HOUR_MIN, DAY_MIN, 2 * DAY_MIN, 3 * DAY_MIN, 7 * DAY_MIN],
    say: min => (min ? longInWords(min) : 'None'),
  },
  horizon_days: {
    values: [7, 14, 30, 60, 90, 180, 365],
    say: days => (days === 365 ? 'Up to 1 year' : `Up to ${daysInWords(days)}`),
  },
  per_day_max: {
    values: [1, 2, 3, 4, 5, 6, 8, 10],
    say: count => (count === 1 ? '1 meeting' : `${count} meetings`),
  },
}

/** The options, including a value that was set elsewhere. */
export function availabilityChoices(
  name: Numbered,
  value: number | null,
): { value: string; label: string }[] {
  const { values, say } = choices[name]
  const all = value === null ? values : [...new Set([...values, value])].toSorted((a, b) => a - b)
  const listed = all.map(each => ({ value: String(each), label: say(each) }))
  return name === 'per_day_max' ? [{ value: '', label: 'No limit' }, ...listed] : listed
}

function longInWords(min: number): string {
  return min % DAY_MIN === 0 ? daysInWords(min / DAY_MIN) : minutesInWords(min)
}

function daysInWords(days: number): string {
  return days === 1 ? '1 day' : days === 7 ? '1 week' : `${days} days`
}
