import { Modal, Stack, Text, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { inWords, isProblem } from '../../problem.ts'
import { DialogEnd } from '../../ui/dialog-end.tsx'
import { FocusBack } from '../../ui/focus-back.ts'
import { toast } from '../../ui/toast.ts'
import { ADDRESS_LENGTH_MAX } from './search.ts'
import { addSuppression } from './suppressions-cache.ts'

const NOTE_LENGTH_MAX = 200

/** Asks for an address or a number; whether it is the one or the other is plain to see. */
export function AddDialog({ close }: { close: () => void }) {
  const [address, setAddress] = useState('')
  const [note, setNote] = useState('')
  const [fault, setFault] = useState<string>()
  const [busy, setBusy] = useState(false)

  async function submit(event: FormEvent) {
    event.preventDefault()
    const who = address.trim()
    if (!who) return setFault('Write a mail address or a phone number')
    setBusy(true)
    try {
      const added = await addSuppression({
        ...(who.includes('@') ? { email: who } : { phone: plainNumber(who) }),
        ...(note.trim() && { note: note.trim() }),
      })
      toast(`Nobody writes to ${added.address} any more`)
      close()
    } catch (error) {
      setFault(
        isProblem(error) && error.errors.length > 0
          ? 'Enter a valid e-mail address, or a phone number with its country code like +44 20 7123 4567.'
          : inWords(error),
      )
      setBusy(false)
    }
  }

  return (
    <>
      <FocusBack />
      <Modal opened onClose={close} title="Do not contact" size="sm">
        <form onSubmit={event => void submit(event)} noValidate>
          <Stack gap="md">
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
            <DialogEnd close={close} busy={busy}>
              Add to the list
            </DialogEnd>
          </Stack>
        </form>
      </Modal>
    </>
  )
}

/** People write numbers with spaces and brackets. */
function plainNumber(text: string): string {
  return text.replaceAll(/[\s().\-/]/g, '').replace(/^00/, '+')
}
