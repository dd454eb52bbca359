import { ActionIcon, Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import IconArrowLeft from 'icon:arrow-left'
import IconTrash from 'icon:trash'
import type { Opportunity } from '#domains/opportunities/contract.ts'
import { paths } from '../../paths.ts'
import { isProblem } from '../../problem.ts'
import { useCan } from '../../queries.ts'
import { useCommands } from '../../ui/commands.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { money } from '../../ui/money.ts'
import { PageHead } from '../../ui/page-head.tsx'
import { Bar, Empty, Fault } from '../../ui/states.tsx'
import { useTitle } from '../../ui/title.ts'
import { ConversationsPanel } from '../../conversation/conversations-panel.tsx'
import { OpportunityFields } from './opportunity-fields.tsx'
import { OpportunityInvoices, OpportunityProject, OpportunityStory } from './opportunity-beside.tsx'
import { OpportunityStages } from './opportunity-stages.tsx'
import classes from '../../ui/field-page.module.css'
import pageClasses from '../../ui/page.module.css'
import fieldsClasses from '../../ui/fields.module.css'
import { opportunities } from '../../records/opportunities/store.ts'

const route = getRouteApi('/opportunities/$id')

export function OpportunityPage() {
  const { id } = route.useParams()
  const query = useQuery(opportunities.query(id))
  const opportunity = query.data
  useTitle(opportunity?.name ?? 'Opportunity')
  if (isProblem(query.error, 404) && query.error.code === 'in_trash') return <InTrash id={id} />
  if (isProblem(query.error, 404)) return <NoSuch />
  if (query.error && !opportunity)
    return <Fault whole error={query.error} retry={() => void query.refetch()} />
  if (!opportunity) return <Waiting />
  return <Shown key={id} opportunity={opportunity} />
}

function Shown({ opportunity }: { opportunity: Opportunity }) {
  const { name, amount, currency } = opportunity
  const navigate = useNavigate()
  const canWrite = useCan('leads:write')
  const trash = () =>
    void opportunities.trash(opportunity).then(done => done && void navigate({ to: paths.opportunities }))
  useCommands(
    canWrite
      ? [
          {
            id: 'trash',
            group: 'This page',
            label: 'Move this opportunity to the trash',
            words: 'delete remove',
            run: trash,
          },
        ]
      : [],
  )
  return (
    <>
      <PageHead
        record
        title={name}
        beside={amount && <span className={classes.amount}>{money(amount, currency)}</span>}
        actions={
          canWrite && (
            <>
              <Button
                variant="default"
                leftSection={<IconTrash size={16} />}
                onClick={trash}
                visibleFrom="sm"
              >
                Move to trash
              </Button>
              <ActionIcon variant="default" aria-label="Move to trash" onClick={trash} hiddenFrom="sm">
                <IconTrash size={16} />
              </ActionIcon>
            </>
          )
        }
      />
      <div className={pageClasses.scroll}>
        <div className={pageClasses.bar}>
          <LinkButton
            to={paths.pipeline}
            search={{ of: 'opportunities' }}
            size="xs"
            variant="subtle"
            color="gray"
            flex="none"
            leftSection={<IconArrowLeft size={16} />}
          >
            Pipeline
          </LinkButton>
          <OpportunityStages opportunity={opportunity} canWrite={canWrite} />
        </div>
        <div className={classes.columns}>
          <OpportunityFields opportunity={opportunity} canWrite={canWrite} />
          <div className={classes.beside}>
            <ConversationsPanel
              of={{ opportunity_id: opportunity.id }}
              account_id={opportunity.account_id}
              lead_id={opportunity.lead_id}
            />
            <OpportunityProject opportunity={opportunity} />
            <OpportunityInvoices opportunity={opportunity} />
            <OpportunityStory opportunity={opportunity} />
          </div>
        </div>
      </div>
    </>
  )
}

function Waiting() {
  return (
    <>
      <PageHead title="Opportunity" />
      <div className={classes.columns} role="status" aria-label="Loading opportunity">
        <div className={fieldsClasses.pair}>
          {[1, 2, 3, 4, 5, 6].map(row => (
            <Bar key={row} width="100%" height={52} />
          ))}
        </div>
      </div>
    </>
  )
}

function NoSuch() {
  return (
    <Empty
      whole
      title="Opportunity not found"
      action={<LinkButton to={paths.opportunities}>Back to opportunities</LinkButton>}
    >
      It may have been permanently deleted, or it belongs to another team.
    </Empty>
  )
}

function InTrash({ id }: { id: string }) {
  const canWrite = useCan('leads:write')
  return (
    <Empty
      whole
      icon={<IconTrash size={32} stroke={1.4} />}
      title="This opportunity is in the trash"
      action={
        <Group gap="sm">
          {canWrite && <Button onClick={() => void opportunities.restore(id)}>Restore</Button>}
          <LinkButton variant="default" to={paths.opportunities}>
            Back to opportunities
          </LinkButton>
        </Group>
      }
    >
      It will be deleted permanently after 30 days.
    </Empty>
  )
}
