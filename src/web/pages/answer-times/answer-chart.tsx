import type { AnswerTimesRow } from '#domains/conversations/contract.ts'
import { count, plural } from '../../ui/words.ts'
import table from '../../ui/table.module.css'
import { minutesInWords } from './words.ts'
import classes from './answer-times.module.css'

const WIDTH = 1_000
const HEIGHT = 120
const GAP = 0.22

/** Answers over time, with late ones on top; also as a table below. */
export function AnswerChart({ rows, by }: { rows: AnswerTimesRow[]; by: 'day' | 'week' }) {
  const most = Math.max(1, ...rows.map(({ answered }) => answered))
  const all = rows.reduce((sum, { answered }) => sum + answered, 0)
  const late = rows.reduce((sum, row) => sum + row.late, 0)
  const step = WIDTH / rows.length
  const [first, last] = [rows[0]!, rows.at(-1)!]
  return (
    <figure className={classes.figure}>
      <figcaption className={classes.caption}>
        <h2>Answers</h2>
        <span className={classes.key} data-of="fine">
          in time
        </span>
        <span className={classes.key} data-of="late">
          late
        </span>
        <span className={classes.most}>{all === 0 ? 'none in this period' : `peak ${count(most)}`}</span>
      </figcaption>
      <svg
        className={classes.chart}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${plural(all, 'answer')} from ${when(first)} to ${when(last)}, ${count(late)} late`}
      >
        {rows.map((row, place) => {
          const [full, bad] = [(row.answered / most) * HEIGHT, (row.late / most) * HEIGHT]
          const box = { x: place * step + (step * GAP) / 2, width: step * (1 - GAP) }
          return (
            <g key={row.key}>
              <title>{`${when(row)}: ${plural(row.answered, 'answer')}, ${count(row.late)} late`}</title>
              <rect x={place * step} width={step} y={0} height={HEIGHT} className={classes.ground} />
              <rect {...box} y={HEIGHT - full + bad} height={Math.max(0, full - bad)} data-of="fine" />
              <rect {...box} y={HEIGHT - full} height={bad} data-of="late" />
            </g>
          )
        })}
      </svg>
      <div className={classes.ends} aria-hidden>
        <span>{when(first)}</span>
        <span>{when(last)}</span>
      </div>
      <details className={classes.details}>
        <summary>Show as table</summary>
        {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard */}
        <div className={table.wrap} role="region" aria-label="Answers over time" tabIndex={0}>
          <table className={`${table.table} ${classes.table}`}>
            <thead>
              <tr>
                <th scope="col">{by === 'day' ? 'Day' : 'Week of'}</th>
                <th scope="col">Answers</th>
                <th scope="col">Late</th>
                <th scope="col">First answer</th>
                <th scope="col">Next answers</th>
                <th scope="col">Closed unanswered</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(row => (
                <tr key={row.key}>
                  <th scope="row">{when(row)}</th>
                  <td>{count(row.answered)}</td>
                  <td>{count(row.late)}</td>
                  <td>{minutesInWords(row.first_median_min)}</td>
                  <td>{minutesInWords(row.next_median_min)}</td>
                  <td>{count(row.closed_unanswered)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  )
}

// A day of the team's calendar, wherever this is read.
const date = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

function when({ key }: AnswerTimesRow): string {
  return date.format(Date.parse(key!))
}
