import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { paths, patterns } from '../../paths.ts'
import { useCan } from '../../queries.ts'
import { exactMoney } from '../../ui/money.ts'
import { Panel, PanelAdd, PanelLine, PanelNote, PanelRecords } from '../../ui/panel.tsx'
import type { ListSearch } from '../../ui/record-list/search.ts'
import { useNow } from '../../ui/time.tsx'
import { count } from '../../ui/words.ts'
import { invoiceList } from './invoices-cache.ts'
import { openNewInvoice, type Preset } from './open-new-invoice.ts'
import { Status } from './status.tsx'
import { dueInWords } from './words.ts'

const SHOWN_MAX = 6

type Of = { lead_id: string } | { account_id: string } | { opportunity_id: string }

/** The invoices of a lead, account or deal; a new one is prefilled with what is known. */
export function InvoicePanel({ of: whose, preset }: { of: Of; preset: Preset }) {
  const canRead = useCan('billing:read')
  const canWrite = useCan('billing:write')
  const now = useNow()
  const of: ListSearch = Object.fromEntries(Object.entries(whose).map(([name, id]) => [name, [id]]))
  const { data: list, isError } = useQuery({ ...invoiceList.listQuery(of), enabled: canRead })
  if (!canRead) return null
  return (
    <Panel
      title="Invoices"
      action={canWrite && <PanelAdd label="New invoice" run={() => openNewInvoice(preset)} />}
    >
      <PanelRecords what="invoices" records={list?.first.slice(0, SHOWN_MAX)} isError={isError}>
        {invoice => (
          <PanelLine
            key={invoice.id}
            // No room for it beside the fields of a deal.
            about={!('opportunity_id' in whose) && dueInWords(invoice, now)}
            mark={
              <>
                <span>{exactMoney(invoice.amount, invoice.currency)}</span>
                <Status status={invoice.status} />
              </>
            }
          >
            <Link to={patterns.invoice} params={{ id: invoice.id }}>
              {invoice.number ?? 'Draft'}
            </Link>
          </PanelLine>
        )}
      </PanelRecords>
      {list && list.count > SHOWN_MAX && (
        <PanelNote>
          <Link to={paths.invoices} search={of}>
            Show all {count(list.count)}
          </Link>
        </PanelNote>
      )}
    </Panel>
  )
}
