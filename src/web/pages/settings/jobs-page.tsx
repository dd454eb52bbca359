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
        <Section title="Failed for good" about="Work that was tried many times and now waits for a person.">
          <DeadJobs />
        </Section>
        <Section title="Schedule" about="What Rapport does by itself, when it is next, and how it went.">
          <Schedule />
        </Section>
      </PageBody>
    </>
  )
}
