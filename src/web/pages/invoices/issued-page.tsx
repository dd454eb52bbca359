import { ActionIcon, Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import IconDots from 'icon:dots'
import IconLink from 'icon:link'
import { lazy, Suspense, useState } from 'react'
import type { Invoice } from '#domains/invoices/contract.ts'
import { paths } from '../../paths.ts'
import { useCan } from '../../queries.ts'
import { useCommands, type Command } from '../../ui/commands.ts'
import { useKeys } from '../../ui/keys.ts'
import { NARROW } from '../../ui/narrow.ts'
import { ButtonMenu, type MenuItem } from '../../ui/menu.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Confirm } from '../../ui/seldom-dialogs.tsx'
import { exactMoney } from '../../ui/money.ts'
import { toast } from '../../ui/toast.ts'
import { BackToInvoices } from './back.tsx'
import { InvoiceLinks } from './invoice-links.tsx'
import { voidInvoice } from '../../records/invoices/invoice-writes.ts'
import { PayWarning } from './no-way-to-pay.tsx'
import { Paper } from './paper.tsx'
import { Payments } from './payments.tsx'
import { pdfPath } from './pdf-path.ts'
import { StateBanner } from './state-banner.tsx'
import { Status } from '../../records/invoices/status.tsx'
import { useDuplicate } from './use-duplicate.ts'
import { invoiceName, isUnpaid } from '../../records/invoices/words.ts'
import pageClasses from '../../ui/page.module.css'
import classes from './invoice-page.module.css'

const OpenDialog = lazy(() => import('./open-dialog.tsx').then(({ OpenDialog }) => ({ default: OpenDialog })))
const RecordPayment = lazy(() =>
  import('./record-payment.tsx').then(({ RecordPayment }) => ({ default: RecordPayment })),
)
const TermsDialog = lazy(() =>
  import('./terms-dialog.tsx').then(({ TermsDialog }) => ({ default: TermsDialog })),
)

/** A numbered invoice: its status, its payments and what can still be done. */
export function IssuedPage({ invoice }: { invoice: Invoice }) {
  const navigate = useNavigate()
  const narrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false })
  const canWrite = useCan('billing:write')
  const duplicate = useDuplicate()
  const [asked, setAsked] = useState<'send' | 'pay' | 'terms' | 'void' | null>(null)
  const { status, pay_url } = invoice
  const name = invoiceName(invoice)
  const close = () => setAsked(null)
  const canPay = canWrite && status !== 'DRAFT'
  const copyLink = () => {
    if (pay_url) void copy(pay_url)
  }

  useKeys({ u: () => void navigate({ to: paths.invoices }) })
  const pages: Command['group'] = 'This page'
  useCommands([
    ...(pay_url ? [{ id: 'link', group: pages, label: 'Copy payment link', run: copyLink }] : []),
    ...(canPay
      ? [
          { id: 'pay', group: pages, label: 'Record payment', run: () => setAsked('pay') },
          {
            id: 'duplicate',
            group: pages,
            label: 'Duplicate this invoice',
            run: () => void duplicate(invoice),
          },
        ]
      : []),
  ])

  const items: (MenuItem | 'divider')[] = [
    ...(narrow && pay_url && status !== 'VOID' ? [{ label: 'Copy payment link', run: copyLink }] : []),
    { label: 'Download PDF', file: pdfPath(invoice.id) },
    ...(canPay && status !== 'VOID'
      ? [{ label: invoice.sent_at ? 'Resend' : 'Send by email', run: () => setAsked('send') }]
      : []),
    ...(canPay && isUnpaid(invoice)
      ? [{ label: 'Edit due date and note', run: () => setAsked('terms') }]
      : []),
    ...(canWrite ? [{ label: 'Duplicate', run: () => void duplicate(invoice) }] : []),
    ...(canPay && !isUnpaid(invoice) ? [{ label: 'Record payment', run: () => setAsked('pay') }] : []),
    ...(canPay && isUnpaid(invoice)
      ? (['divider', { label: 'Void', danger: true, run: () => setAsked('void') }] as const)
      : []),
  ]

  return (
    <>
      <PageHead
        record
        title={name}
        beside={<Status status={status} />}
        actions={
          <>
            {pay_url && status !== 'VOID' && !narrow && (
              <Button variant="default" leftSection={<IconLink size={16} />} onClick={copyLink}>
                Copy payment link
              </Button>
            )}
            {canPay && isUnpaid(invoice) && <Button onClick={() => setAsked('pay')}>Record payment</Button>}
            <ButtonMenu
              button={
                <ActionIcon variant="default" aria-label={`More actions for ${name}`}>
                  <IconDots size={16} />
                </ActionIcon>
              }
              items={items}
            />
          </>
        }
      />
      <div className={`${pageClasses.scroll} ${classes.scroll}`}>
        <BackToInvoices />
        {isUnpaid(invoice) && <PayWarning invoice={invoice} />}
        <div className={classes.columns}>
          <Paper invoice={invoice} />
          <div className={classes.beside} data-first>
            <StateBanner invoice={invoice} />
            <Payments invoice={invoice} />
            <InvoiceLinks invoice={invoice} />
          </div>
        </div>
      </div>
      <Suspense fallback={null}>
        {asked === 'send' && <OpenDialog invoice={invoice} how="again" close={close} />}
        {asked === 'terms' && <TermsDialog invoice={invoice} close={close} />}
        {asked === 'pay' && <RecordPayment invoice={invoice} close={close} />}
      </Suspense>
      {asked === 'void' && (
        <Confirm
          title={`Void ${name}?`}
          verb={`Void ${name}`}
          act={() => voidInvoice(invoice.id)}
          close={close}
        >
          {`${exactMoney(invoice.due, invoice.currency)} will no longer be due, and the payment page will say so. The invoice keeps its number. You can't undo this, but you can duplicate it.`}
        </Confirm>
      )}
    </>
  )
}

/** Browsers give no clipboard to pages at plain http addresses of a local network. */
async function copy(link: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(link)
    toast('Payment link copied')
  } catch {
    toast(`Couldn't copy. The link is ${link}`)
  }
}
