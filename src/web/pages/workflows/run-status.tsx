import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconCircleX from '@tabler/icons-react/dist/esm/icons/IconCircleX.mjs'
import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import IconPlayerPause from '@tabler/icons-react/dist/esm/icons/IconPlayerPause.mjs'
import type { Icon } from '@tabler/icons-react'
import type { RunStatus } from '#domains/workflows/values.ts'
import { runWords } from '../../records/workflows/words.ts'
import classes from './runs.module.css'

const icons: Record<RunStatus, Icon> = {
  RUNNING: IconClock,
  PAUSED: IconPlayerPause,
  DONE: IconCircleCheck,
  FAILED: IconAlertTriangle,
  CANCELLED: IconCircleX,
}

/** A sign and a word: colour helps to scan, the word says it. */
export function RunState({ status }: { status: RunStatus }) {
  const Shape = icons[status]
  const { tone, label } = runWords[status]
  return (
    <span className={classes.state} data-tone={tone}>
      <Shape size={15} stroke={1.8} aria-hidden />
      <span>{label}</span>
    </span>
  )
}
