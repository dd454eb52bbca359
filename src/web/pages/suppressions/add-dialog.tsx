import { Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Suppression } from '#domains/suppressions/contract.ts'
import { inWords, isProblem } from '../../problem.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { toast } from '../../ui/toast.ts'
import { addSuppression } from './suppressions-cache.ts'

const ADDRESS_LENGTH_MAX = 254
const NOTE_LENGTH_MAX = 200

/** Asks for an email address or a phone number; the @ tells them apart. */
export function AddDialog({ close }: { close: () => void }) {
  const [address, setAddress] = useState('')
  const [note, setNote] = useState('')
  const [fault, setFault] = useState<string>()

  async function add() {
    const who = address.trim()
    if (!who) return setFault('Enter an email address or phone number')
    const about = note.trim()
    const entry = await addSuppression({
      ...(who.includes('@') ? { email: who } : { phone: plainNumber(who) }),
      ...(about && { note: about }),
    })
    toast(added(entry, about))
    close()
  }

  function refused(error: unknown) {
    setFault(
      isProblem(error) && error.errors.length > 0
        ? 'Enter a valid email address, or a phone number with country code like +44 20 7123 4567.'
        : inWords(error),
    )
  }

  return (
    <FormDialog
      title="Add to suppression list"
      size="sm"
      verb="Add to list"
      act={add}
      refused={refused}
      close={close}
    >
      <Text>Nothing more is sent there, and queued messages are cancelled.</Text>
      <TextInput
        label="Email or phone"
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
        placeholder="Reason (optional)"
        value={note}
        maxLength={NOTE_LENGTH_MAX}
        onChange={event => setNote(event.currentTarget.value)}
      />
    </FormDialog>
  )
}

/** An address that someone else added keeps their entry. */
function added({ address, reason, note }: Suppression, about: string): string {
  if (reason === 'manual' && (note ?? '') === about) return `Added ${address} to the suppression list`
  return `${address} was already on the suppression list.${about && ' Your note is not saved.'}`
}

/** People type numbers with spaces and brackets. */
function plainNumber(text: string): string {
  return text.replaceAll(/[\s().\-/]/g, '').replace(/^00/, '+')
}
