import { useQuery } from '@tanstack/react-query'
import { paths } from '../../paths.ts'
import { useIsAtLeast } from '../../queries.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { PageBody, PageHead, Section } from '../../ui/page-head.tsx'
import { Bar, Fault } from '../../ui/states.tsx'
import { useTitle } from '../../ui/title.ts'
import { availabilityQuery } from '../../records/meetings/meetings-cache.ts'
import { AvailabilityForm } from './availability-form.tsx'
import { CalendarConnection } from './calendar-connection.tsx'
import { CalendarFeed } from './calendar-feed.tsx'
import classes from './outreach-settings.module.css'

/** The person's own availability, booking page and calendar. */
export function MeetingSettingsPage() {
  useTitle('Meeting settings')
  const editable = useIsAtLeast('MEMBER')
  const { data: availability, error, isError, refetch } = useQuery(availabilityQuery)
  return (
    <>
      <PageHead
        title="Meeting settings"
        actions={
          <LinkButton variant="default" to={paths.meetings}>
            Your meetings
          </LinkButton>
        }
      />
      <PageBody>
        {isError && !availability && <Fault error={error} retry={() => void refetch()} />}
        {!availability && !isError && (
          <div role="status" aria-busy aria-label="Loading settings" className={classes.waiting}>
            <Bar width="100%" height={560} />
          </div>
        )}
        {availability && (
          <>
            <AvailabilityForm availability={availability} editable={editable} />
            <Section title="Calendar" about="Where meetings are saved, and which busy times block bookings.">
              <CalendarConnection editable={editable} />
            </Section>
            <Section
              title="Calendar feed"
              about="Subscribe to this URL in any calendar app. Anyone with the URL can see your meetings."
            >
              <CalendarFeed availability={availability} editable={editable} />
            </Section>
          </>
        )}
      </PageBody>
    </>
  )
}
