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

/** Records a payment received elsewhere, or applies customer credit. Says beforehand what it does to the invoice. */
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
    if (method === 'manual' && !isDay(day)) return setFaults({ day: 'Enter a date' })
    const words = note.trim()
    const body: NewPayment = {
      method,
      amount,
      // A payment of today is dated now; one of another day, at its noon.
      ...(method === 'manual' && day !== today() && { received_at: new Date(`${day}T12:00`).toISOString() }),
      ...(words && { note: words }),
    }
    const { status } = await recordPayment(invoice.id, body)
    toast(`${exactMoney(amount, currency)} recorded${status === 'PAID' ? ', invoice paid' : ''}`)
    close()
  }

  return (
    <FormDialog
      title={`Record payment for ${invoiceName(invoice)}`}
      size={480}
      verb="Record payment"
      act={record}
      refused={error => setFaults({ whole: inWords(error) })}
      close={close}
    >
      {hasCredit && (
        <fieldset className={classes.starters}>
          <legend>Payment method</legend>
          <label className={classes.starter}>
            <input
              type="radio"
              name="method"
              checked={method === 'manual'}
              onChange={() => setMethod('manual')}
            />
            <span>
              Payment received
              <span className={textClasses.under}>By bank transfer, in cash or another way.</span>
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
              Customer credit
              <span className={textClasses.under}>
                {exactMoney(credit, currency)} available from earlier payments.
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
          label="Date received"
          value={day}
          max={today()}
          error={faults.day}
          onChange={event => setDay(event.currentTarget.value)}
        />
      )}
      <TextInput
        label="Note"
        placeholder="Like the transfer reference"
        value={note}
        maxLength={NOTE_LENGTH_MAX}
        error={faults.whole}
        onChange={event => setNote(event.currentTarget.value)}
      />
    </FormDialog>
  )
}

/** What this payment does to the invoice. */
function consequence(amount: string | undefined, due: string, currency: string): string {
  const asked = exactMoney(due, currency)
  if (amount === undefined) return `${asked} is due.`
  const [came, missing] = [unitsOf(amount), unitsOf(due)]
  if (missing === 0n) return "Nothing is due. You'll need to resolve this payment."
  if (came === missing) return 'This is the full amount due. The invoice will be paid.'
  if (came < missing) return `Less than the ${asked} due. The invoice will be partially paid.`
  return `More than the ${asked} due. The invoice will be paid, and you'll need to resolve the excess.`
}

function today(): string {
  return toLocalInput(new Date().toISOString()).slice(0, 10)
}
