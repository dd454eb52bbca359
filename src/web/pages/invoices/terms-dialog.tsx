import { Modal, Stack, Textarea, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import type { Invoice, InvoiceChange } from '#domains/invoices/contract.ts'
import { inWords } from '../../problem.ts'
import { isDay } from '../../ui/day.ts'
import { DialogEnd } from '../../ui/dialog-end.tsx'
import { FocusBack } from '../../ui/focus-back.ts'
import { invoices } from '../../records/invoices/store.ts'
import { dueAtEndOf, dueDay, invoiceName } from '../../records/invoices/words.ts'

const NOTE_LENGTH_MAX = 20_000

type Props = { invoice: Invoice; close: () => void }

/** What can still be changed of an invoice that has its number: until when it is paid, and its note. */
export function TermsDialog({ invoice, close }: Props) {
  const { id, due_at, note } = invoice
  const [day, setDay] = useState(dueDay(due_at) ?? '')
  const [words, setWords] = useState(note ?? '')
  const [fault, setFault] = useState<string>()
  const [busy, setBusy] = useState(false)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (!isDay(day)) return setFault('Write the day until which it is paid')
    const change: InvoiceChange = {
      ...(day !== dueDay(due_at) && { due_at: dueAtEndOf(day) }),
      ...((words.trim() || null) !== note && { note: words.trim() || null }),
    }
    if (Object.keys(change).length === 0) return close()
    setBusy(true)
    try {
      await invoices.changeOrThrow(id, change, `Changed ${invoiceName(invoice)}`)
      close()
    } catch (error) {
      setFault(inWords(error))
      setBusy(false)
    }
  }

  return (
    <>
      <FocusBack />
      <Modal opened onClose={close} title={`Due date and note of ${invoiceName(invoice)}`} size={480}>
        <form onSubmit={event => void submit(event)} noValidate>
          <Stack gap="md">
            <TextInput
              type="date"
              label="Due date"
              description="Reminders follow it. The customer is not told of the change: send it again."
              value={day}
              error={fault}
              data-autofocus
              onChange={event => {
                setDay(event.currentTarget.value)
                setFault(undefined)
              }}
            />
            <Textarea
              label="Note"
              autosize
              minRows={3}
              maxRows={10}
              maxLength={NOTE_LENGTH_MAX}
              value={words}
              onChange={event => setWords(event.currentTarget.value)}
            />
            <DialogEnd close={close} busy={busy}>
              Save
            </DialogEnd>
          </Stack>
        </form>
      </Modal>
    </>
  )
}
