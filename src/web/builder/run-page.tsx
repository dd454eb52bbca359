import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useMemo, useRef, useState } from 'react'
import type { RunInFull } from '#domains/workflows/contract.ts'
import { patterns } from '../paths.ts'
import { useKeys } from '../ui/keys.ts'
import { PageHead } from '../ui/page-head.tsx'
import { Fault } from '../ui/states.tsx'
import { dayNumber, Time, timeOfDay } from '../ui/time.tsx'
import { useTitle } from '../ui/title.ts'
import type { CanvasHandle } from './canvas-contract.ts'
import { triggerOf, useCatalog, useNames } from './catalog.ts'
import { Canvas, CanvasWaiting } from './lazy-canvas.tsx'
import { RunHead } from './run-head.tsx'
import { runQuery } from './run-query.ts'
import { TraceList } from './trace-list.tsx'
import { asNodes } from './tree.ts'
import partsClasses from '../ui/parts.module.css'
import factsClasses from '../ui/facts.module.css'
import classes from './builder.module.css'

const route = getRouteApi('/workflows/runs/$id')

export function RunPage() {
  const { id } = route.useParams()
  const query = useQuery(runQuery(id))
  const run = query.data
  useTitle(run ? `Run of ${run.workflow_name}` : 'Run')
  if (query.error && !run) return <Fault whole error={query.error} retry={() => void query.refetch()} />
  if (!run) return <Waiting />
  return <Shown key={id} run={run} />
}

function Shown({ run }: { run: RunInFull }) {
  const navigate = useNavigate()
  const canvas = useRef<CanvasHandle>(null)
  const catalog = useCatalog()
  const names = useNames(catalog)
  const { trace, definition } = run
  const nodes = useMemo(() => asNodes(definition.nodes), [definition])
  const [selected, setSelected] = useState<string | undefined>(run.failed_path ?? undefined)
  const trigger = triggerOf(catalog, definition.trigger)
  const ended = run.status !== 'RUNNING' && run.status !== 'PAUSED'
  useKeys({
    u: () => void navigate({ to: patterns.workflowRuns, params: { id: run.workflow_id }, search: {} }),
  })
  return (
    <>
      <RunHead run={run} />
      <div className={classes.body} data-stacked>
        <Canvas
          ref={canvas}
          trigger={{ name: trigger.name, label: trigger.label }}
          nodes={nodes}
          names={names}
          selected={selected}
          onSelect={setSelected}
          began={run.created_at}
          trace={trace}
          ended={ended}
          timeOf={shortly}
        />
        <aside className={classes.side} aria-label="Run details">
          <Facts run={run} triggerLabel={trigger.label} />
          <h2 className={classes.sideTitle}>Steps</h2>
          {trace.length === 0 && <p className={`${factsClasses.facts} ${classes.facts}`}>No steps yet.</p>}
          <TraceList
            label="Run steps"
            trace={trace}
            nodes={nodes}
            names={names}
            selected={selected}
            select={path => {
              setSelected(path)
              canvas.current?.focus(path)
            }}
            timeOf={shortly}
          />
        </aside>
      </div>
    </>
  )
}

function Facts({ run, triggerLabel }: { run: RunInFull; triggerLabel: string }) {
  return (
    <>
      <dl className={`${factsClasses.facts} ${classes.facts}`}>
        <dt>Trigger</dt>
        <dd>{triggerLabel}</dd>
        <dt>Lead</dt>
        <dd>
          {run.lead_id ? (
            <Link to={patterns.lead} params={{ id: run.lead_id }} search={{}}>
              {run.lead_name ?? 'Deleted lead'}
            </Link>
          ) : (
            'No lead'
          )}
        </dd>
        <dt>Version</dt>
        <dd>{run.version}</dd>
        <dt>Started</dt>
        <dd>
          <Time at={run.created_at} />
        </dd>
        {run.ended_at && (
          <>
            <dt>Ended</dt>
            <dd>
              <Time at={run.ended_at} />
            </dd>
          </>
        )}
        {run.status === 'RUNNING' && run.next_at && (
          <>
            <dt>Continues</dt>
            <dd>
              <Time at={run.next_at} ahead />
            </dd>
          </>
        )}
        {run.error && (
          <>
            <dt>Error</dt>
            <dd>{run.error}</dd>
          </>
        )}
      </dl>
      <details className={classes.event}>
        <summary>Event data</summary>
        <pre className={partsClasses.inert} tabIndex={0}>
          {JSON.stringify(run.event, null, 2)}
        </pre>
      </details>
    </>
  )
}

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })

/** The time of day; with the date if it is not today. */
function shortly(at: string): string {
  const time = timeOfDay(at)
  return dayNumber(Date.parse(at)) === dayNumber(Date.now()) ? time : `${day.format(new Date(at))} ${time}`
}

function Waiting() {
  return (
    <>
      <PageHead title="Run" />
      <CanvasWaiting label="Loading run" />
    </>
  )
}
