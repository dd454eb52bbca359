import { parentPort, workerData } from 'node:worker_threads'
import type { BusyTime, CalendarSpan } from '#platform/ports/calendar.ts'
import { occurrencesIn } from './occurrences.ts'

const { texts, span } = workerData as { texts: readonly string[]; span: CalendarSpan }
/** Told for each, so that slow is not taken for endless. */
for (const text of texts)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
  parentPort!.postMessage(readable(text))

/** What is no iCalendar keeps nobody busy. */
function readable(text: string): BusyTime[] {
  try {
    return occurrencesIn(text, span)
  } catch {
    return []
  }
}
