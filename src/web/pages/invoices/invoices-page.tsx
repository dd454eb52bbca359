import { Button } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import IconFileInvoice from 'icon:file-invoice'
import IconPlus from 'icon:plus'
import IconReceipt from 'icon:receipt'
import { useMemo } from 'react'
import type { InvoiceSummary } from '#domains/invoices/contract.ts'
import { paths, patterns } from '../../paths.ts'
import { useCan } from '../../queries.ts'
import { exactMoney } from '../../ui/money.ts'
import type { ListColumn, RecordKind } from '../../ui/record-list/list.ts'
import { RecordList } from '../../ui/record-list/record-list.tsx'
import type { ListSearch } from '../../ui/record-list/search.ts'
import { Empty } from '../../ui/states.tsx'
import { dateInWords, Time, useNow } from '../../ui/time.tsx'
import { AccountLink, useAccountName } from '../../records/accounts/account-link.tsx'
import { LeadLink, useLeadName } from '../../records/leads/lead-link.tsx'
import { invoiceList } from '../../records/invoices/invoices-cache.ts'
import { openNewInvoice } from '../../records/invoices/open-new-invoice.ts'
import { invoicesSearch, invoicesShape } from '../../records/invoices/search.ts'
import { Status, statusOptions } from '../../records/invoices/status.tsx'
import { TotalsLine } from './totals-line.tsx'
import { dueDay, dueInWords, invoiceName, isOverdue } from '../../records/invoices/words.ts'
import classes from './invoices-page.module.css'
import { invoices } from '../../records/invoices/store.ts'

const route = getRouteApi('/invoices')
const defaults = ['name', 'customer', 'status', 'amount', 'due', 'due_at', 'overdue']

export function InvoicesPage() {
  const raw = route.useSearch()
  const search = useMemo(() => invoicesSearch(raw), [raw])
  const navigate = useNavigate()
  const canWrite = useCan('billing:write')
  const kind = useInvoiceKind(canWrite, search)
  return (
    <RecordList
      kind={kind}
      search={search}
      show={(next, replace = false) => void navigate({ to: paths.invoices, search: next, replace })}
      source={invoiceList}
      summary={!search.trashed && <TotalsLine />}
      action={
        canWrite && (
          <Button leftSection={<IconPlus size={16} />} onClick={() => openNewInvoice()}>
            New invoice
          </Button>
        )
      }
      more={[
        {
          label: 'Billing settings',
          icon: <IconReceipt size={16} />,
          run: () => void navigate({ to: paths.billingSettings }),
        },
      ]}
      none={
        <Empty
          icon={<IconFileInvoice size={32} stroke={1.4} />}
          title="No invoices yet"
          action={canWrite && <Button onClick={() => openNewInvoice()}>Create your first invoice</Button>}
        >
          Create an invoice, send it with a payment link and track payments here.
        </Empty>
      }
    />
  )
}

function useInvoiceKind(canWrite: boolean, search: ListSearch): RecordKind<InvoiceSummary> {
  const navigate = useNavigate()
  const now = useNow()
  const lead = useLeadName(only(search.lead_id))
  const account = useAccountName(only(search.account_id))
  return useMemo(
    (): RecordKind<InvoiceSummary> => ({
      kind: 'invoices',
      title: 'Invoices',
      one: 'invoice',
      many: 'invoices',
      shape: invoicesShape,
      columns: columnsAt(now),
      defaults,
      filters: [
        { kind: 'choice', name: 'status', label: 'Status', options: statusOptions },
        { kind: 'flag', name: 'overdue', label: 'Overdue', words: 'only' },
        { kind: 'flag', name: 'issue', label: 'Payment issues', words: 'only' },
        { kind: 'words', name: 'currency', label: 'Currency' },
        { kind: 'record', name: 'lead_id', label: 'Lead', nameOf: () => lead ?? 'chosen' },
        { kind: 'record', name: 'account_id', label: 'Account', nameOf: () => account ?? 'chosen' },
        { kind: 'record', name: 'opportunity_id', label: 'Opportunity', nameOf: () => 'chosen' },
      ],
      nameOf: invoiceName,
      href: ({ id }) => paths.invoice(id),
      open: ({ id }) => void navigate({ to: patterns.invoice, params: { id } }),
      card: invoice => ({
        beside: exactMoney(invoice.amount, invoice.currency),
        about: [invoice.number && invoice.customer.name, dueInWords(invoice, now)]
          .filter(Boolean)
          .join(' · '),
        mark: <Status status={invoice.status} />,
      }),
      restore: canWrite ? ({ id }) => void invoices.restore(id) : undefined,
    }),
    [now, lead, account, navigate, canWrite],
  )
}

function columnsAt(now: number): ListColumn<InvoiceSummary>[] {
  const told = { width: 120, look: 'dim', falling: true } as const
  return [
    {
      key: 'name',
      label: 'Number',
      width: 170,
      sort: 'number',
      falling: true,
      show: ({ number }) => number ?? 'Draft',
      title: invoiceName,
    },
    {
      key: 'customer',
      label: 'Customer',
      width: 220,
      show: ({ customer }) => <span>{customer.name ?? customer.email ?? 'No customer'}</span>,
      title: ({ customer }) => customer.name ?? undefined,
    },
    { key: 'status', label: 'Status', width: 140, show: ({ status }) => <Status status={status} /> },
    {
      key: 'amount',
      label: 'Amount',
      width: 125,
      sort: 'amount',
      falling: true,
      look: 'number',
      show: ({ amount, currency }) => <span>{exactMoney(amount, currency)}</span>,
    },
    {
      key: 'due',
      label: 'Amount due',
      width: 125,
      look: 'number',
      show: ({ due, currency, status }) =>
        status !== 'DRAFT' && Number(due) > 0 && <span>{exactMoney(due, currency)}</span>,
    },
    {
      key: 'due_at',
      label: 'Due date',
      width: 115,
      sort: 'due_at',
      show: ({ due_at }) => due_at && <span>{dateInWords(dueDay(due_at)!)}</span>,
    },
    {
      key: 'overdue',
      label: 'When',
      width: 150,
      show: invoice => (
        <span className={classes.when} data-overdue={isOverdue(invoice, now) || undefined}>
          {dueInWords(invoice, now)}
        </span>
      ),
    },
    {
      key: 'lead_id',
      label: 'Lead',
      width: 150,
      show: ({ lead_id }) => lead_id && <LeadLink id={lead_id} tabIndex={-1} />,
    },
    {
      key: 'account_id',
      label: 'Account',
      width: 150,
      show: ({ account_id }) => account_id && <AccountLink id={account_id} tabIndex={-1} />,
    },
    { ...told, key: 'sent_at', label: 'Sent', show: ({ sent_at }) => sent_at && <Time at={sent_at} /> },
    { ...told, key: 'paid_at', label: 'Paid', show: ({ paid_at }) => paid_at && <Time at={paid_at} /> },
    {
      ...told,
      key: 'created_at',
      label: 'Created',
      sort: 'created_at',
      show: ({ created_at }) => <Time at={created_at} />,
    },
    {
      ...told,
      key: 'updated_at',
      label: 'Updated',
      sort: 'updated_at',
      show: ({ updated_at }) => <Time at={updated_at} />,
    },
  ]
}

function only(ids: unknown): string | null {
  return Array.isArray(ids) && ids.length === 1 ? String(ids[0]) : null
}
