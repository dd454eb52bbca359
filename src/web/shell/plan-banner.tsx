import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import IconHourglass from 'icon:hourglass'
import IconLock from 'icon:lock'
import { paths } from '../paths.ts'
import { creditsQuery } from '../queries.ts'
import { Time, useNow } from '../ui/time.tsx'
import noticeClasses from '../ui/notice.module.css'

const SOON_MS = 7 * 86_400_000

/** Above every page of a team that can only be read, or soon will be. */
export function PlanBanner() {
  const credits = useQuery(creditsQuery).data
  const now = useNow()
  if (!credits) return null
  const { plan, trial_ends_at } = credits
  const left = plan === 'TRIAL' && trial_ends_at ? Date.parse(trial_ends_at) - now : Infinity
  if (plan === 'EXPIRED' || left <= 0)
    return (
      <aside className={noticeClasses.bar} data-tone="bad" aria-label="Plan of the team">
        <IconLock size={16} aria-hidden />
        <span>
          The trial is over: everything can be read and exported, and nothing changed. <MoreAbout />
        </span>
      </aside>
    )
  if (left > SOON_MS) return null
  return (
    <aside className={noticeClasses.bar} aria-label="Plan of the team">
      <IconHourglass size={16} aria-hidden />
      <span>
        The trial ends <Time at={trial_ends_at!} ahead />. Afterwards everything can be read, and nothing
        changed. <MoreAbout />
      </span>
    </aside>
  )
}

function MoreAbout() {
  return <Link to={paths.credits}>See the plan</Link>
}
