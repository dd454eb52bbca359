import { Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { inWords, isProblem } from '../../problem.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { toast } from '../../ui/toast.ts'
import { ADDRESS_LENGTH_MAX } from './search.ts'
import { addSuppression } from './suppressions-cache.ts'

const NOTE_LENGTH_MAX = 200

/** Asks for an address or a number; whether it is the one or the other is plain to see. */
export function AddDialog({ close }: { close: () => void }) {
  const [address, setAddress] = useState('')
  const [note, setNote] = useState('')
  const [fault, setFault] = useState<string>()

  async function add() {
    const who = address.trim()
    if (!who) return setFault('Write a mail address or a phone number')
    const added = await addSuppression({
      ...(who.includes('@') ? { email: who } : { phone: plainNumber(who) }),
      ...(note.trim() && { note: note.trim() }),
    })
    toast(`Nobody writes to ${added.address} any more`)
    close()
  }

  function refused(error: unknown) {
    setFault(
      isProblem(error) && error.errors.length > 0
        ? 'Enter a valid e-mail address, or a phone number with its country code like +44 20 7123 4567.'
        : inWords(error),
    )
  }

  return (
    <FormDialog
      title="Do not contact"
      size="sm"
      verb="Add to the list"
      act={add}
      refused={refused}
      close={close}
    >
      <Text>Nothing is sent there any more, and what waits for it is given up.</Text>
      <TextInput
        label="Address or number"
        placeholder="grace@example.com or +44 20 7123 4567"
        value={address}
        maxLength={ADDRESS_LENGTH_MAX}
        error={fault}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        onChange={event => {
          setAddress(event.currentTarget.value)
          setFault(undefined)
        }}
      />
      <TextInput
        label="Note"
        placeholder="Why, for those who read it later"
        value={note}
        maxLength={NOTE_LENGTH_MAX}
        onChange={event => setNote(event.currentTarget.value)}
      />
    </FormDialog>
  )
}

/** People write numbers with spaces and brackets. */
function plainNumber(text: string): string {
  return text.replaceAll(/[\s().\-/]/g, '').replace(/^00/, '+')
}
