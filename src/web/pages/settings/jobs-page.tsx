import { useIsAtLeast } from '../../queries.ts'
import { PageBody, PageHead, Section } from '../../ui/page-head.tsx'
import { useTitle } from '../../ui/title.ts'
import { DeadJobs } from './dead-jobs.tsx'
import { OnlyAdmins } from '../../ui/only-admins.tsx'
import { Schedule } from './schedule.tsx'

export function JobsPage() {
  useTitle('Jobs and schedule')
  if (!useIsAtLeast('ADMIN')) return <OnlyAdmins title="Jobs and schedule" />
  return (
    <>
      <PageHead title="Jobs and schedule" />
      <PageBody>
        <Section title="Failed jobs" about="Jobs that failed too many times. Retry or discard them.">
          <DeadJobs />
        </Section>
        <Section title="Schedule" about="Recurring jobs, their next run and recent results.">
          <Schedule />
        </Section>
      </PageBody>
    </>
  )
}
