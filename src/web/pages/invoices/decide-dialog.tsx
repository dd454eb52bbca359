import { Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Invoice, Payment } from '#domains/invoices/contract.ts'
import { inWords } from '../../problem.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { exactMoney } from '../../ui/money.ts'
import { toast } from '../../ui/toast.ts'
import { resolvePayment } from '../../records/invoices/invoice-writes.ts'
import { decisionsOn, issueInWords, resolutionNames } from '../../records/invoices/words.ts'
import classes from '../../ui/begin-dialog.module.css'
import textClasses from '../../ui/text.module.css'

const NOTE_LENGTH_MAX = 500

type Props = { payment: Payment; invoice: Invoice; close: () => void }

/** Asks how to resolve a payment with an issue, and says what each choice does. */
export function DecideDialog({ payment, invoice, close }: Props) {
  const decisions = decisionsOn(payment, invoice)
  const [resolution, setResolution] = useState(decisions[0]?.resolution)
  const [note, setNote] = useState('')
  const [fault, setFault] = useState<string>()
  const sum = exactMoney(payment.amount, payment.currency)

  async function decide() {
    if (!resolution) return
    const words = note.trim()
    await resolvePayment(invoice.id, payment.id, { resolution, ...(words && { note: words }) })
    toast(`${resolutionNames[resolution]}: ${sum}`)
    close()
  }

  return (
    <FormDialog
      title={`Resolve payment of ${sum}`}
      size={480}
      verb="Resolve"
      act={decide}
      refused={error => setFault(inWords(error))}
      close={close}
    >
      <Text>{issueInWords(payment, invoice)}</Text>
      <fieldset className={classes.starters}>
        <legend>Resolution</legend>
        {decisions.map(each => (
          <label key={each.resolution} className={classes.starter}>
            <input
              type="radio"
              name="resolution"
              checked={each.resolution === resolution}
              data-autofocus={each.resolution === resolution || undefined}
              onChange={() => setResolution(each.resolution)}
            />
            <span>
              {each.label}
              <span className={textClasses.under}>{each.does}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <TextInput
        label="Note"
        description="Why, or where the money went. Saved with the payment."
        value={note}
        maxLength={NOTE_LENGTH_MAX}
        error={fault}
        onChange={event => setNote(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
