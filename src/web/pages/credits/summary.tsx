import type { Credits } from '#domains/credits/contract.ts'
import { Dotted } from '../../ui/stage.tsx'
import { dateInWords, exactly, Time } from '../../ui/time.tsx'
import { count, plural } from '../../ui/words.ts'
import { planWords } from './words.ts'
import textClasses from '../../ui/text.module.css'
import progressClasses from '../../ui/progress.module.css'
import classes from './credits.module.css'

/** The numbers of the month, and the plan. */
export function Summary({ credits }: { credits: Credits }) {
  const { balance, monthly, purchased, monthly_quota, resets_at, used_this_period } = credits
  return (
    <section className={classes.summary} aria-label="Credits of the team">
      <div className={classes.card}>
        <h2 className={classes.label}>Left</h2>
        <p className={`${textClasses.figure} ${classes.figure}`}>{count(balance)}</p>
        <p className={textClasses.meta}>
          {balance === 0 && 'New ones come with the next month, or when some are bought.'}
          {balance > 0 && purchased === 0 && 'All of them are of this month.'}
          {purchased > 0 && `${count(purchased)} of them are kept until they are used.`}
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
      aria-label="Credits left of this month"
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

/** A day of the calendar in UTC: it is the same for everybody. */
function Renewal({ at, quota }: { at: string; quota: number }) {
  return (
    <span title={exactly(at)}>
      {count(quota)} new on {dateInWords(at.slice(0, 10))}.
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
        {plan === 'ACTIVE' && 'Without an end.'}
        {plan === 'TRIAL' && trial_ends_at && (
          <>
            Everything is open. It ends <Time at={trial_ends_at} ahead />.
          </>
        )}
        {plan === 'EXPIRED' &&
          'Everything can be read and exported, and nothing changed. Whoever runs this installation can go on with it.'}
      </p>
    </div>
  )
}
