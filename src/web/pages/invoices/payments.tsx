import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { unitsOf } from '#domains/invoices/amounts.ts'
import type { Invoice, Payment } from '#domains/invoices/contract.ts'
import { useCan, useMembers } from '../../queries.ts'
import { exactMoney } from '../../ui/money.ts'
import { Panel, PanelNote } from '../../ui/panel.tsx'
import { Time } from '../../ui/time.tsx'
import { CopyIcon } from '../../ui/copy-line.tsx'
import { isUndecided, issueInWords, methodNames, resolutionNames } from '../../records/invoices/words.ts'
import textClasses from '../../ui/text.module.css'
import classes from './payments.module.css'

const DecideDialog = lazy(() =>
  import('./decide-dialog.tsx').then(({ DecideDialog }) => ({ default: DecideDialog })),
)

/** The payments, their issues and how they were resolved. */
export function Payments({ invoice }: { invoice: Invoice }) {
  const { payments, status } = invoice
  return (
    <Panel title="Payments">
      {payments.length === 0 && (
        <PanelNote>{status === 'DRAFT' ? "Drafts can't be paid." : 'No payments yet.'}</PanelNote>
      )}
      {payments.length > 0 && (
        <ul>
          {payments.map(payment => (
            <Entry key={payment.id} payment={payment} invoice={invoice} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

function Entry({ payment, invoice }: { payment: Payment; invoice: Invoice }) {
  const canWrite = useCan('billing:write')
  const [deciding, setDeciding] = useState(false)
  const { amount, currency, applied, method, received_at, tx_hash, network, payer, note } = payment
  const sum = exactMoney(amount, currency)
  return (
    <li className={classes.payment}>
      <p className={classes.line}>
        <b>{sum}</b>
        <span className={textClasses.meta}>
          <Time at={received_at} />
        </span>
      </p>
      <p className={textClasses.meta}>
        {methodNames[method]}
        {network && ` ${network}`}
        {payer && <>, from {short(payer)}</>}
        {unitsOf(applied) !== unitsOf(amount) && `. ${counted(payment)}`}
      </p>
      {note && <p className={textClasses.meta}>{note}</p>}
      {tx_hash && (
        <p className={classes.hash}>
          <code title={tx_hash}>{short(tx_hash)}</code>
          <CopyIcon what="the transaction" value={tx_hash} />
        </p>
      )}
      {payment.issue && (
        <div className={classes.issue} data-open={isUndecided(payment) || undefined}>
          <p>{isUndecided(payment) ? issueInWords(payment, invoice) : <Decided payment={payment} />}</p>
          {isUndecided(payment) && canWrite && (
            <Button
              size="xs"
              variant="default"
              aria-label={`Resolve ${sum}`}
              onClick={() => setDeciding(true)}
            >
              Resolve
            </Button>
          )}
        </div>
      )}
      {deciding && (
        <Suspense fallback={null}>
          <DecideDialog payment={payment} invoice={invoice} close={() => setDeciding(false)} />
        </Suspense>
      )}
    </li>
  )
}

const pasts: Record<NonNullable<Payment['issue']>, string> = {
  underpaid: 'Underpaid',
  overpaid: 'Overpaid',
  late: 'Paid late',
  void: 'Invoice was void',
  wrong_currency: 'Wrong currency',
  reorged: 'Reverted by the chain',
}

function Decided({ payment }: { payment: Payment }) {
  const members = useMembers()
  const { issue, resolution, resolution_note, resolved_by, resolved_at } = payment
  const who = members.find(({ id }) => id === resolved_by)
  return (
    <>
      {issue && pasts[issue]}. {resolution && resolutionNames[resolution]}
      {who && ` by ${who.name || who.email}`}
      {resolved_at && (
        <>
          {' '}
          <Time at={resolved_at} />
        </>
      )}
      {resolution_note && `: ${resolution_note}`}
    </>
  )
}

function counted({ applied, currency }: Payment): string {
  return Number(applied) === 0 ? 'Not applied' : `${exactMoney(applied, currency)} applied`
}

/** Addresses and hashes are recognized by their first and last characters. */
function short(text: string): string {
  return text.length > 20 ? `${text.slice(0, 8)}…${text.slice(-6)}` : text
}
