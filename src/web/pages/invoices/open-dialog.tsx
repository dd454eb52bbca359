import { Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Invoice } from '#domains/invoices/contract.ts'
import { NUMBER_DIGITS_MIN } from '#domains/invoices/values.ts'
import { inWords } from '../../problem.ts'
import { DialogFault, FormDialog } from '../../ui/form-dialog.tsx'
import { exactMoney } from '../../ui/money.ts'
import { dateInWords } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.ts'
import { plural } from '../../ui/words.ts'
import { openInvoice, sendInvoice } from '../../records/invoices/invoice-writes.ts'
import { billingSettingsQuery } from '../../records/invoices/invoices-cache.ts'
import { isPayable, NoWayToPay } from './no-way-to-pay.tsx'
import { dueDay } from '../../records/invoices/words.ts'
import textClasses from '../../ui/text.module.css'

const MESSAGE_LENGTH_MAX = 5_000

type Props = {
  invoice: Invoice
  /** `again`: it already has a number. */
  how: 'open' | 'send' | 'again'
  close: () => void
}

/** Says what will happen before a draft is finalized or an invoice is emailed. */
export function OpenDialog({ invoice, how, close }: Props) {
  const settings = useQuery(billingSettingsQuery).data
  const [message, setMessage] = useState('')
  const [fault, setFault] = useState<string>()
  const { customer, amount, currency, number, due_at } = invoice
  const next = settings && settings.number_prefix + `${settings.next_number}`.padStart(NUMBER_DIGITS_MIN, '0')
  const isSending = how !== 'open'
  const unpayable = isSending && settings !== undefined && !isPayable(invoice, settings)
  const cannotSend = isSending && (!customer.email || unpayable)
  const verb = { open: 'Finalize', send: 'Finalize and send', again: invoice.sent_at ? 'Resend' : 'Send' }[
    how
  ]

  async function go() {
    const opened = isSending ? await sendInvoice(invoice.id, message) : await openInvoice(invoice.id)
    toast(isSending ? `${opened.number} sent to ${customer.email}` : `Finalized as ${opened.number}`)
    close()
  }

  return (
    <FormDialog
      title={how === 'again' ? `${verb} ${number}?` : `${verb} this invoice?`}
      size={500}
      verb={verb}
      disabled={cannotSend}
      focus="verb"
      act={go}
      refused={error => setFault(inWords(error))}
      fault={fault}
      close={close}
    >
      <ul className={textClasses.bullets}>
        {how !== 'again' && (
          <>
            <li>It gets the number {next ?? '…'}, which can't be changed.</li>
            {!unpayable && (
              <li>
                {customer.name ?? 'Anyone with the link'} can pay {exactMoney(amount, currency)}
                {due_at
                  ? ` by ${dateInWords(dueDay(due_at)!)}`
                  : settings && ` within ${plural(settings.due_days, 'day')}`}
                .
              </li>
            )}
            <li>
              Customer, line items and amounts can't be changed afterwards. To correct them, void and
              duplicate the invoice.
            </li>
          </>
        )}
        {isSending && !cannotSend && (
          <li>
            An email goes to <b>{customer.email}</b> with the PDF and payment link.
          </li>
        )}
      </ul>
      {unpayable && <NoWayToPay />}
      {isSending && !customer.email && (
        <DialogFault>The customer has no email address. Add one to the invoice first.</DialogFault>
      )}
      {isSending && !cannotSend && (
        <Textarea
          label="Message"
          description="Shown in the email above the amount. Leave empty for the default text."
          autosize
          minRows={3}
          maxRows={8}
          maxLength={MESSAGE_LENGTH_MAX}
          value={message}
          onChange={event => setMessage(event.currentTarget.value)}
        />
      )}
    </FormDialog>
  )
}
