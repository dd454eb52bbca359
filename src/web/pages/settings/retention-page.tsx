import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { cacheKeys, useIsAtLeast } from '../../queries.ts'
import { OnlyAdmins } from '../../ui/only-admins.tsx'
import { PageBody, PageHead, Section } from '../../ui/page-head.tsx'
import { Bar, Fault } from '../../ui/states.tsx'
import { useTitle } from '../../ui/title.ts'
import { RetentionForm } from './retention-form.tsx'
import classes from './outreach-settings.module.css'

const TITLE = 'Data retention'

const retentionQuery = queryOptions({
  queryKey: cacheKeys.retention,
  queryFn: ({ signal }) => api('GET /api/team/retention', { signal }),
})

/** How long the team keeps what grows without end. */
export function RetentionPage() {
  useTitle(TITLE)
  return useIsAtLeast('ADMIN') ? <RetentionSettings /> : <OnlyAdmins title={TITLE} />
}

function RetentionSettings() {
  const { data: retention, error, isError, refetch } = useQuery(retentionQuery)
  return (
    <>
      <PageHead title={TITLE} />
      <PageBody>
        {isError && !retention && <Fault error={error} retry={() => void refetch()} />}
        {!retention && !isError && (
          <div role="status" aria-busy aria-label="Loading settings" className={classes.waiting}>
            <Bar width="100%" height={480} />
          </div>
        )}
        {retention && (
          <Section
            title="How long data is kept"
            about="Older data is removed permanently, within about an hour. Leads, deals, tasks and other records are not affected, and neither is the timeline of a record that exists."
          >
            <RetentionForm retention={retention} />
          </Section>
        )}
      </PageBody>
    </>
  )
}
