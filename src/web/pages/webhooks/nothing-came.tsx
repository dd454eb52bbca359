import IconInbox from 'icon:inbox'
import { Addresses } from './addresses.tsx'
import classes from './nothing-came.module.css'

/** Before the first event: what to set up at the providers. */
export function NothingCame() {
  return (
    <div className={classes.place}>
      <span className={classes.icon} aria-hidden>
        <IconInbox size={30} stroke={1.4} />
      </span>
      <h2 className={classes.title}>No events yet</h2>
      <Addresses />
    </div>
  )
}
