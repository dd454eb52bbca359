import { VisuallyHidden } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Run } from '#domains/workflows/contract.ts'
import { patterns } from '../../paths.ts'
import { useCan } from '../../queries.ts'
import { exactly, Time } from '../../ui/time.tsx'
import { RunMenu } from './run-menu.tsx'
import { RunState } from './run-status.tsx'
import { tookInWords } from '../../records/workflows/words.ts'
import table from '../../ui/table.module.css'
import pageClasses from '../../ui/page.module.css'
import textClasses from '../../ui/text.module.css'
import classes from './runs.module.css'

export function RunTable({ runs, more }: { runs: Run[]; more: ReactNode }) {
  const canWrite = useCan('workflows:write')
  return (
    // A region that scrolls must be reachable by keyboard.
    <div className={pageClasses.list} role="region" aria-label="Runs" tabIndex={0}>
      <div className={table.wrap}>
        <table className={table.table}>
          <thead>
            <tr>
              <th scope="col">Status</th>
              <th scope="col">Lead</th>
              <th scope="col">Started</th>
              <th scope="col">Duration / next step</th>
              <th scope="col">Version</th>
              <th scope="col">Error</th>
              {canWrite && (
                <th scope="col">
                  <VisuallyHidden>Actions</VisuallyHidden>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {runs.map(run => (
              <Row key={run.id} run={run} canWrite={canWrite} />
            ))}
          </tbody>
        </table>
      </div>
      {more}
    </div>
  )
}

function Row({ run, canWrite }: { run: Run; canWrite: boolean }) {
  const { id, status, lead_id, lead_name, version, error, created_at } = run
  return (
    <tr className={table.row}>
      <td className={classes.short}>
        {/* Covers the whole row; other links and buttons are above it. */}
        <Link to={patterns.workflowRun} params={{ id }} className={table.open}>
          <RunState status={status} />
          <VisuallyHidden>
            , open the run {lead_name ? `for ${lead_name}` : `from ${exactly(created_at)}`}
          </VisuallyHidden>
        </Link>
      </td>
      <td className={`${textClasses.cut} ${classes.who}`}>
        {lead_id ? (
          <Link to={patterns.lead} params={{ id: lead_id }} search={{}}>
            {lead_name ?? 'Deleted lead'}
          </Link>
        ) : (
          <span className={textClasses.dim}>No lead</span>
        )}
      </td>
      <td className={classes.short}>
        <Time at={created_at} />
      </td>
      <td className={classes.short}>
        <Took run={run} />
      </td>
      <td className={classes.short}>{version}</td>
      <td className={classes.error}>{error}</td>
      {canWrite && (
        <td className={classes.menu}>
          <RunMenu run={run} />
        </td>
      )}
    </tr>
  )
}

/** How long it took or, if it has not ended, when it continues. */
function Took({ run: { status, next_at, created_at, ended_at } }: { run: Run }) {
  if (ended_at) return <>{tookInWords(Math.max(0, Date.parse(ended_at) - Date.parse(created_at)))}</>
  if (status === 'PAUSED') return <span className={textClasses.dim}>when resumed</span>
  if (status !== 'RUNNING') return null
  if (!next_at) return <span className={textClasses.dim}>now</span>
  return (
    <span className={textClasses.dim}>
      <Time at={next_at} ahead />
    </span>
  )
}
