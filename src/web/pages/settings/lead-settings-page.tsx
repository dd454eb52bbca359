import { useQuery } from '@tanstack/react-query'
import { leadSettingsQuery, useIsAtLeast } from '../../queries.ts'
import { PageBody, PageHead, Section } from '../../ui/page-head.tsx'
import { Bar, Fault } from '../../ui/states.tsx'
import { useTitle } from '../../ui/title.ts'
import { FieldList } from './field-list.tsx'
import { StageList } from './stage-list.tsx'

/** The team's own pipeline and fields. Every change is saved at once and can be taken back. */
export function LeadSettingsPage() {
  useTitle('Lead fields and stages')
  const editable = useIsAtLeast('ADMIN')
  const settings = useQuery(leadSettingsQuery)
  return (
    <>
      <PageHead title="Lead fields and stages" />
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
          title="Your own fields"
          about="What you want to know about a lead beyond what every lead has."
        >
          {settings.data ? (
            <FieldList settings={settings.data} editable={editable} />
          ) : (
            <Bar width="100%" height={120} />
          )}
        </Section>
      </PageBody>
    </>
  )
}
