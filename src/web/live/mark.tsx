import IconCloudOff from 'icon:cloud-off'
import { liveState } from './stream.ts'
import classes from './mark.module.css'

/** Nothing while all is well. */
export function LiveMark() {
  const lost = liveState.use(state => state === 'lost')
  return (
    <span role="status" className={classes.place}>
      {lost && (
        <span
          className={classes.mark}
          title="The connection is lost. What you see may be old; it catches up by itself."
        >
          <IconCloudOff size={14} aria-hidden />
          Reconnecting
        </span>
      )}
    </span>
  )
}
