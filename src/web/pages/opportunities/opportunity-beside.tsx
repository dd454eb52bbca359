import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Opportunity } from '#domains/opportunities/contract.ts'
import { patterns } from '../../paths.ts'
import { useCan } from '../../queries.ts'
import { AccountLink } from '../../records/accounts/account-link.tsx'
import { InvoicePanel } from '../../records/invoices/invoice-panel.tsx'
import { LeadLink } from '../../records/leads/lead-link.tsx'
import { useCreateProject } from '../../records/projects/create-project.ts'
import { useSubmit } from '../../ui/use-submit.ts'
import classes from '../../ui/field-page.module.css'
import { projectOfQuery } from '../../records/projects/of-opportunity.ts'

/** The project of a won deal. */
export function OpportunityProject({ opportunity: { id, stage } }: { opportunity: Opportunity }) {
  const canRead = useCan('projects:read')
  const canWrite = useCan('projects:write')
  const { data: project, isPending } = useQuery({ ...projectOfQuery(id), enabled: canRead })
  const createProject = useCreateProject()
  const { busy, submit } = useSubmit(() => createProject(id))
  if (!canRead) return null
  return (
    <section aria-label="Project">
      <h2 className={classes.title}>Project</h2>
      {project ? (
        <Link to={patterns.project} params={{ id: project.id }} search={{}}>
          {project.name}
        </Link>
      ) : stage !== 'closed_won' ? (
        <p className={classes.note}>You can create a project once the deal is won.</p>
      ) : (
        !isPending &&
        canWrite && (
          <Button loading={busy} onClick={submit}>
            Create project
          </Button>
        )
      )}
    </section>
  )
}

/** Invoices for the deal. A new one is prefilled from it. */
export function OpportunityInvoices({ opportunity }: { opportunity: Opportunity }) {
  const { id, name, amount, currency, lead_id, account_id } = opportunity
  return (
    <InvoicePanel
      of={{ opportunity_id: id }}
      preset={{
        opportunity_id: id,
        lead_id,
        account_id,
        description: name,
        // Without an amount its currency means nothing, so the team's default applies.
        ...(amount && { unit_price: amount, currency }),
      }}
    />
  )
}

/** The lead and account of the deal. Their activity is on their own pages. */
export function OpportunityStory({ opportunity: { lead_id, account_id } }: { opportunity: Opportunity }) {
  return (
    <section aria-label="Contacts">
      <h2 className={classes.title}>Contacts</h2>
      {lead_id && (
        <p className={classes.note}>
          Lead <LeadLink id={lead_id} />: calls, emails and notes are on their page.
        </p>
      )}
      {account_id && (
        <p className={classes.note}>
          Account <AccountLink id={account_id} />
        </p>
      )}
      {!lead_id && !account_id && <p className={classes.note}>No lead or account yet.</p>}
    </section>
  )
}
