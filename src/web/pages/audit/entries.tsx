import type { Entry } from '#domains/audit/contract.ts'
import { dayInWords, dayNumber, useNow } from '../../ui/time.tsx'
import { EntryRow } from './entry-row.tsx'
import daysClasses from '../../ui/days.module.css'
import rowsClasses from '../../ui/rows.module.css'

/** Newest first, under the day it happened on in the person's own zone. */
export function Entries({ entries }: { entries: Entry[] }) {
  const now = useNow()
  const days = Map.groupBy(entries, ({ at }) => dayNumber(Date.parse(at)))
  return [...days].map(([day, own]) => (
    <section key={day}>
      <h2 className={daysClasses.date}>{dayInWords(own[0]!.at, now)}</h2>
      <ol className={rowsClasses.rows}>
        {own.map(entry => (
          <EntryRow key={entry.id} entry={entry} />
        ))}
      </ol>
    </section>
  ))
}
