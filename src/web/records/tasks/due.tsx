import { dayInWords, dayNumber, exactly, relatively, timeOfDay, useNow } from '../../ui/time.tsx'
import { isWholeDay } from './days.ts'

/** The due date in words; overdue tasks show how long ago it was. */
export function Due({ at }: { at: string }) {
  const now = useNow()
  return (
    <time dateTime={at} title={exactly(at)}>
      {dueInWords(at, now)}
    </time>
  )
}

function dueInWords(at: string, now: number): string {
  const due = Date.parse(at)
  if (due < now) return dayNumber(due) === dayNumber(now) ? `today, ${timeOfDay(at)}` : relatively(due, now)
  const days = dayNumber(due) - dayNumber(now)
  const day = days === 0 ? 'today' : days === 1 ? 'tomorrow' : dayInWords(at, now)
  return isWholeDay(at) ? day : `${day}, ${timeOfDay(at)}`
}
