import IconCloudOff from 'icon:cloud-off'
import { liveState } from './stream.ts'
import classes from './mark.module.css'

/** Empty while connected. */
export function LiveMark() {
  const lost = liveState.use(state => state === 'lost')
  return (
    <span role="status" className={classes.place}>
      {lost && (
        <span className={classes.mark} title="Connection lost. Data may be out of date until it is restored.">
          <IconCloudOff size={14} aria-hidden />
          Reconnecting
        </span>
      )}
    </span>
  )
}
