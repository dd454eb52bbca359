import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import IconHourglass from 'icon:hourglass'
import IconLock from 'icon:lock'
import { paths } from '../paths.ts'
import { creditsQuery } from '../queries.ts'
import { Time, useNow } from '../ui/time.tsx'
import noticeClasses from '../ui/notice.module.css'

const SOON_MS = 7 * 86_400_000

/** Above every page when the team is read-only, or soon will be. */
export function PlanBanner() {
  const credits = useQuery(creditsQuery).data
  const now = useNow()
  if (!credits) return null
  const { plan, trial_ends_at } = credits
  const left = plan === 'TRIAL' && trial_ends_at ? Date.parse(trial_ends_at) - now : Infinity
  if (plan === 'EXPIRED' || left <= 0)
    return (
      <aside className={noticeClasses.bar} data-tone="bad" aria-label="Team plan">
        <IconLock size={16} aria-hidden />
        <span>
          Your trial has ended. You can view and export everything, but not change it. <MoreAbout />
        </span>
      </aside>
    )
  if (left > SOON_MS) return null
  return (
    <aside className={noticeClasses.bar} aria-label="Team plan">
      <IconHourglass size={16} aria-hidden />
      <span>
        Your trial ends <Time at={trial_ends_at!} ahead />. After that, the team is read-only. <MoreAbout />
      </span>
    </aside>
  )
}

function MoreAbout() {
  return <Link to={paths.credits}>View plan</Link>
}
