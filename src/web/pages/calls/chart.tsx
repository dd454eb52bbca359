import { count, plural } from '../../ui/words.ts'
import type { Bucket } from './numbers.ts'
import table from '../../ui/table.module.css'
import classes from './numbers.module.css'

const WIDTH = 1_000
const HEIGHT = 120
const GAP = 0.22

/** Responses over time, with failed ones on top; also as a table below. */
export function Chart({ buckets }: { buckets: Bucket[] }) {
  const most = Math.max(1, ...buckets.map(({ responses }) => responses))
  const all = sum(buckets.map(({ responses }) => responses))
  const failed = sum(buckets.map(bucket => bucket.failed))
  const step = WIDTH / buckets.length
  const [first, last] = [buckets[0]!, buckets.at(-1)!]
  return (
    <figure className={classes.figure}>
      <figcaption className={classes.caption}>
        <h2>Responses</h2>
        <span className={classes.key} data-of="fine">
          succeeded
        </span>
        <span className={classes.key} data-of="failed">
          failed
        </span>
        <span className={classes.most}>{all === 0 ? 'none in this period' : `peak ${count(most)}`}</span>
      </figcaption>
      <svg
        className={classes.chart}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${plural(all, 'response')} from ${when(first)} to ${when(last)}, ${count(failed)} failed`}
      >
        {buckets.map(({ at, responses, failed: bad }, place) => {
          const [full, wrong] = [(responses / most) * HEIGHT, (bad / most) * HEIGHT]
          const box = { x: place * step + (step * GAP) / 2, width: step * (1 - GAP) }
          return (
            <g key={at}>
              <title>{`${when(buckets[place]!)}: ${plural(responses, 'response')}, ${count(bad)} failed`}</title>
              <rect {...box} x={place * step} width={step} y={0} height={HEIGHT} className={classes.ground} />
              <rect {...box} y={HEIGHT - full + wrong} height={Math.max(0, full - wrong)} data-of="fine" />
              <rect {...box} y={HEIGHT - full} height={wrong} data-of="failed" />
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
        <div className={table.wrap} role="region" aria-label="Responses over time" tabIndex={0}>
          <table className={`${table.table} ${classes.table}`}>
            <thead>
              <tr>
                <th scope="col">From</th>
                <th scope="col">Responses</th>
                <th scope="col">Failed</th>
              </tr>
            </thead>
            <tbody>
              {buckets.map(bucket => (
                <tr key={bucket.at}>
                  <th scope="row">{when(bucket)}</th>
                  <td>{count(bucket.responses)}</td>
                  <td>{count(bucket.failed)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  )
}

const hour = new Intl.DateTimeFormat('en-GB', { weekday: 'short', hour: '2-digit', minute: '2-digit' })
// The server counts days in UTC: in another time zone this could show the day before.
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

function when({ at, hourly }: Bucket): string {
  return (hourly ? hour : day).format(at)
}

function sum(amounts: number[]): number {
  return amounts.reduce((all, amount) => all + amount, 0)
}
