import classes from './progress.module.css'

type Props = { label: string; done: number; of: number }

/** Progress of a long-running job. */
export function Progress({ label, done, of }: Props) {
  const percent = of > 0 ? Math.min(100, Math.floor((100 * done) / of)) : 0
  return (
    <div
      className={classes.track}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
    >
      <div style={{ width: `${percent}%` }} />
    </div>
  )
}
