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
  /** `again`: it has its number already. */
  how: 'open' | 'send' | 'again'
  close: () => void
}

/** Says what will happen before a draft becomes an invoice, or before it is mailed. */
export function OpenDialog({ invoice, how, close }: Props) {
  const settings = useQuery(billingSettingsQuery).data
  const [message, setMessage] = useState('')
  const [fault, setFault] = useState<string>()
  const { customer, amount, currency, number, due_at } = invoice
  const next = settings && settings.number_prefix + `${settings.next_number}`.padStart(NUMBER_DIGITS_MIN, '0')
  const isSending = how !== 'open'
  const unpayable = isSending && settings !== undefined && !isPayable(invoice, settings)
  const cannotSend = isSending && (!customer.email || unpayable)
  const verb = { open: 'Open it', send: 'Open and send', again: invoice.sent_at ? 'Send again' : 'Send it' }[
    how
  ]

  async function go() {
    const opened = isSending ? await sendInvoice(invoice.id, message) : await openInvoice(invoice.id)
    toast(isSending ? `${opened.number} is on its way to ${customer.email}` : `It is ${opened.number} now`)
    close()
  }

  return (
    <FormDialog
      title={
        how === 'again'
          ? `Send ${number}${invoice.sent_at ? ' again' : ''}?`
          : `${verb.replace(' it', '')} this invoice?`
      }
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
            <li>It gets the number {next ?? '…'}, which stays its own for good.</li>
            {!unpayable && (
              <li>
                {customer.name ?? 'Whoever has the link'} can pay {exactMoney(amount, currency)}
                {due_at
                  ? ` until ${dateInWords(dueDay(due_at)!)}`
                  : settings && ` within ${plural(settings.due_days, 'day')}`}
                .
              </li>
            )}
            <li>
              Customer, lines and amounts stand from then on. To correct them, void it and duplicate it.
            </li>
          </>
        )}
        {isSending && !cannotSend && (
          <li>
            A mail goes to <b>{customer.email}</b>, with the PDF and the link to pay.
          </li>
        )}
      </ul>
      {unpayable && <NoWayToPay />}
      {isSending && !customer.email && (
        <DialogFault>The customer has no e-mail address. Write one on the invoice first.</DialogFault>
      )}
      {isSending && !cannotSend && (
        <Textarea
          label="Message"
          description="Stands in the mail above the amount. Empty: a short text of ours."
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
