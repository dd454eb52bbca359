import { useQuery } from '@tanstack/react-query'
import IconChevronRight from 'icon:chevron-right'
import { api } from '../../api.ts'
import { cacheKeys } from '../../queries.ts'
import { Bar, Empty, Fault } from '../../ui/states.tsx'
import { Dotted } from '../../ui/stage.tsx'
import { Time } from '../../ui/time.tsx'
import { count, eventInWords } from '../../ui/words.ts'
import { cronInWords } from './cron-words.ts'
import tableClasses from '../../ui/table.module.css'
import textClasses from '../../ui/text.module.css'
import classes from './jobs.module.css'

const REFRESH_MS = 15_000

const tones: Record<string, string> = { running: 'blue', done: 'green', failed: 'red', lost: 'amber' }
const words: Record<string, string> = { running: 'Running', done: 'Done', failed: 'Failed', lost: 'Lost' }

export function Schedule() {
  const query = useQuery({
    queryKey: cacheKeys.schedule,
    queryFn: async () => (await api('GET /api/cron')).data,
    refetchInterval: REFRESH_MS,
  })
  if (query.isPending) return <Bar width="100%" height={120} />
  if (query.isError && !query.data) return <Fault error={query.error} retry={() => void query.refetch()} />
  if (query.data.length === 0) return <Empty title="No scheduled jobs" compact />
  return query.data.map(job => (
    <details key={job.job} className={classes.job}>
      <summary>
        <IconChevronRight size={16} aria-hidden className={classes.chevron} />
        <span className={classes.kind}>{eventInWords(job.job)}</span>
        <span className={textClasses.dim} title={job.cron}>
          {cronInWords(job.cron)}
        </span>
        <span className={classes.next}>
          {job.running ? (
            'running now'
          ) : (
            <>
              next <Time at={job.next_at} ahead />
            </>
          )}
        </span>
        <span className={classes.last}>
          {job.last_runs[0] ? (
            <Dotted tone={tones[String(job.last_runs[0].outcome)] ?? 'slate'}>
              {words[String(job.last_runs[0].outcome)] ?? ''}
            </Dotted>
          ) : (
            <span className={textClasses.dim}>Not run yet</span>
          )}
        </span>
      </summary>
      <Runs runs={job.last_runs} name={job.job} />
    </details>
  ))
}

type Run = {
  id: string
  started_at: string
  finished_at: string | null
  started_by: unknown
  outcome: unknown
  processed: Record<string, number>
  error: string | null
}

function Runs({ runs, name }: { runs: Run[]; name: string }) {
  if (runs.length === 0) return <p className={textClasses.dim}>No runs yet.</p>
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard
    <div className={classes.runs} tabIndex={0} role="region" aria-label={`Last runs of ${name}`}>
      <table className={tableClasses.table}>
        <thead>
          <tr>
            <th>Started</th>
            <th>Trigger</th>
            <th>Outcome</th>
            <th>Duration</th>
            <th>Processed</th>
          </tr>
        </thead>
        <tbody>
          {runs.map(run => (
            <tr key={run.id}>
              <td>
                <Time at={run.started_at} />
              </td>
              <td>{run.started_by === 'route' ? 'API request' : 'Schedule'}</td>
              <td>
                <Dotted tone={tones[String(run.outcome)] ?? 'slate'}>
                  {words[String(run.outcome)] ?? String(run.outcome)}
                </Dotted>
                {run.error && <pre className={classes.error}>{run.error}</pre>}
              </td>
              <td>
                {run.finished_at ? duration(Date.parse(run.finished_at) - Date.parse(run.started_at)) : ''}
              </td>
              <td>{processed(run.processed)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function processed(counts: Record<string, number>): string {
  const some = Object.entries(counts).filter(([, amount]) => amount > 0)
  return (
    some.map(([name, amount]) => `${count(amount)} ${name.replaceAll('_', ' ')}`).join(', ') ||
    'nothing to do'
  )
}

function duration(ms: number): string {
  return ms < 1000
    ? `${ms} ms`
    : ms < 60_000
      ? `${(ms / 1000).toFixed(1)} s`
      : `${Math.round(ms / 60_000)} min`
}
