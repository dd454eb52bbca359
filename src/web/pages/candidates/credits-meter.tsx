import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import { creditsQuery, useCan } from '../../queries.ts'
import { count, plural } from '../../ui/words.ts'
import progressClasses from '../../ui/progress.module.css'
import classes from './candidates.module.css'

const LOW_SHARE = 0.1

/** Credits left, with a link to get more. */
export function CreditsMeter() {
  const canRead = useCan('billing:read')
  const credits = useQuery({ ...creditsQuery, enabled: canRead }).data
  if (!canRead || !credits) return null
  const { balance, monthly_quota, purchased } = credits
  const of = Math.max(monthly_quota + purchased, balance)
  const share = of > 0 ? balance / of : 0
  return (
    <div className={classes.credits}>
      <span
        className={`${progressClasses.track} ${classes.meter}`}
        role="meter"
        aria-label="Credits left"
        aria-valuemin={0}
        aria-valuemax={of}
        aria-valuenow={balance}
        aria-valuetext={`${count(balance)} of ${count(of)}`}
        data-low={share <= LOW_SHARE || undefined}
      >
        <span style={{ width: `${100 * share}%` }} />
      </span>
      <Link to={paths.credits}>
        {balance === 0 ? 'No credits left' : `${plural(balance, 'credit')} left`}
      </Link>
    </div>
  )
}
