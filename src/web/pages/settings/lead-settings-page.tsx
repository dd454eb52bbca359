import { useQuery } from '@tanstack/react-query'
import { accountSettingsQuery, leadSettingsQuery, useIsAtLeast } from '../../queries.ts'
import { PageBody, PageHead, Section } from '../../ui/page-head.tsx'
import { Bar, Fault } from '../../ui/states.tsx'
import { useTitle } from '../../ui/title.ts'
import { FieldList } from './field-list.tsx'
import { changeAccountSettings, changeSettings } from '../../records/fields/settings-writes.ts'
import { StageList } from './stage-list.tsx'

/** The team's own pipeline and fields. Every change is saved at once and can be taken back. */
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
        {!editable && <p>Only administrators can change these.</p>}
        <Section
          title="Pipeline stages"
          about="The way of a lead, from first to last. A stage can be deleted when no lead stands in it."
        >
          {settings.data ? (
            <StageList settings={settings.data} editable={editable} />
          ) : (
            <Bar width="100%" height={300} />
          )}
        </Section>
        <Section
          title="Your own fields of leads"
          about="What you want to know about a lead beyond what every lead has."
        >
          {settings.data ? (
            <FieldList
              label="Your own fields of leads"
              verb="Add field"
              fields={settings.data.custom_fields}
              editable={editable}
              set={(custom_fields, say) => changeSettings(settings.data, { custom_fields }, say)}
            />
          ) : (
            <Bar width="100%" height={120} />
          )}
        </Section>
        <Section
          title="Your own fields of accounts"
          about="What you want to know about a company beyond what every account has."
        >
          {accounts.isError && !accounts.data && (
            <Fault error={accounts.error} retry={() => void accounts.refetch()} />
          )}
          {accounts.data ? (
            <FieldList
              label="Your own fields of accounts"
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
