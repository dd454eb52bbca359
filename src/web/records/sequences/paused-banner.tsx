import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import IconPlayerPause from 'icon:player-pause'
import { Time } from '../../ui/time.tsx'
import { useSubmit } from '../../ui/use-submit.ts'
import { resumeOutreach } from './sequence-writes.ts'
import { outreachSettingsQuery } from './sequences-cache.ts'
import noticeClasses from '../../ui/notice.module.css'

/** Shown at the top of outreach pages while all outreach is paused. */
export function PausedBanner() {
  const { data } = useQuery(outreachSettingsQuery)
  const { busy, submit } = useSubmit(resumeOutreach)
  if (!data?.paused_at) return null
  return (
    <div className={noticeClasses.bar} role="status">
      <IconPlayerPause size={16} aria-hidden />
      <span>
        All outreach was paused <Time at={data.paused_at} />. Nothing is sent until it is resumed.
      </span>
      <Button size="xs" loading={busy} aria-label="Resume all outreach" onClick={submit}>
        Resume
      </Button>
    </div>
  )
}
