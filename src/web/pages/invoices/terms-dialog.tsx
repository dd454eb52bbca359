import { Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Invoice, InvoiceChange } from '#domains/invoices/contract.ts'
import { inWords } from '../../problem.ts'
import { isDay } from '../../ui/day.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { invoices } from '../../records/invoices/store.ts'
import { dueAtEndOf, dueDay, invoiceName } from '../../records/invoices/words.ts'

const NOTE_LENGTH_MAX = 20_000

type Props = { invoice: Invoice; close: () => void }

/** What can still be changed of a numbered invoice: its due date and note. */
export function TermsDialog({ invoice, close }: Props) {
  const { id, due_at, note } = invoice
  const [day, setDay] = useState(dueDay(due_at) ?? '')
  const [words, setWords] = useState(note ?? '')
  const [fault, setFault] = useState<string>()

  async function save() {
    if (!isDay(day)) return setFault('Enter a due date')
    const change: InvoiceChange = {
      ...(day !== dueDay(due_at) && { due_at: dueAtEndOf(day) }),
      ...((words.trim() || null) !== note && { note: words.trim() || null }),
    }
    if (Object.keys(change).length > 0)
      await invoices.changeOrThrow(id, change, `Updated ${invoiceName(invoice)}`)
    close()
  }

  return (
    <FormDialog
      title={`Due date and note of ${invoiceName(invoice)}`}
      size={480}
      verb="Save"
      act={save}
      refused={error => setFault(inWords(error))}
      close={close}
    >
      <TextInput
        type="date"
        label="Due date"
        description="Reminders use this date. The customer isn't notified: resend the invoice."
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
    </FormDialog>
  )
}
