import { Button } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import IconLink from 'icon:link'
import { lazy, Suspense, useState } from 'react'
import type { Account } from '#domains/accounts/contract.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { api } from '../../api.ts'
import { paths, patterns } from '../../paths.ts'
import { useCan } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import { Panel, PanelAdd, PanelLine, PanelRecords } from '../../ui/panel.tsx'
import { Stage } from '../../ui/stage.tsx'
import { toastWithUndo } from '../../ui/toast.ts'
import { count } from '../../ui/words.ts'
import { LeadPicker } from '../../records/leads/lead-picker.tsx'
import { useField } from '../../records/leads/choices.tsx'
import { leadName } from '../../records/leads/fields.ts'
import { leads } from '../../records/leads/store.ts'

const SHOWN_MAX = 100

const NewLeadOf = lazy(() => import('./new-lead-of.tsx').then(({ NewLeadOf }) => ({ default: NewLeadOf })))

/** Below `leads`, so refreshing the lead lists refreshes this one too. */
function leadsOfQuery(id: string) {
  return queryOptions({
    queryKey: ['leads', 'of-account', id],
    queryFn: ({ signal }) =>
      api('GET /api/crm/leads', { query: { account_id: [id], limit: SHOWN_MAX, sort: 'last_name' }, signal }),
  })
}

/** The leads of the account. */
export function AccountLeads({ account }: { account: Account }) {
  const canWrite = useCan('leads:write')
  const stages = useField('pipeline_stage')?.options ?? []
  const { data, isError } = useQuery(leadsOfQuery(account.id))
  const [open, setOpen] = useState<'picker' | 'new' | null>(null)
  const people = data?.data
  const howMany = count(people?.length ?? 0) + (data?.next_cursor ? '+' : '')
  const refresh = () => queryClient.invalidateQueries({ queryKey: leadsOfQuery(account.id).queryKey })

  async function link(lead: Lead) {
    setOpen(null)
    const before = lead.account_id
    if (!(await leads.change(lead.id, { account_id: account.id }, null))) return
    toastWithUndo(`Linked ${leadName(lead)} to ${account.name}`, async () => {
      await leads.change(lead.id, { account_id: before }, null)
      await refresh()
    })
    await refresh()
  }

  const button = (
    <Button
      size="xs"
      variant="subtle"
      color="gray"
      leftSection={<IconLink size={14} />}
      onClick={() => setOpen('picker')}
    >
      Link a lead
    </Button>
  )
  return (
    <Panel
      title="Leads"
      beside={
        people &&
        people.length > 0 && (
          <Link
            to={paths.leads}
            search={{ account_id: [account.id] }}
            aria-label={`View ${howMany} in Leads`}
          >
            {howMany}
          </Link>
        )
      }
      action={
        canWrite && (
          <>
            {open === 'picker' ? (
              <LeadPicker label="Lead to link" pick={lead => void link(lead)} close={() => setOpen(null)}>
                {button}
              </LeadPicker>
            ) : (
              button
            )}
            <PanelAdd run={() => setOpen('new')}>New lead</PanelAdd>
          </>
        )
      }
    >
      <PanelRecords what="leads" records={people} isError={isError} none="No leads yet.">
        {lead => (
          <PanelLine
            key={lead.id}
            about={[lead.title, lead.email].filter(Boolean).join(' · ')}
            mark={<Stage stage={lead.pipeline_stage} stages={stages} />}
          >
            <Link to={patterns.lead} params={{ id: lead.id }} search={{}} title={leadName(lead)}>
              {leadName(lead)}
            </Link>
          </PanelLine>
        )}
      </PanelRecords>
      {open === 'new' && (
        <Suspense fallback={null}>
          <NewLeadOf account={account} close={() => setOpen(null)} made={() => void refresh()} />
        </Suspense>
      )}
    </Panel>
  )
}
