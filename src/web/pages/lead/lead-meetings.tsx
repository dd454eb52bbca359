import { lazy, Suspense } from 'react'
import { useCan } from '../../queries.ts'
import { Panel, PanelWaiting } from '../../ui/panel.tsx'

const NextMeetings = lazy(() =>
  import('./next-meetings.tsx').then(({ NextMeetings }) => ({ default: NextMeetings })),
)

/** Upcoming meetings. The code for time zones loads after the page. */
export function LeadMeetings({ id }: { id: string }) {
  if (!useCan('meetings:read')) return null
  const waiting = (
    <Panel title="Upcoming meetings">
      <PanelWaiting />
    </Panel>
  )
  return (
    <Suspense fallback={waiting}>
      <NextMeetings id={id} />
    </Suspense>
  )
}
