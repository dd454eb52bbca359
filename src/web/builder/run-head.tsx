import { Button } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { RunInFull } from '#domains/workflows/contract.ts'
import { runWords } from '../records/workflows/words.ts'
import { patterns } from '../paths.ts'
import { useCan } from '../queries.ts'
import { LinkButton } from '../ui/link-button.tsx'
import { Confirm } from '../ui/seldom-dialogs.tsx'
import { Dotted } from '../ui/stage.tsx'
import { controlRun, tryControlRun, type RunAct } from '../records/workflows/run-writes.ts'
import textClasses from '../ui/text.module.css'
import classes from './builder.module.css'

const labels: Record<RunAct, string> = {
  cancel: 'Cancel',
  pause: 'Pause',
  resume: 'Resume',
  retry: 'Retry from failed step',
  replay: 'Run again',
}

/** The actions in each state. */
const acts: Record<RunInFull['status'], RunAct[]> = {
  RUNNING: ['pause', 'cancel'],
  PAUSED: ['resume', 'cancel'],
  FAILED: ['retry', 'replay', 'cancel'],
  DONE: ['replay'],
  CANCELLED: ['replay'],
}

/** Name, status and actions of a run. */
export function RunHead({ run }: { run: RunInFull }) {
  const navigate = useNavigate()
  const canWrite = useCan('workflows:write')
  const [busy, setBusy] = useState<RunAct>()
  const [asked, setAsked] = useState<'cancel' | 'replay'>()
  const { tone, label } = runWords[run.status]

  async function go(act: RunAct) {
    setBusy(act)
    await tryControlRun(run.id, act)
    setBusy(undefined)
  }

  async function replay() {
    const { id } = await controlRun(run.id, 'replay')
    void navigate({ to: patterns.workflowRun, params: { id } })
  }

  return (
    <>
      <header className={classes.head}>
        <div className={classes.titles}>
          <h1 className={`${textClasses.cut} ${classes.title}`} tabIndex={-1}>
            Run of{' '}
            <Link to={patterns.workflow} params={{ id: run.workflow_id }} search={{}}>
              {run.workflow_name}
            </Link>
          </h1>
          <span className={classes.status} role="status">
            <Dotted tone={tone}>{label}</Dotted>
          </span>
        </div>
        <div className={classes.tools}>
          <LinkButton
            variant="default"
            to={patterns.workflowRuns}
            params={{ id: run.workflow_id }}
            search={{}}
          >
            All runs
          </LinkButton>
          {canWrite &&
            acts[run.status].map(act => (
              <Button
                key={act}
                variant={act === 'retry' || act === 'resume' ? 'filled' : 'default'}
                loading={busy === act}
                onClick={() => (act === 'cancel' || act === 'replay' ? setAsked(act) : void go(act))}
              >
                {labels[act]}
              </Button>
            ))}
        </div>
      </header>
      {asked === 'cancel' && (
        <Confirm
          title="Cancel this run?"
          verb="Cancel run"
          act={() => controlRun(run.id, 'cancel')}
          close={() => setAsked(undefined)}
        >
          The run stops and cannot be resumed. Completed steps are not undone.
        </Confirm>
      )}
      {asked === 'replay' && (
        <Confirm title="Run again?" verb="Run again" act={replay} close={() => setAsked(undefined)}>
          Starts over with the same event on the latest version. Earlier steps are not undone, so emails and
          tasks may be duplicated.
        </Confirm>
      )}
    </>
  )
}
