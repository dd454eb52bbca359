import { useQuery } from '@tanstack/react-query'
import { accountSettingsQuery, leadSettingsQuery, useIsAtLeast } from '../../queries.ts'
import { PageBody, PageHead, Section } from '../../ui/page-head.tsx'
import { Bar, Fault } from '../../ui/states.tsx'
import { useTitle } from '../../ui/title.ts'
import { FieldList } from './field-list.tsx'
import { changeAccountSettings, changeSettings } from '../../records/fields/settings-writes.ts'
import { StageList } from './stage-list.tsx'

/** The team's pipeline and custom fields. Changes are saved immediately, with undo. */
export function LeadSettingsPage() {
  useTitle('Fields and stages')
  const editable = useIsAtLeast('ADMIN')
  const settings = useQuery(leadSettingsQuery)
  const accounts = useQuery(accountSettingsQuery)
  return (
    <>
      <PageHead title="Fields and stages" />
      <PageBody>
        {settings.isError && !settings.data && (
          <Fault error={settings.error} retry={() => void settings.refetch()} />
        )}
        {!editable && <p>Only admins can change these settings.</p>}
        <Section
          title="Pipeline stages"
          about="Stages a lead moves through, in order. Only stages without leads can be deleted."
        >
          {settings.data ? (
            <StageList settings={settings.data} editable={editable} />
          ) : (
            <Bar width="100%" height={300} />
          )}
        </Section>
        <Section title="Custom lead fields" about="Extra information to keep about leads.">
          {settings.data ? (
            <FieldList
              label="Custom lead fields"
              verb="Add field"
              fields={settings.data.custom_fields}
              editable={editable}
              set={(custom_fields, say) => changeSettings(settings.data, { custom_fields }, say)}
            />
          ) : (
            <Bar width="100%" height={120} />
          )}
        </Section>
        <Section title="Custom account fields" about="Extra information to keep about accounts.">
          {accounts.isError && !accounts.data && (
            <Fault error={accounts.error} retry={() => void accounts.refetch()} />
          )}
          {accounts.data ? (
            <FieldList
              label="Custom account fields"
              verb="Add account field"
              fields={accounts.data.custom_fields}
              editable={editable}
              set={(custom_fields, say) => changeAccountSettings(accounts.data, { custom_fields }, say)}
            />
          ) : (
            !accounts.isError && <Bar width="100%" height={120} />
          )}
        </Section>
      </PageBody>
    </>
  )
}
