import IconCircleCheck from 'icon:circle-check'
import IconAlertTriangle from 'icon:alert-triangle'
import IconCircleX from 'icon:circle-x'
import IconClock from 'icon:clock'
import IconPlayerPause from 'icon:player-pause'
import type { Icon } from '../../ui/icon.tsx'
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

/** An icon and a word: color helps to scan, the word says it. */
export function RunState({ status }: { status: RunStatus }) {
  const Shape = icons[status]
  const { tone, label } = runWords[status]
  return (
    <span className={classes.state} data-tone={tone}>
      <Shape size={16} aria-hidden />
      <span>{label}</span>
    </span>
  )
}
