import { ActionIcon } from '@mantine/core'
import IconDots from 'icon:dots'
import { useState } from 'react'
import type { Run } from '#domains/workflows/contract.ts'
import type { RunStatus } from '#domains/workflows/values.ts'
import { ButtonMenu, type MenuItem } from '../../ui/menu.tsx'
import { Confirm } from '../../ui/seldom-dialogs.tsx'
import { exactly } from '../../ui/time.tsx'
import { controlRun, tryControlRun } from '../../records/workflows/run-writes.ts'

/** What can be done about a run depends on where it stands. */
export function RunMenu({ run }: { run: Run }) {
  const [asking, setAsking] = useState<'cancel' | 'again'>()
  const close = () => setAsking(undefined)
  const who = run.lead_name ? `for ${run.lead_name}` : `of ${exactly(run.created_at)}`
  const pause: MenuItem = { label: 'Pause', run: () => void tryControlRun(run.id, 'pause') }
  const resume: MenuItem = { label: 'Resume', run: () => void tryControlRun(run.id, 'resume') }
  const retry: MenuItem = {
    label: 'Retry from where it failed',
    run: () => void tryControlRun(run.id, 'retry'),
  }
  const again: MenuItem = { label: 'Run again…', run: () => setAsking('again') }
  const cancel: MenuItem = { label: 'Cancel…', danger: true, run: () => setAsking('cancel') }
  const items: Record<RunStatus, MenuItem[]> = {
    RUNNING: [pause, cancel],
    PAUSED: [resume, cancel],
    // One that was stopped before it began has nowhere to go on from.
    FAILED: [...(run.failed_path === null ? [] : [retry]), again, cancel],
    DONE: [again],
    CANCELLED: [again],
  }
  return (
    <>
      <ButtonMenu
        button={
          <ActionIcon aria-label={`More about the run ${who}`}>
            <IconDots size={16} />
          </ActionIcon>
        }
        items={items[run.status]}
      />
      {asking === 'cancel' && (
        <Confirm
          title={`Cancel the run ${who}?`}
          verb="Cancel the run"
          act={() => controlRun(run.id, 'cancel')}
          close={close}
        >
          It ends where it is and does nothing more. What it has done stays done.
        </Confirm>
      )}
      {asking === 'again' && (
        <Confirm
          title={`Run it again ${who}?`}
          verb="Run it again"
          act={() => controlRun(run.id, 'replay')}
          close={close}
        >
          It starts over with the same event, on the newest version. What it did stays done, so a mail would
          be sent a second time.
        </Confirm>
      )}
    </>
  )
}
