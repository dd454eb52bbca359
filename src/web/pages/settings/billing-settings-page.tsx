import { useQuery } from '@tanstack/react-query'
import { useIsAtLeast } from '../../queries.ts'
import { PageBody, PageHead, Section } from '../../ui/page-head.tsx'
import { Bar, Fault } from '../../ui/states.tsx'
import { useTitle } from '../../ui/title.ts'
import { billingSettingsQuery } from '../../records/invoices/invoices-cache.ts'
import { BillingForm } from './billing-form.tsx'
import classes from './outreach-settings.module.css'

/** How the team bills. */
export function BillingSettingsPage() {
  useTitle('Billing')
  const editable = useIsAtLeast('ADMIN')
  const { data: settings, error, isError, refetch } = useQuery(billingSettingsQuery)
  return (
    <>
      <PageHead title="Billing" />
      <PageBody>
        {isError && !settings && <Fault error={error} retry={() => void refetch()} />}
        {!settings && !isError && (
          <div role="status" aria-busy aria-label="Loading the settings" className={classes.waiting}>
            <Bar width="100%" height={480} />
          </div>
        )}
        {settings && (
          <Section
            title="How the team bills"
            about={
              editable
                ? 'What stands on every invoice. Invoices that have their number keep what they were opened with.'
                : 'Only administrators can change these.'
            }
          >
            <BillingForm settings={settings} editable={editable} />
          </Section>
        )}
      </PageBody>
    </>
  )
}
