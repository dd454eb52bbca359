import { Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { SavedReply } from '#domains/conversations/contract.ts'
import { REPLY_LENGTH_MAX } from '#domains/conversations/values.ts'
import { isProblem } from '../../problem.ts'
import { addSavedReply, changeSavedReply } from '../../records/conversations/saved-reply-writes.ts'
import { faultsByField } from '../../ui/field-faults.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'

const NAME_LENGTH_MAX = 200

type Props = { reply: SavedReply | undefined; close: () => void }

/** A new saved reply, or a change of one. */
export function SavedReplyDialog({ reply, close }: Props) {
  const [name, setName] = useState(reply?.name ?? '')
  const [text, setText] = useState(reply?.text ?? '')
  const [faults, setFaults] = useState<Record<string, string>>({})

  async function save() {
    const wrong = {
      ...(!name.trim() && { name: 'Enter a name' }),
      ...(!text.trim() && { text: 'Enter a text' }),
    }
    setFaults(wrong)
    if (Object.keys(wrong).length > 0) return
    const body = { name: name.trim(), text: text.trim() }
    await (reply ? changeSavedReply(reply, body) : addSavedReply(body))
    close()
  }

  return (
    <FormDialog
      title={reply ? `Edit ${reply.name}` : 'New saved reply'}
      size={560}
      verb={reply ? 'Save' : 'Add saved reply'}
      act={save}
      refused={error =>
        setFaults(
          isProblem(error, 412)
            ? { '': 'Somebody else has changed this reply. Close this dialog to see their version.' }
            : faultsByField(error, ['name', 'text']),
        )
      }
      fault={faults['']}
      close={close}
    >
      <TextInput
        label="Name"
        value={name}
        error={faults.name}
        maxLength={NAME_LENGTH_MAX}
        autoComplete="off"
        data-autofocus
        onChange={event => setName(event.currentTarget.value)}
      />
      <Textarea
        label="Text"
        description="Placeholders such as {{firstName}} are filled in when it is sent."
        value={text}
        error={faults.text}
        autosize
        minRows={6}
        maxRows={16}
        maxLength={REPLY_LENGTH_MAX}
        onChange={event => setText(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
