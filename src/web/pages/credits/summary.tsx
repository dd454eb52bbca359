import type { Credits } from '#domains/credits/contract.ts'
import { Dotted } from '../../ui/stage.tsx'
import { dateInWords, exactly, Time } from '../../ui/time.tsx'
import { count, plural } from '../../ui/words.ts'
import { planWords } from './words.ts'
import textClasses from '../../ui/text.module.css'
import progressClasses from '../../ui/progress.module.css'
import classes from './credits.module.css'

/** Balance, usage this month and plan. */
export function Summary({ credits }: { credits: Credits }) {
  const { balance, monthly, purchased, monthly_quota, resets_at, used_this_period } = credits
  return (
    <section className={classes.summary} aria-label="Team credits">
      <div className={classes.card}>
        <h2 className={classes.label}>Balance</h2>
        <p className={`${textClasses.figure} ${classes.figure}`}>{count(balance)}</p>
        <p className={textClasses.meta}>
          {balance === 0 && 'New credits come next month or with a purchase.'}
          {balance > 0 && purchased === 0 && 'All are monthly credits.'}
          {purchased > 0 && `${count(purchased)} of them don't expire.`}
        </p>
      </div>
      <div className={classes.card}>
        <h2 className={classes.label}>This month</h2>
        <p className={`${textClasses.figure} ${classes.figure}`}>
          {count(monthly)} of {count(monthly_quota)} left
        </p>
        <Meter left={monthly} of={monthly_quota} />
        <p className={textClasses.meta}>
          {plural(used_this_period, 'credit')} used. <Renewal at={resets_at} quota={monthly_quota} />
        </p>
      </div>
      <PlanCard credits={credits} />
    </section>
  )
}

function Meter({ left, of }: { left: number; of: number }) {
  const share = of > 0 ? Math.min(1, left / of) : 0
  return (
    <div
      className={`${progressClasses.track} ${classes.meter}`}
      role="meter"
      aria-label="Monthly credits left"
      aria-valuemin={0}
      aria-valuemax={Math.max(of, left)}
      aria-valuenow={left}
      aria-valuetext={`${count(left)} of ${count(of)} left`}
      data-low={share <= LOW_SHARE || undefined}
    >
      <div style={{ width: `${100 * share}%` }} />
    </div>
  )
}
const LOW_SHARE = 0.1

/** A calendar day in UTC, the same for everyone. */
function Renewal({ at, quota }: { at: string; quota: number }) {
  return (
    <span title={exactly(at)}>
      Resets to {count(quota)} on {dateInWords(at.slice(0, 10))}.
    </span>
  )
}

function PlanCard({ credits: { plan, trial_ends_at } }: { credits: Credits }) {
  const { label, tone } = planWords[plan]
  return (
    <div className={classes.card}>
      <h2 className={classes.label}>Plan</h2>
      <p className={`${textClasses.figure} ${classes.figure}`}>
        <Dotted tone={tone}>{label}</Dotted>
      </p>
      <p className={textClasses.meta}>
        {plan === 'ACTIVE' && 'No end date.'}
        {plan === 'TRIAL' && trial_ends_at && (
          <>
            Full access. Ends <Time at={trial_ends_at} ahead />.
          </>
        )}
        {plan === 'EXPIRED' &&
          'You can still view and export everything, but changes are disabled. To continue, contact the administrator of this installation.'}
      </p>
    </div>
  )
}
