import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { unitsOf } from '#domains/invoices/amounts.ts'
import type { Invoice, NewPayment } from '#domains/invoices/contract.ts'
import { inWords } from '../../problem.ts'
import { isDay } from '../../ui/day.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { exactMoney } from '../../ui/money.ts'
import { toast } from '../../ui/toast.ts'
import { AMOUNT_WORDS } from '../../ui/amount.ts'
import { toLocalInput } from '../../ui/local-time.ts'
import { readPrice } from '../../ui/decimal.ts'
import { recordPayment } from '../../records/invoices/invoice-writes.ts'
import { invoiceName } from '../../records/invoices/words.ts'
import classes from '../../ui/begin-dialog.module.css'
import textClasses from '../../ui/text.module.css'

const NOTE_LENGTH_MAX = 500

type Props = { invoice: Invoice; close: () => void }

/** Notes money that came by another way, or pays with credit the customer has. What it comes to is said beforehand. */
export function RecordPayment({ invoice, close }: Props) {
  const { due, currency, credit } = invoice
  const hasCredit = unitsOf(credit) > 0n
  const [method, setMethod] = useState<NewPayment['method']>('manual')
  const [typed, setTyped] = useState<string>()
  const [day, setDay] = useState(today)
  const [note, setNote] = useState('')
  const [faults, setFaults] = useState<{ amount?: string; day?: string; whole?: string }>({})
  const usual = method === 'credit' && unitsOf(credit) < unitsOf(due) ? credit : due
  const text = typed ?? (unitsOf(usual) > 0n ? usual : '')
  const amount = readPrice(text)

  async function record() {
    if (amount === undefined || unitsOf(amount) === 0n) return setFaults({ amount: AMOUNT_WORDS })
    if (method === 'manual' && !isDay(day)) return setFaults({ day: 'Write the day on which it came' })
    const words = note.trim()
    const body: NewPayment = {
      method,
      amount,
      // Money of today came at this moment; money of another day, at its noon.
      ...(method === 'manual' && day !== today() && { received_at: new Date(`${day}T12:00`).toISOString() }),
      ...(words && { note: words }),
    }
    const { status } = await recordPayment(invoice.id, body)
    toast(`${exactMoney(amount, currency)} recorded${status === 'PAID' ? ': it is paid' : ''}`)
    close()
  }

  return (
    <FormDialog
      title={`Record a payment of ${invoiceName(invoice)}`}
      size={480}
      verb="Record payment"
      act={record}
      refused={error => setFaults({ whole: inWords(error) })}
      close={close}
    >
      {hasCredit && (
        <fieldset className={classes.starters}>
          <legend>How it is paid</legend>
          <label className={classes.starter}>
            <input
              type="radio"
              name="method"
              checked={method === 'manual'}
              onChange={() => setMethod('manual')}
            />
            <span>
              Money came
              <span className={textClasses.under}>By bank transfer, in cash or by another way.</span>
            </span>
          </label>
          <label className={classes.starter}>
            <input
              type="radio"
              name="method"
              checked={method === 'credit'}
              onChange={() => setMethod('credit')}
            />
            <span>
              From the customer’s credit
              <span className={textClasses.under}>
                {exactMoney(credit, currency)} is there from earlier payments.
              </span>
            </span>
          </label>
        </fieldset>
      )}
      <TextInput
        label={`Amount in ${currency}`}
        description={consequence(amount, due, currency)}
        inputMode="decimal"
        value={text}
        error={faults.amount}
        data-autofocus
        autoComplete="off"
        onChange={event => {
          setTyped(event.currentTarget.value)
          setFaults({})
        }}
      />
      {method === 'manual' && (
        <TextInput
          type="date"
          label="It came on"
          value={day}
          max={today()}
          error={faults.day}
          onChange={event => setDay(event.currentTarget.value)}
        />
      )}
      <TextInput
        label="Note"
        placeholder="Like the reference of the transfer"
        value={note}
        maxLength={NOTE_LENGTH_MAX}
        error={faults.whole}
        onChange={event => setNote(event.currentTarget.value)}
      />
    </FormDialog>
  )
}

/** What the invoice will be, before anybody presses the button. */
function consequence(amount: string | undefined, due: string, currency: string): string {
  const asked = exactMoney(due, currency)
  if (amount === undefined) return `${asked} is to be paid.`
  const [came, missing] = [unitsOf(amount), unitsOf(due)]
  if (missing === 0n) return 'Nothing is to be paid any more: you decide what becomes of it.'
  if (came === missing) return 'Exactly what is to be paid: the invoice will be paid.'
  if (came < missing) return `Less than the ${asked} that is to be paid: it will be partially paid.`
  return `More than the ${asked} that is to be paid: it will be paid, and you decide about the rest.`
}

function today(): string {
  return toLocalInput(new Date().toISOString()).slice(0, 10)
}
