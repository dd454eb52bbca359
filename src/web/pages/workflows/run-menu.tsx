import { ActionIcon } from '@mantine/core'
import IconDots from 'icon:dots'
import { useState } from 'react'
import type { Run } from '#domains/workflows/contract.ts'
import type { RunStatus } from '#domains/workflows/values.ts'
import { ButtonMenu, type MenuItem } from '../../ui/menu.tsx'
import { Confirm } from '../../ui/seldom-dialogs.tsx'
import { exactly } from '../../ui/time.tsx'
import { controlRun, tryControlRun } from '../../records/workflows/run-writes.ts'

/** The actions for a run, depending on its status. */
export function RunMenu({ run }: { run: Run }) {
  const [asking, setAsking] = useState<'cancel' | 'again'>()
  const close = () => setAsking(undefined)
  const who = run.lead_name ? `for ${run.lead_name}` : `from ${exactly(run.created_at)}`
  const pause: MenuItem = { label: 'Pause', run: () => void tryControlRun(run.id, 'pause') }
  const resume: MenuItem = { label: 'Resume', run: () => void tryControlRun(run.id, 'resume') }
  const retry: MenuItem = {
    label: 'Retry from failed step',
    run: () => void tryControlRun(run.id, 'retry'),
  }
  const again: MenuItem = { label: 'Run again…', run: () => setAsking('again') }
  const cancel: MenuItem = { label: 'Cancel…', danger: true, run: () => setAsking('cancel') }
  const items: Record<RunStatus, MenuItem[]> = {
    RUNNING: [pause, cancel],
    PAUSED: [resume, cancel],
    // A run that failed before its first step has nothing to retry.
    FAILED: [...(run.failed_path === null ? [] : [retry]), again, cancel],
    DONE: [again],
    CANCELLED: [again],
  }
  return (
    <>
      <ButtonMenu
        button={
          <ActionIcon aria-label={`More actions for the run ${who}`}>
            <IconDots size={16} />
          </ActionIcon>
        }
        items={items[run.status]}
      />
      {asking === 'cancel' && (
        <Confirm
          title={`Cancel the run ${who}?`}
          verb="Cancel run"
          act={() => controlRun(run.id, 'cancel')}
          close={close}
        >
          The run stops and cannot be resumed. Completed steps are not undone.
        </Confirm>
      )}
      {asking === 'again' && (
        <Confirm
          title={`Repeat the run ${who}?`}
          verb="Run again"
          act={() => controlRun(run.id, 'replay')}
          close={close}
        >
          Starts over with the same event on the latest version. Earlier steps are not undone, so emails and
          tasks may be duplicated.
        </Confirm>
      )}
    </>
  )
}
