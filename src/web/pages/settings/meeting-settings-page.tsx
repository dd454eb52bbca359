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

/** When one can be met, where others book, and the calendar elsewhere. Everybody has their own. */
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
          <div role="status" aria-busy aria-label="Loading the settings" className={classes.waiting}>
            <Bar width="100%" height={560} />
          </div>
        )}
        {availability && (
          <>
            <AvailabilityForm availability={availability} editable={editable} />
            <Section title="Calendar" about="Where your meetings stand, and what else keeps you busy.">
              <CalendarConnection editable={editable} />
            </Section>
            <Section
              title="Feed"
              about="Any calendar can subscribe to this address and shows your meetings. Whoever knows it can read them."
            >
              <CalendarFeed availability={availability} editable={editable} />
            </Section>
          </>
        )}
      </PageBody>
    </>
  )
}
