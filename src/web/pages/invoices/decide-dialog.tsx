import { Modal, Stack, Text, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import type { Invoice, Payment } from '#domains/invoices/contract.ts'
import { inWords } from '../../problem.ts'
import { DialogEnd } from '../../ui/dialog-end.tsx'
import { FocusBack } from '../../ui/focus-back.ts'
import { exactMoney } from '../../ui/money.ts'
import { toast } from '../../ui/toast.ts'
import { resolvePayment } from '../../records/invoices/invoice-writes.ts'
import { decisionsOn, issueInWords, resolutionNames } from '../../records/invoices/words.ts'
import classes from '../../ui/begin-dialog.module.css'

const NOTE_LENGTH_MAX = 500

type Props = { payment: Payment; invoice: Invoice; close: () => void }

/** Asks what becomes of a payment that is not as it should be, and says what each answer does. */
export function DecideDialog({ payment, invoice, close }: Props) {
  const decisions = decisionsOn(payment, invoice)
  const [resolution, setResolution] = useState(decisions[0]?.resolution)
  const [note, setNote] = useState('')
  const [fault, setFault] = useState<string>()
  const [busy, setBusy] = useState(false)
  const sum = exactMoney(payment.amount, payment.currency)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (!resolution) return
    setBusy(true)
    try {
      const words = note.trim()
      await resolvePayment(invoice.id, payment.id, { resolution, ...(words && { note: words }) })
      toast(`${resolutionNames[resolution]}: ${sum}`)
      close()
    } catch (error) {
      setFault(inWords(error))
      setBusy(false)
    }
  }

  return (
    <>
      <FocusBack />
      <Modal opened onClose={close} title={`What becomes of ${sum}?`} size={480}>
        <form onSubmit={event => void submit(event)} noValidate>
          <Stack gap="md">
            <Text>{issueInWords(payment, invoice)}</Text>
            <fieldset className={classes.starters}>
              <legend>Your decision</legend>
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
                    <span className={classes.about}>{each.does}</span>
                  </span>
                </label>
              ))}
            </fieldset>
            <TextInput
              label="Note"
              description="Why, or where the money went. It stays with the payment."
              value={note}
              maxLength={NOTE_LENGTH_MAX}
              error={fault}
              onChange={event => setNote(event.currentTarget.value)}
            />
            <DialogEnd close={close} busy={busy}>
              Decide
            </DialogEnd>
          </Stack>
        </form>
      </Modal>
    </>
  )
}
