import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { candidateStatuses } from '#domains/candidates/values.ts'
import { paths } from '../../paths.ts'
import { Progress } from '../../ui/progress.tsx'
import { Bar } from '../../ui/states.tsx'
import { count } from '../../ui/words.ts'
import { countsQuery } from '../../records/candidates/candidates-cache.ts'
import { CreditsMeter } from './credits-meter.tsx'
import { runOf, type Counts, type Run } from './progress.ts'
import { Status } from '../../records/candidates/status.tsx'
import stripClasses from '../../ui/strip.module.css'
import classes from './candidates.module.css'

/** Candidates by status, progress of running crawls, and credits left. */
export function Standing() {
  const counts = useQuery(countsQuery).data
  return (
    <div className={stripClasses.strip}>
      {counts ? <Statuses counts={counts} /> : <Bar width={220} />}
      {counts && <Running counts={counts} />}
      <CreditsMeter />
    </div>
  )
}

function Statuses({ counts }: { counts: Counts }) {
  const some = candidateStatuses.filter(status => counts[status] > 0)
  if (some.length === 0) return null
  return (
    <ul className={classes.statuses} aria-label="Candidates by status">
      {some.map(status => (
        <li key={status}>
          <Link to={paths.candidates} search={{ status: [status] }}>
            <Status status={status} />
            <b>{count(counts[status])}</b>
          </Link>
        </li>
      ))}
    </ul>
  )
}

function Running({ counts }: { counts: Counts }) {
  const run = useRun(counts)
  if (!run) return null
  return (
    <div className={classes.running}>
      <Progress label="Running crawls" done={run.done} of={run.of} />
      <span>
        {count(run.done)} of {count(run.of)} sites crawled
      </span>
    </div>
  )
}

/** Keeps the earlier progress, so that the bar continues when more are added. */
function useRun(counts: Counts): Run | undefined {
  const [seen, setSeen] = useState<{ counts: Counts; run: Run | undefined }>()
  if (seen?.counts === counts) return seen.run
  const run = runOf(seen?.run, counts)
  setSeen({ counts, run })
  return run
}
