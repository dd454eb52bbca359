import type { Entry } from '#domains/audit/contract.ts'
import { dayInWords, dayNumber, useNow } from '../../ui/time.tsx'
import { EntryRow } from './entry-row.tsx'
import classes from './audit.module.css'

/** Newest first, under the day it happened on in the person's own zone. */
export function Entries({ entries }: { entries: Entry[] }) {
  const now = useNow()
  const days = Map.groupBy(entries, ({ at }) => dayNumber(Date.parse(at)))
  return [...days].map(([day, own]) => (
    <section key={day} className={classes.section}>
      <h2 className={classes.date}>{dayInWords(own[0]!.at, now)}</h2>
      <ol className={classes.entries}>
        {own.map(entry => (
          <EntryRow key={entry.id} entry={entry} />
        ))}
      </ol>
    </section>
  ))
}
