import { Link } from '@tanstack/react-router'
import type { AnswerTimesRow } from '#domains/conversations/contract.ts'
import { paths } from '../../paths.ts'
import { count } from '../../ui/words.ts'
import table from '../../ui/table.module.css'
import type { Grouping } from './search.ts'
import { inboxOf, minutesInWords, nameOf, shareInWords } from './words.ts'
import classes from './answer-times.module.css'

export const groupingWords: Record<Grouping, string> = {
  person: 'Person',
  mailbox: 'Mailbox',
  channel: 'Channel',
}

type Props = { rows: AnswerTimesRow[]; by: Grouping }

/** One row for each person, mailbox or channel; names and what is late now lead into the Inbox. */
export function AnswerTable({ rows, by }: Props) {
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard
    <div
      className={table.wrap}
      role="region"
      aria-label={`Answer times by ${groupingWords[by].toLowerCase()}`}
      tabIndex={0}
    >
      <table className={`${table.table} ${classes.table}`}>
        <thead>
          <tr>
            <th scope="col">{groupingWords[by]}</th>
            <th scope="col">Answers</th>
            <th scope="col">Within target</th>
            <th scope="col">Late</th>
            <th scope="col" title="Half of the first answers took no longer, in open hours">
              First answer
            </th>
            <th scope="col" title="9 of 10 first answers took no longer, in open hours">
              9 of 10
            </th>
            <th scope="col" title="Half of the later answers took no longer, in open hours">
              Next answers
            </th>
            <th scope="col" title="9 of 10 later answers took no longer, in open hours">
              9 of 10
            </th>
            <th scope="col">Closed unanswered</th>
            <th scope="col">Late now</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <Row key={row.key ?? 'none'} row={row} by={by} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Row({ row, by }: { row: AnswerTimesRow; by: Grouping }) {
  const search = inboxOf(by, row)
  const name = nameOf(by, row)
  return (
    <tr>
      <th scope="row">
        {search ? (
          <Link to={paths.conversations} search={search}>
            {name}
          </Link>
        ) : (
          name
        )}
      </th>
      <td>{count(row.answered)}</td>
      <td>{shareInWords(row)}</td>
      <td>{count(row.late)}</td>
      <td>{minutesInWords(row.first_median_min)}</td>
      <td>{minutesInWords(row.first_p90_min)}</td>
      <td>{minutesInWords(row.next_median_min)}</td>
      <td>{minutesInWords(row.next_p90_min)}</td>
      <td>{count(row.closed_unanswered)}</td>
      <td data-bad={row.late_now > 0 || undefined}>
        {search && row.late_now > 0 ? (
          <Link to={paths.conversations} search={{ ...search, late: true }}>
            {count(row.late_now)}
          </Link>
        ) : (
          count(row.late_now)
        )}
      </td>
    </tr>
  )
}
