import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import IconTrash from 'icon:trash'
import { paths } from '../../paths.ts'
import { isProblem } from '../../problem.ts'
import { useCan } from '../../queries.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Bar, Empty, Fault } from '../../ui/states.tsx'
import { useTitle } from '../../ui/title.ts'
import { DraftPage } from './draft-page.tsx'
import { IssuedPage } from './issued-page.tsx'
import { invoiceName } from '../../records/invoices/words.ts'
import classes from './invoice-page.module.css'
import { invoices } from '../../records/invoices/store.ts'

const route = getRouteApi('/invoices/$id')

/** A draft is edited in place; a numbered invoice is read, paid and resolved. */
export function InvoicePage() {
  const { id } = route.useParams()
  const canWrite = useCan('billing:write')
  const query = useQuery(invoices.query(id))
  const invoice = query.data
  useTitle(invoice ? invoiceName(invoice) : 'Invoice')
  if (invoice?.deleted_at || (isProblem(query.error, 404) && query.error.code === 'in_trash'))
    return <InTrash id={id} canWrite={canWrite} />
  if (isProblem(query.error, 404)) return <NoSuch />
  if (query.error && !invoice) return <Fault whole error={query.error} retry={() => void query.refetch()} />
  if (!invoice) return <Waiting />
  return invoice.status === 'DRAFT' && canWrite ? (
    <DraftPage key={id} invoice={invoice} />
  ) : (
    <IssuedPage key={id} invoice={invoice} />
  )
}

function Waiting() {
  return (
    <>
      <PageHead title="Invoice" />
      <div className={classes.columns} role="status" aria-busy aria-label="Loading invoice">
        <Bar width="100%" height={560} />
        <Bar width="100%" height={220} />
      </div>
    </>
  )
}

function NoSuch() {
  return (
    <Empty
      whole
      title="Invoice not found"
      action={<LinkButton to={paths.invoices}>Back to invoices</LinkButton>}
    >
      It may have been permanently deleted, or it belongs to another team.
    </Empty>
  )
}

function InTrash({ id, canWrite }: { id: string; canWrite: boolean }) {
  return (
    <Empty
      whole
      icon={<IconTrash size={32} stroke={1.4} />}
      title="This draft is in the trash"
      action={
        <Group gap="sm">
          {canWrite && <Button onClick={() => void invoices.restore(id)}>Restore</Button>}
          <LinkButton variant="default" to={paths.invoices}>
            Back to invoices
          </LinkButton>
        </Group>
      }
    >
      It will be permanently deleted after 30 days.
    </Empty>
  )
}
