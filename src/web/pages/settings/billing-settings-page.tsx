import { useQuery } from '@tanstack/react-query'
import { useIsAtLeast } from '../../queries.ts'
import { PageBody, PageHead, Section } from '../../ui/page-head.tsx'
import { Bar, Fault } from '../../ui/states.tsx'
import { useTitle } from '../../ui/title.ts'
import { billingSettingsQuery } from '../../records/invoices/invoices-cache.ts'
import { BillingForm } from './billing-form.tsx'
import classes from './outreach-settings.module.css'

/** The team's billing settings. */
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
          <div role="status" aria-busy aria-label="Loading settings" className={classes.waiting}>
            <Bar width="100%" height={480} />
          </div>
        )}
        {settings && (
          <Section
            title="Billing settings"
            about={
              editable
                ? 'Used for every new invoice. Finalized invoices do not change.'
                : 'Only admins can change these settings.'
            }
          >
            <BillingForm settings={settings} editable={editable} />
          </Section>
        )}
      </PageBody>
    </>
  )
}
